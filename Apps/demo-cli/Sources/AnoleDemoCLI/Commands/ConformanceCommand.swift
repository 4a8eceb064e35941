// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels
import AnoleWireConformance
import kameleoonClient

/// `conformance`: runs golden vectors, or replays recorded exchanges.
enum ConformanceCommand: Command {
  static let name = "conformance"
  static let summary = "run golden vectors or recorded exchanges and report what passes"
  static let synopsis = "DIR [--client]"
  static let options = [client]
  static let example = "conformance Tests/Fixtures/vectors"
  static let notes = [
    "DIR holds either golden vectors: hashing.json, targeting.json, evaluation.json (any of them) and",
    "datafiles/; or recorded exchanges: scenarios with steps and exchanges, vectors_*.json and datafiles/.",
    "Scenarios are replayed by the client against a server on this machine; nothing else is contacted.",
    "Exit status: 0 nothing failed, 1 a case failed, 2 the folder cannot be used.",
  ]

  private static let client = Option(
    "client", help: "run evaluation.json by the client as well, not only by the evaluator")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let folder = try arguments.onlyOperand("folder") else {
      throw Failure("conformance needs a folder of vectors; write demo-cli conformance DIR")
    }
    // Scenarios about errors make the clients warn, which is nothing to tell here.
    KameleoonLogger.logLevel = .none
    guard !WireFolder(path: folder).holdsRecordings else {
      guard !arguments.has(client) else {
        throw Failure("--client is for golden vectors; recorded exchanges always run by the client")
      }
      let report = try await wire {
        try await WireFolder(path: folder).run {
          environment.progress.show($0, of: $1, "recording")
        }
      }
      return output(
        report.description, json: report.jsonValue, failed: report.failed, arguments)
    }
    return try await vectors(in: folder, arguments, environment.progress)
  }

  private static func vectors(
    in folder: String, _ arguments: Arguments, _ progress: Progress
  ) async throws(Failure) -> Output {
    let report: ConformanceReport
    do throws(ConformanceError) {
      report = try await VectorFolder(path: folder).run { progress.show($0, of: $1, "file") }
    } catch {
      if case .unreadableFile = error { throw .data(error.description) }
      throw Failure(error.description)
    }
    guard arguments.has(client) else {
      return output(
        report.description, json: report.jsonValue, failed: report.failed, arguments)
    }
    let evaluation = ClientEvaluation(path: folder)
    guard evaluation.exists else {
      throw Failure("\(folder): holds no evaluation.json; leave --client out")
    }
    let clientReport = try await wire { try await evaluation.run() }
    let members =
      (report.jsonValue.objectValue ?? []) + [
        JSONValue.Member(key: "client", value: clientReport.jsonValue)
      ]
    return output(
      "\(report)\n\(clientReport)", json: .object(members),
      failed: report.failed + clientReport.failed, arguments)
  }

  private static func wire(
    _ run: () async throws -> WireReport
  ) async throws(Failure) -> WireReport {
    do {
      return try await run()
    } catch is CancellationError {
      throw .interrupted
    } catch {
      throw .data("\(error)")
    }
  }

  private static func output(
    _ text: String, json: JSONValue, failed: Int, _ arguments: Arguments
  ) -> Output {
    let status = failed == 0 ? ExitStatus.success : ExitStatus.negative
    return arguments.has(.json)
      ? Output(json: json, status: status) : Output(lines: [text], status: status)
  }
}
