// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The evaluation vectors of a folder, run through the client instead of the evaluator: `evaluation.json` and the
/// data files that its cases name in `datafiles/`.
public struct ClientEvaluation: Sendable {
  private let path: String

  /// A folder by its path.
  public init(path: String) {
    self.path = path
  }

  /// Whether the folder holds evaluation vectors.
  public var exists: Bool { FileManager.default.fileExists(atPath: "\(path)/evaluation.json") }

  /// Runs every case by clients of its own; nothing leaves the process.
  ///
  /// - Returns: one entry, with the reasons for cases that were not run.
  /// - Throws: ``WireConformanceError`` if a file cannot be read; `CancellationError`.
  public func run() async throws -> WireReport {
    let document = try JSONFile.read("\(path)/evaluation.json")
    guard let cases = document["cases"]?.arrayValue, !cases.isEmpty else {
      throw WireConformanceError.unreadableFile(
        path: "\(path)/evaluation.json", reason: "has no \"cases\"")
    }
    var files: [String: JSONValue] = [:]
    for name in Set(cases.compactMap { $0["df"]?.stringValue }) {
      files[name] = try JSONFile.read("\(path)/datafiles/\(name).json")
    }
    var entry = WireReport.Entry(name: "evaluation by the client")
    for (item, outcome) in zip(cases, try await Self.outcomes(cases, files)) {
      let id = item["id"]?.stringValue ?? "case without id"
      switch outcome {
      case .passed: entry.passed += 1
      case .decided(let decision):
        entry.passed += 1
        if !entry.decisions.contains(decision) { entry.decisions.append(decision) }
      case .differs(let difference): entry.fail(difference, of: id)
      case .skipped(let reason): entry.skip(reason)
      }
    }
    return WireReport(entries: [entry])
  }

  private static func outcomes(
    _ cases: [JSONValue], _ files: [String: JSONValue]
  ) async throws -> [WireVectors.Outcome] {
    try await WireVectors.sideBySide(cases) { try await outcome($0, files) }
  }

  private static func outcome(
    _ item: JSONValue, _ files: [String: JSONValue]
  ) async throws -> WireVectors.Outcome {
    if item["optional"] == "simulation" {
      return .skipped("simulated variations are optional and have no call on iOS")
    }
    guard let dataFile = files[item["df"]?.stringValue ?? ""] else {
      return .differs("there is no data file \(item["df"] ?? .null)")
    }
    return try await WireVectors.outcome {
      try await EvaluationReplay(item, dataFile: dataFile).run()
    }
  }
}
