// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import Testing

@testable import AnoleDemoCLI

/// Places of files, counted from this file's place in the repository.
enum Place {
  private static func parent(_ levels: Int) -> String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(levels)
      .joined(separator: "/")
  }

  static let fixtures = parent(1) + "/Fixtures"
  static let workedExample = fixtures + "/worked-example.json"
  static let vectors = parent(5) + "/Tests/Fixtures/vectors"
}

/// The time of all tests: 2026-01-01.
let testTime = Timestamp(milliseconds: 1_767_225_600_000)

/// Files in memory; the rest comes from the disk.
///
/// Time stands still.
func environment(_ files: [String: String] = [:]) -> Environment {
  var environment = Environment(
    read: { (path) throws(Failure) in
      if let text = files[path] { return Array(text.utf8) }
      return try InputFile.bytes(of: path)
    },
    now: { testTime }, say: { _ in true })
  environment.clock = ManualClock()
  return environment
}

/// Runs the program.
func run(_ arguments: String..., files: [String: String] = [:]) async -> Output {
  await Program.run(arguments, in: environment(files))
}

/// Runs the program with `--json` and reads what it prints.
func runJSON(_ arguments: String..., files: [String: String] = [:]) async throws -> JSONValue {
  let output = await Program.run(arguments + ["--json"], in: environment(files))
  #expect(output.remarks == [])
  return try JSONValue(parsing: output.text)
}

/// A wrong call, the sentence it gets, and its exit status.
struct WrongCall: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let sentence: String
  init(_ arguments: [String], _ sentence: String) {
    self.arguments = arguments
    self.sentence = sentence
  }
  var testDescription: String { arguments.joined(separator: " ") }
}
