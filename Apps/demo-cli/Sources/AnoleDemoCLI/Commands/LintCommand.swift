// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// `lint`: tells what is wrong in a data file.
enum LintCommand: Command {
  static let name = "lint"
  static let summary = "find mistakes in a data file"
  static let synopsis = "[FILE]"
  static let options: [Option] = []
  static let example = "lint shop.json"
  static let notes = [
    "FILE is a data file, - for standard input; without it the built-in shop is checked.",
    "Tells what reading and compiling could not use, and: splits that do not sum to 1, rules that",
    "are never reached, unknown segments, custom data and variations, duplicate keys and ids,",
    "expositions outside 0…1, segments in a circle, groups with one member.",
    "Exit status: 0 clean, 1 findings, 2 no such file, 4 no data file.",
  ]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let path = try arguments.onlyOperand("file")
    let name = DataSource.name(of: path)
    let bytes =
      try path.map { (path) throws(Failure) in try environment.read(path) }
      ?? Array(ShopDataFile.text.utf8)
    let source = try DataSource(bytes, name: name, in: environment)
    let findings = try findings(source, bytes)
    let status = findings.isEmpty ? ExitStatus.success : ExitStatus.negative
    if arguments.has(.json) {
      let list = JSONValue.array(findings.map(\.document))
      return Output(
        json: ["file": .string(name), "clean": .bool(findings.isEmpty), "findings": list],
        status: status)
    }
    let lines = findings.map { "\($0.path): \($0.message) [\($0.check.rawValue)]" }
    return Output(
      lines: lines + [conclusion(source, findings.count)], status: status, colouring: .findings)
  }

  /// What reading and compiling report, then what is checked here, each in file order.
  private static func findings(
    _ source: DataSource, _ bytes: [UInt8]
  ) throws(Failure) -> [Finding] {
    let compiling = source.snapshot.diagnostics.count
    let reading = source.diagnostics.count - compiling
    let diagnostics = source.diagnostics.enumerated().map { position, diagnostic in
      Finding(
        check: position < reading ? .reading : .compiling, path: diagnostic.path,
        message: diagnostic.message)
    }
    do throws(JSONError) {
      return diagnostics + Lint.findings(in: try JSONValue(parsing: bytes))
    } catch {
      throw .data("\(source.name): \(error); mend it at that place")
    }
  }

  private static func conclusion(_ source: DataSource, _ findings: Int) -> String {
    let file = source.snapshot.dataFile
    let size =
      Wording.count(source.snapshot.flagCount, "flag") + ", "
      + Wording.count(file.segments.count, "segment")
    let result = findings == 0 ? "clean" : Wording.count(findings, "finding")
    return "\(source.name): \(result) (\(size))"
  }
}
