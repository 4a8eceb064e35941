// SPDX-License-Identifier: Apache-2.0

import AnoleConformance

/// `conformance`: runs golden vectors.
enum ConformanceCommand: Command {
  static let name = "conformance"
  static let summary = "run a folder of golden vectors and report what passes"
  static let synopsis = "DIR"
  static let options: [Option] = []
  static let notes = [
    "DIR holds hashing.json, targeting.json, evaluation.json (any of them) and datafiles/.",
    "Exit status: 0 nothing failed, 1 a case failed, 2 the folder cannot be used.",
  ]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let folder = try arguments.onlyOperand("folder") else {
      throw Failure("conformance needs a folder of vectors; write demo-cli conformance DIR")
    }
    let report: ConformanceReport
    do throws(ConformanceError) {
      report = try VectorFolder(path: folder).run()
    } catch {
      throw Failure(error.description)
    }
    let status = report.failed == 0 ? ExitStatus.success : ExitStatus.negative
    guard !arguments.has(.json) else { return Output(json: report.jsonValue, status: status) }
    return Output(lines: [report.description], status: status)
  }
}
