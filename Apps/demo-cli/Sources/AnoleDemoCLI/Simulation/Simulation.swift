// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// The decisions of one flag for many visitors who differ in nothing but their code.
struct Simulation: Sendable {
  /// How many visitors had an outcome.
  struct Row: Sendable {
    let outcome: Outcome
    var count: Int
    /// The share the rules promise; nil if it cannot be told.
    let expected: Double?
  }

  let flagKey: String
  let visitors: Int
  let expectation: Expectation
  /// The outcomes in the order of the pipeline, those that were not foreseen last.
  private(set) var rows: [Row] = []

  /// Decides for `prefix1` to `prefixN`.
  ///
  /// - Throws: ``EvaluationError`` if the flag cannot be decided.
  init(
    _ flag: FeatureFlag, visitors: Int, prefix: String, _ visitor: VisitorDescription,
    _ snapshot: Snapshot
  ) throws(EvaluationError) {
    flagKey = flag.key
    self.visitors = visitors
    var record = visitor.record(of: prefix, snapshot)
    let isPersonal = record.mappingIdentifier != nil
    expectation = Expectation(flag, record: record, moment: visitor.moment, snapshot)
    rows = expectation.shares.map { Row(outcome: $0.outcome, count: 0, expected: $0.share) }
    for number in 1...max(visitors, 1) {
      let code = prefix + String(number)
      // The mapping identifier is the visitor's own code.
      if isPersonal { record = visitor.record(of: code, snapshot) }
      count(
        try snapshot.decide(flag.key, visitorCode: code, record: record, at: visitor.moment))
    }
  }

  private mutating func count(_ decision: Decision) {
    if let position = rows.firstIndex(where: { $0.outcome.matches(decision) }) {
      rows[position].count += 1
    } else {
      let outcome = Outcome(decision)
      rows.append(Row(outcome: outcome, count: 1, expected: expectation.share(of: outcome)))
    }
  }

  /// The share of visitors in a row.
  func share(of row: Row) -> Double { Double(row.count) / Double(visitors) }

  // MARK: - Text

  var lines: [String] {
    let canPromise = expectation.obstacle == nil
    var table = Table([.left, .right, .right, .right, .right, .left])
    table.add(
      ["variation", "count", "share"] + (canPromise ? ["expected", "difference"] : ["", ""])
        + ["reason"])
    for row in rows {
      let share = share(of: row)
      table.add([
        row.outcome.variationKey, Wording.grouped(row.count), Wording.percent(share),
        row.expected.map(Wording.percent) ?? "",
        row.expected.map { Wording.points(share - $0) } ?? "",
        row.outcome.reason.sentence + (row.outcome.ruleID.map { " (rule \($0))" } ?? ""),
      ])
    }
    guard let obstacle = expectation.obstacle else { return table.lines }
    return table.lines + ["No expected shares: \(obstacle)."]
  }

  // MARK: - JSON

  var document: JSONValue {
    let rows = rows.map { row -> JSONValue in
      let share = share(of: row)
      return .members([
        ("variation", .string(row.outcome.variationKey)), ("count", .count(row.count)),
        ("share", .real(share)), ("expectedShare", row.expected.map { .real($0) }),
        ("difference", row.expected.map { .real(share - $0) }),
        ("reason", .string(row.outcome.reason.rawValue)),
        ("explanation", .string(row.outcome.reason.sentence)),
        ("ruleId", .id(row.outcome.ruleID)), ("experimentId", .id(row.outcome.experimentID)),
        ("variationId", .id(row.outcome.variationID)),
      ])
    }
    return .members([
      ("flag", .string(flagKey)), ("visitors", .count(visitors)), ("outcomes", .array(rows)),
      ("noExpectation", expectation.obstacle.map(JSONValue.string)),
    ])
  }
}
