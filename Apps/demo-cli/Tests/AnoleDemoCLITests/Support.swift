// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

/// Files in memory; the rest comes from the folder of fixtures, or from the disk.
///
/// Time stands still.
func environment(
  _ files: [String: String] = [:], say: @escaping @Sendable (String) -> Bool = { _ in true }
) -> Environment {
  var environment = Environment(
    read: { (path) throws(Failure) in
      if let text = files[path] { return Array(text.utf8) }
      let fixture = "\(Place.fixtures)/\(path)"
      let isFixture =
        !path.isEmpty && !path.hasPrefix("/") && FileManager.default.fileExists(atPath: fixture)
      return try InputFile.bytes(of: isFixture ? fixture : path)
    },
    now: { testTime }, say: say)
  environment.readIfPresent = { (path) throws(Failure) in try InputFile.bytesIfPresent(path) }
  environment.list = { (path) throws(Failure) in
    let fixture = "\(Place.fixtures)/\(path)"
    let isFixture = !path.hasPrefix("/") && FileManager.default.fileExists(atPath: fixture)
    // What is wrong with a fixture is told of the name in the call.
    do throws(Failure) {
      return try FolderEntry.list(isFixture ? fixture : path)
    } catch {
      throw Failure(error.description.replacing(Place.fixtures + "/", with: ""))
    }
  }
  environment.clock = ManualClock()
  return environment
}

/// Lines that a command said while it ran.
final class Said: Sendable {
  private let list = Lock<[String]>([])

  var lines: [String] { list.withLock { $0 } }

  @Sendable
  func add(_ line: String) -> Bool {
    list.withLock { $0.append(line) }
    return true
  }
}

/// Folders for a test alone.
enum TemporaryFolder {
  static func make() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/anole-demo-cli-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  static func remove(_ path: String) {
    // What cannot be removed is left to the system.
    try? FileManager.default.removeItem(atPath: path)
  }
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
  let status: Int32
  init(_ arguments: [String], _ sentence: String, status: Int32 = ExitStatus.usage) {
    self.arguments = arguments
    self.sentence = sentence
    self.status = status
  }
  var testDescription: String { arguments.joined(separator: " ") }
}
