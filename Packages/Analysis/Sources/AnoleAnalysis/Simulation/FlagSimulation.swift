// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
public import AnoleModels

/// What a population got of one flag, against what the rules promise.
public struct FlagSimulation: Sendable, Hashable {
  /// How many visitors had an outcome.
  public struct Row: Sendable, Hashable {
    /// The outcome.
    public let outcome: FlagOutcome
    /// How many visitors had it.
    public let count: Int
    /// The part of all visitors, 0…1.
    public let share: Double
    /// The part that the rules promise, 0…1; nil if it cannot be told.
    public let expectedShare: Double?
  }

  /// What the counts say about the split.
  public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// The counts are as chance makes them.
    case holds
    /// Chance alone would hardly yield these counts.
    case differs
    /// Visitors have an outcome that the rules do not foresee.
    case unforeseen
    /// There is nothing to test, or no expectation.
    case notTested
  }

  /// The flag.
  public let featureKey: String
  /// How many visitors asked.
  public let visitorCount: Int
  /// The outcomes in the order of the pipeline, those that were not foreseen last.
  public let rows: [Row]
  /// The test of the counts; nil if there is nothing to test.
  public let test: GoodnessOfFit?
  /// What the counts say.
  public let verdict: Verdict
  /// Why no shares are expected; nil if they are.
  public let noExpectation: String?
  /// What else is to know about the figures, one sentence each.
  public let remarks: [String]
  /// The greatest p-value at which the split counts as broken.
  public let significance: Double

  init(
    _ featureKey: String, counts: [(outcome: FlagOutcome, count: Int)], expectation: Expectation,
    remarks: [String], significance: Double
  ) {
    self.featureKey = featureKey
    self.remarks = remarks
    self.significance = significance
    noExpectation = expectation.obstacle
    let total = counts.reduce(0) { $0 + $1.count }
    visitorCount = total
    let foreseen = expectation.shares.map { ($0.outcome, $0.share as Double?) }
    let others = counts.map(\.outcome).filter { outcome in
      !expectation.shares.contains { $0.outcome == outcome }
    }
    let unforeseen = Self.sorted(others).map { ($0, expectation.share(of: $0)) }
    rows = (foreseen + unforeseen).map { outcome, share in
      let count = counts.filter { $0.outcome == outcome }.reduce(0) { $0 + $1.count }
      return Row(
        outcome: outcome, count: count, share: Double(count) / Double(max(total, 1)),
        expectedShare: share)
    }
    if expectation.obstacle == nil {
      test = GoodnessOfFit(
        observed: rows.map(\.count), expected: rows.map { $0.expectedShare ?? 0 })
    } else {
      test = nil
    }
    verdict =
      if expectation.obstacle != nil {
        .notTested
      } else if rows.contains(where: { $0.count > 0 && $0.expectedShare == 0 }) {
        .unforeseen
      } else if let test {
        test.pValue < significance ? .differs : .holds
      } else {
        .notTested
      }
  }

  /// Which thread saw an outcome first is chance: an order that is always the same.
  private static func sorted(_ outcomes: [FlagOutcome]) -> [FlagOutcome] {
    outcomes.sorted { left, right in
      let keys = [left, right].map { outcome in
        [
          outcome.status.rawValue, outcome.reason?.rawValue ?? "", outcome.variationKey ?? "",
          String(outcome.ruleID ?? 0), String(outcome.variationID ?? 0),
        ]
      }
      return keys[0].lexicographicallyPrecedes(keys[1])
    }
  }

  /// The verdict in a sentence.
  public var sentence: String {
    switch verdict {
    case .holds: "the split holds: the counts are as chance makes them"
    case .differs:
      "the split differs from its expectation: chance alone would hardly yield these counts"
    case .unforeseen: "visitors have an outcome that the rules do not foresee"
    case .notTested:
      if let noExpectation {
        "no expected shares: \(noExpectation)"
      } else {
        "nothing to test: fewer than two outcomes are expected for five visitors or more"
      }
    }
  }

  /// The result as JSON, with the keys that the README lists.
  public var document: JSONValue {
    let rows = rows.map { row -> JSONValue in
      var members: [(String, JSONValue)] = [
        ("count", .count(row.count)), ("share", .real(row.share)),
        ("expectedShare", .real(row.expectedShare)),
        ("difference", .real(row.expectedShare.map { row.share - $0 })),
      ]
      members = (row.outcome.document.objectValue ?? []).map { ($0.key, $0.value) } + members
      return .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
    }
    return [
      "flag": .string(featureKey), "visitors": .count(visitorCount), "outcomes": .array(rows),
      "chiSquare": .real(test?.statistic),
      "degreesOfFreedom": test.map { .count($0.degreesOfFreedom) } ?? .null,
      "pValue": .real(test?.pValue), "significance": .real(significance),
      "verdict": .string(verdict.rawValue), "sentence": .string(sentence),
      "noExpectation": .text(noExpectation), "remarks": .texts(remarks),
    ]
  }
}
