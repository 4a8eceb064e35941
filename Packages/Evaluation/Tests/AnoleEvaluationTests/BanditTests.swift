// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

struct BanditCase: Sendable, CustomTestStringConvertible {
  let name: String
  let scores: [Int64: Double]
  let answer: String
  let candidates: [Int64]
  init(_ name: String, _ scores: [Int64: Double], _ answer: String, candidates: [Int64]) {
    self.name = name
    self.scores = scores
    self.answer = answer
    self.candidates = candidates
  }
  var testDescription: String { name }
}

/// Section 3.7 for visitor2, whose hash of experiment 101 is 0.2324 (Python's hashlib).
///
/// The split is 14, 12, 13, 11 and serves 14 without scores.
private let banditCases: [BanditCase] = [
  BanditCase("no scores", [:], "on 14/101 experiment [1 served]", candidates: []),
  BanditCase(
    "the best score wins, whatever its exposition", [11: 1, 12: 3, 13: 2],
    "a 12/101 bandit [1 served]", candidates: [12]),
  BanditCase(
    "scores may be negative", [11: -3, 13: -1], "b 13/101 bandit [1 served]", candidates: [13]),
  BanditCase(
    "a tie of two is parted in split order: floor(0.2324 × 2) is 0", [11: 5, 13: 5, 14: 1],
    "b 13/101 bandit [1 served]", candidates: [13, 11]),
  BanditCase(
    "a tie of four: floor(0.2324 × 4) is 0", [11: 5, 12: 5, 13: 5, 14: 5],
    "on 14/101 bandit [1 served]", candidates: [14, 12, 13, 11]),
  BanditCase(
    "a group that does not intersect the split is passed over", [404: 9, 405: 8, 12: 1],
    "a 12/101 bandit [1 served]", candidates: [12]),
  BanditCase(
    "of the best group only what is in the split counts", [404: 9, 13: 9, 12: 1],
    "b 13/101 bandit [1 served]", candidates: [13]),
  BanditCase(
    "no group intersects the split: normal processing", [404: 9, 405: 8],
    "on 14/101 experiment [1 served]", candidates: []),
]

@Suite("Contextual bandit scores")
struct BanditTests {
  private static let entries = [
    FileText.entry("on", 14, 0.9), FileText.entry("a", 12, 0.1), FileText.entry("b", 13, 0),
    FileText.entry("off", 11, 0),
  ]

  private static func rule(_ type: String, exposition: Double = 1) -> RuleText {
    FileText.rule(1, type: type, exposition: exposition, entries.joined(separator: ","))
  }

  private static func visitor(
    _ code: String, _ rule: RuleText, scores: [Int64: [Int64: Double]],
    configuration: String = "{}"
  ) throws -> TestVisitor {
    let snapshot = try FileText.snapshot(
      FileText.flag(rule), segments: RuleTests.segments, configuration: configuration)
    return TestVisitor(code, of: snapshot, [.banditScores(BanditScores(scores))])
  }

  @Test("the best scored variations of the split are served", arguments: banditCases)
  func scores(_ row: BanditCase) throws {
    let visitor = try Self.visitor(
      "visitor2", Self.rule("EXPERIMENTATION"), scores: [101: row.scores])
    #expect(visitor.answer() == row.answer)
    #expect(try visitor.explain("flag").rules.first?.banditCandidates == row.candidates)
  }

  @Test("ties are parted by the variation hash with respool time")
  func respoolTime() throws {
    // Section 2.3: visitor1, id 102374: 0.2684 without, 0.3587 with respool time. Of three, the
    // first is up to 0.3333.
    for (time, served) in [(nil, "on"), (1_735_689_600_000, "a")] as [(Int?, String)] {
      let rule = FileText.rule(
        1, experiment: 102_374, respoolTime: time, Self.entries.joined(separator: ","))
      let visitor = try Self.visitor(
        "visitor1", rule, scores: [102_374: [12: 4, 13: 4, 14: 4]])
      let decision = try visitor.decide("flag")
      #expect(decision.variationKey == served && decision.reason == .bandit)
    }
  }

  @Test("rules of every type ask for scores, deliveries too")
  func types() throws {
    for type in ["EXPERIMENTATION", "TARGETED_DELIVERY", "SOMETHING_ELSE"] {
      let visitor = try Self.visitor("visitor1", Self.rule(type), scores: [101: [13: 1]])
      #expect(visitor.answer() == "b 13/101 bandit [1 served]")
    }
  }

  @Test("a visitor who is not admitted gets nothing of them")
  func admission() throws {
    let visitor = try Self.visitor(
      "visitor2", Self.rule("EXPERIMENTATION", exposition: 0.2), scores: [101: [13: 1]])
    #expect(visitor.answer() == "off noRuleApplied [1 notAdmitted]")
  }

  @Test("refused consent blocks an experiment before its scores, and no delivery")
  func consent() throws {
    let configuration = FileText.consent("PARTIALLY_BLOCK")
    var visitor = try Self.visitor(
      "visitor1", Self.rule("EXPERIMENTATION"), scores: [101: [13: 1]],
      configuration: configuration)
    visitor.record.setLegalConsent(false)
    #expect(visitor.answer() == "off consentRefused [1 blockedByConsent]")
    var other = try Self.visitor(
      "visitor1", Self.rule("TARGETED_DELIVERY"), scores: [101: [13: 1]],
      configuration: configuration)
    other.record.setLegalConsent(false)
    #expect(other.answer() == "b 13/101 bandit [1 served]")
  }

  @Test("scores of another experiment do not count")
  func otherExperiment() throws {
    let visitor = try Self.visitor(
      "visitor2", Self.rule("EXPERIMENTATION"), scores: [102: [13: 1]])
    #expect(visitor.answer() == "on 14/101 experiment [1 served]")
  }

  @Test("a bandit outcome is saved and tracked")
  func saved() throws {
    var visitor = try Self.visitor(
      "visitor2", Self.rule("EXPERIMENTATION"), scores: [101: [13: 1]])
    try visitor.evaluate("flag")
    #expect(visitor.saved == ["101→13"] && visitor.pending == ["101→13"])
  }
}
