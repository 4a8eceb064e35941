// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleModels

/// `lint`: tells what is wrong in a data file.
enum LintCommand: Command {
  static let name = "lint"
  static let summary = "find mistakes in a data file"
  static let synopsis = "[FILE]"
  static let options: [Option] = []
  static let example = "lint"
  static let notes = [
    "FILE is a data file, - for standard input; without it the built-in shop is checked.",
    "Tells what reading and compiling could not use (unknown condition types, invalid expressions",
    "and versions), and: splits that do not sum to 1, flags without default, rules that are never",
    "reached, conditions that never match, unknown segments, custom data and variations, duplicate",
    "and look-alike keys, segments in a circle, exclusive groups that do not exclude as meant.",
    "An error gives visitors something else than the file seems to say; a warning is probably not",
    "meant. Exit status: 0 clean, 1 findings, 2 no such file, 4 no data file.",
  ]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let path = try arguments.onlyOperand("file")
    let name = DataSource.name(of: path)
    let bytes =
      try path.map { (path) throws(Failure) in try environment.read(path) }
      ?? Array(ShopDataFile.text.utf8)
    _ = try DataSource.read(bytes, name: name)  // Tells what is wrong with a file that is none.
    let report: LintReport
    do throws(DataFileError) {
      report = try LintReport(checking: bytes, sdk: environment.sdk)
    } catch {
      throw .data("\(name): \(error)")
    }
    let status = report.isClean ? ExitStatus.success : ExitStatus.negative
    guard arguments.has(.json) else {
      let lines = report.findings.map { finding in
        "\(finding.path): \(finding.severity.rawValue): \(finding.sentence) "
          + "[\(finding.code.rawValue)]"
      }
      return Output(
        lines: lines + [conclusion(name, report)], status: status, colouring: .findings)
    }
    let document =
      [JSONValue.Member(key: "file", value: .string(name))] + (report.document.objectValue ?? [])
    return Output(json: .object(document), status: status)
  }

  private static func conclusion(_ name: String, _ report: LintReport) -> String {
    let size =
      Wording.count(report.flagCount, "flag") + ", "
      + Wording.count(report.segmentCount, "segment")
    let counts = [(Finding.Severity.error, "error"), (.warning, "warning")]
      .map { (report.count($0), $1) }.filter { $0.0 > 0 }.map { Wording.count($0, $1) }
    return "\(name): \(counts.isEmpty ? "clean" : Wording.list(counts, "and")) (\(size))"
  }
}
