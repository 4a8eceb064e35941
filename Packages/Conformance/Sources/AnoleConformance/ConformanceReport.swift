// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// What a run over a folder of vectors found.
public struct ConformanceReport: Sendable, Hashable {
  /// The results of one file.
  public struct File: Sendable, Hashable {
    /// The file's name.
    public let name: String
    /// How many cases passed.
    public internal(set) var passed = 0
    /// How many cases were not run.
    public internal(set) var skipped = 0
    /// How many cases failed.
    public internal(set) var failed = 0
    /// The first failures, at most ``ConformanceReport/differenceLimit``.
    public internal(set) var differences: [Difference] = []
    /// Why cases were not run, each reason once.
    public internal(set) var skipReasons: [String] = []

    init(name: String) { self.name = name }

    mutating func fail(_ caseID: String, _ message: String) {
      failed += 1
      guard differences.count < ConformanceReport.differenceLimit else { return }
      differences.append(Difference(caseID: caseID, message: message))
    }

    mutating func skip(_ reason: String, cases: Int) {
      skipped += cases
      skipReasons.append(reason)
    }
  }

  /// One failed case.
  public struct Difference: Sendable, Hashable {
    /// The id of the case.
    public let caseID: String
    /// Where expectation and result part.
    public let message: String
  }

  /// How many failures of a file are told in full.
  public static let differenceLimit = 5

  /// The files in alphabetical order.
  public let files: [File]

  /// The sums over all files.
  public var passed: Int { files.reduce(0) { $0 + $1.passed } }
  /// How many cases were not run.
  public var skipped: Int { files.reduce(0) { $0 + $1.skipped } }
  /// How many cases failed.
  public var failed: Int { files.reduce(0) { $0 + $1.failed } }

  /// The report as JSON.
  public var jsonValue: JSONValue {
    let files = files.map { file -> JSONValue in
      [
        "file": .string(file.name), "passed": .number(.integer(Int64(file.passed))),
        "skipped": .number(.integer(Int64(file.skipped))),
        "failed": .number(.integer(Int64(file.failed))),
        "differences": .array(
          file.differences.map {
            ["case": .string($0.caseID), "message": .string($0.message)]
          }),
        "skipReasons": .array(file.skipReasons.map(JSONValue.string)),
      ]
    }
    return [
      "passed": .number(.integer(Int64(passed))), "skipped": .number(.integer(Int64(skipped))),
      "failed": .number(.integer(Int64(failed))), "files": .array(files),
    ]
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// A line a file, its first differences, and a total.
  public var description: String {
    var lines: [String] = []
    for file in files {
      lines.append(
        "\(file.name): \(file.passed) passed, \(file.skipped) skipped, \(file.failed) failed")
      lines += file.skipReasons.map { "  skipped: \($0)" }
      lines += file.differences.map { "  \($0.caseID): \($0.message)" }
    }
    lines.append("total: \(passed) passed, \(skipped) skipped, \(failed) failed")
    return lines.joined(separator: "\n")
  }
}
