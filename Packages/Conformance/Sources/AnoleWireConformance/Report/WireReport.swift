// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// What a run over a folder of recorded exchanges found.
public struct WireReport: Sendable, Hashable {
  /// A place where the specification decides against what was recorded.
  public struct Decision: Sendable, Hashable {
    /// Where the specification says it, for example `network.md 3.1`.
    public let section: String
    /// What differs.
    public let difference: String
  }

  /// Why cases of a file were not run.
  public struct Skip: Sendable, Hashable {
    /// The reason.
    public let reason: String
    /// How many cases it concerns.
    public let count: Int
  }

  /// A failed case.
  public struct Failure: Sendable, Hashable {
    /// Which case; empty for a scenario, which is one case.
    public let caseID: String
    /// The first difference, in words.
    public let message: String
  }

  /// The results of one file: a scenario, or a list of values.
  public struct Entry: Sendable, Hashable {
    /// The file's name without `.json`.
    public let name: String
    /// How many cases passed; a scenario is one case.
    public internal(set) var passed = 0
    /// What was not run.
    public internal(set) var skips: [Skip] = []
    /// How many cases failed.
    public internal(set) var failed = 0
    /// The first failures, at most ``WireReport/failureLimit``.
    public internal(set) var failures: [Failure] = []
    /// Decisions of the specification that took the place of what was recorded.
    public internal(set) var decisions: [Decision] = []

    /// How many cases were not run.
    public var skipped: Int { skips.reduce(0) { $0 + $1.count } }

    init(name: String) { self.name = name }

    mutating func fail(_ message: String, of caseID: String = "") {
      failed += 1
      guard failures.count < WireReport.failureLimit else { return }
      failures.append(Failure(caseID: caseID, message: message))
    }

    /// Counts a skipped case under its reason.
    mutating func skip(_ reason: String) {
      let position = skips.firstIndex { $0.reason == reason }
      guard let position else { return skips.append(Skip(reason: reason, count: 1)) }
      skips[position] = Skip(reason: reason, count: skips[position].count + 1)
    }
  }

  /// How many failures of a file are told in full.
  public static let failureLimit = 5

  /// The files in alphabetical order.
  public let entries: [Entry]

  /// How many cases passed.
  public var passed: Int { entries.reduce(0) { $0 + $1.passed } }
  /// How many cases were not run.
  public var skipped: Int { entries.reduce(0) { $0 + $1.skipped } }
  /// How many cases failed.
  public var failed: Int { entries.reduce(0) { $0 + $1.failed } }

  init(entries: [Entry]) {
    self.entries = entries.sorted { $0.name < $1.name }
  }
}

extension WireReport {
  /// The report as JSON.
  public var jsonValue: JSONValue {
    func number(_ value: Int) -> JSONValue { .number(.integer(Int64(value))) }
    let files = entries.map { entry -> JSONValue in
      [
        "file": .string(entry.name), "passed": number(entry.passed),
        "skipped": number(entry.skipped), "failed": number(entry.failed),
        "skips": .array(
          entry.skips.map { ["reason": .string($0.reason), "count": number($0.count)] }),
        "failures": .array(
          entry.failures.map { ["case": .string($0.caseID), "message": .string($0.message)] }),
        "decisions": .array(
          entry.decisions.map {
            ["section": .string($0.section), "difference": .string($0.difference)]
          }),
      ]
    }
    return [
      "passed": number(passed), "skipped": number(skipped), "failed": number(failed),
      "files": .array(files),
    ]
  }
}

extension WireReport: CustomStringConvertible {
  /// A line a file with its decisions, skips and first differences, and a total.
  public var description: String {
    var lines = entries.flatMap(\.lines)
    lines.append("total: \(passed) passed, \(skipped) skipped, \(failed) failed")
    return lines.joined(separator: "\n")
  }
}

extension WireReport.Entry {
  fileprivate var lines: [String] {
    var lines = ["\(name): \(verdict)"]
    lines += decisions.map { "  \($0.section): \($0.difference)" }
    lines += skips.map { "  skipped (\($0.count)): \($0.reason)" }
    lines += failures.map { failure in
      "  " + (failure.caseID.isEmpty ? "" : "\(failure.caseID): ") + failure.message
    }
    return lines
  }

  private var verdict: String {
    guard passed + skipped + failed == 1 else {
      return "\(passed) passed, \(skipped) skipped, \(failed) failed"
    }
    guard passed == 1 else { return failed == 1 ? "failed" : "skipped" }
    var sections: [String] = []
    for decision in decisions where !sections.contains(decision.section) {
      sections.append(decision.section)
    }
    return sections.isEmpty ? "passed" : "passed (decision: \(sections.joined(separator: ", ")))"
  }
}
