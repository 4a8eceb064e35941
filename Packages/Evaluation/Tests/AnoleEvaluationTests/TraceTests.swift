// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleModelsTesting
import AnoleTargeting
import Foundation
import Testing

@Suite("Traces")
struct TraceTests {
  private static let onEntry = FileText.entry("on", 11)

  private static func visitor(
    _ condition: String, _ data: [VisitorDatum] = []
  ) throws -> TestVisitor {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, segment: 5, onEntry)),
      segments: FileText.segment(5, condition))
    return TestVisitor("visitor1", of: snapshot, data)
  }

  private static func note(_ visitor: TestVisitor) throws -> String? {
    let trace = try visitor.explain("flag")
    return trace.rules.first?.segment?.groups.first?.conditions.first?.note
  }

  @Test("a condition on data the visitor lacks says attribute missing")
  func missing() throws {
    let condition = FileText.datum(7, "gold")
    #expect(try Self.note(Self.visitor(condition)) == "attribute missing")
    #expect(
      try Self.note(Self.visitor(condition, [.customData(index: 7, values: [])]))
        == "attribute missing")
    #expect(try Self.note(Self.visitor(condition, [.customData(index: 7, values: [""])])) == nil)
    let text = try Self.visitor(condition).explain("flag").description
    #expect(text.contains("no match (attribute missing)"))
  }

  @Test("an invalid pattern says why it never matches")
  func invalidPattern() throws {
    let condition = FileText.condition(
      "CUSTOM_DATUM",
      #""customDataIndex":"1","valueMatchType":"REGULAR_EXPRESSION","value":"(unclosed""#)
    let visitor = try Self.visitor(condition, [.customData(index: 1, values: ["(unclosed"])])
    #expect(visitor.answer() == "off noRuleApplied [1 notTargeted]")
    #expect(try Self.note(visitor)?.contains("regular expression") == true)
    #expect(visitor.snapshot.diagnostics.contains { $0.message.contains("regular expression") })
  }

  @Test("an unknown condition type is named")
  func unknownType() throws {
    let visitor = try Self.visitor(FileText.condition("MOON_PHASE"))
    #expect(try Self.note(visitor)?.contains("\"MOON_PHASE\"") == true)
  }

  @Test("a failed evaluation tells its failure and no outcome")
  func failure() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("disabled", isEnabled: false),
      FileText.flag("blocked", FileText.rule(1, Self.onEntry)),
      configuration: FileText.consent("FULLY_BLOCK"))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.setLegalConsent(false)
    let disabled = try visitor.explain("disabled")
    #expect(disabled.outcome == nil && !disabled.isEnvironmentEnabled)
    #expect(
      disabled.description == """
        flag "disabled" for visitor "visitor1"
          hash key: "" (the visitor code)
          consent: required, refused; a refusal blocks fully
          environment: disabled
          failed: the flag "disabled" is switched off in this environment; switch it on to evaluate it
        """)
    let blocked = try visitor.explain("blocked")
    #expect(blocked.outcome == nil && blocked.rules.first?.outcome == .blockedByConsent)
    #expect(
      blocked.failure == EvaluationError.blockedByConsent(featureKey: "blocked").description)
  }

  @Test("bandit scores, groups of one and exhausted splits are told")
  func otherSteps() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(
        group: "alone", FileText.rule(2, FileText.entry("b", 21, 0)),
        FileText.rule(1, Self.onEntry, FileText.entry("a", 12, 0))))
    let visitor = TestVisitor(
      "visitor1", of: snapshot, [.banditScores(BanditScores([101: [11: 2, 12: 2]]))])
    #expect(
      try visitor.explain("flag").description == """
        flag "flag" for visitor "visitor1"
          hash key: "visitor1" (the visitor code)
          consent: not required
          environment: enabled
          group "alone" (flag): a single member: "flag" may be evaluated
          rule 2 (EXPERIMENTATION, experiment 102): no entry of the split, next rule
            admission: hash of "visitor12" = 0.8247182433989418 ≤ exposition 1.0
            choice: hash of "visitor1102" = 0.8629141115462382
                up to 0.0: b (21)
          rule 1 (EXPERIMENTATION, experiment 101): served
            admission: hash of "visitor11" = 0.16390229071272303 ≤ exposition 1.0
            bandit: best scored variations 11, 12
            choice: hash of "visitor1101" = 0.020746815858142916
          result: "on" (variation 11, experiment 101): contextual bandit scores
        """)
  }

  @Test("every reason has a sentence of its own")
  func sentences() {
    let reasons: [Decision.Reason] = [
      .experiment, .targetedDelivery, .bandit, .forced, .simulated, .inHoldout, .excludedByGroup,
      .notDelivered, .consentRefused, .noRuleApplied,
    ]
    #expect(Set(reasons.map(\.sentence)).count == reasons.count)
  }

  @Test("the JSON of a trace has every step; what was not reached is null or an empty list")
  func document() throws {
    let served = try Self.visitor(
      FileText.datum(7, "gold"), [.customData(index: 7, values: ["gold"])]
    ).explain("flag").document
    #expect(served["flag"] == "flag" && served["visitor"] == "visitor1")
    #expect(served["hashKey"] == "visitor1" && served["hashKeySource"] == "visitorCode")
    #expect(served["holdout"] == .null && served["group"] == .null && served["failure"] == .null)
    let rule = try #require(served["rules"]?[0])
    #expect(rule["segment"]?["match"] == true)
    #expect(rule["segment"]?["groups"]?[0]?["conditions"]?[0]?["match"] == true)
    #expect(rule["admission"]?["input"]?.stringValue?.hasPrefix("visitor1") == true)
    #expect(rule["ranges"]?[0]?["variation"] == "on" && rule["ranges"]?[0]?["chosen"] == true)
    #expect(rule["outcome"] == "served")
    #expect(served["outcome"]?["variation"] == "on")
    let missed = try Self.visitor(FileText.datum(7, "gold")).explain("flag").document
    #expect(missed["rules"]?[0]?["choice"] == .null && missed["rules"]?[0]?["ranges"] == [])
    #expect(try JSONValue(parsing: missed.text()) == missed)
  }
}

/// Random visitors of the data files of the golden vectors.
@Suite("Explaining and deciding")
struct TraceAgreementTests {
  private static let visitorsPerFile = 40

  @Test("they agree for random visitors", arguments: Repository.dataFileNames)
  func agree(_ name: String) throws {
    let seed = name.utf8.reduce(into: UInt64(7)) { $0 = $0 &* 31 &+ UInt64($1) }
    var generator = SeededGenerator(seed: seed)
    let file = try DataFile(parsing: try Repository.dataFile(name))
    let snapshot = Snapshot(file, sdk: FileText.sdk)
    try #require(snapshot.flagCount > 0)
    for number in 0..<Self.visitorsPerFile {
      let visitor = RandomVisitor.make("\(name)-\(number)", of: snapshot, using: &generator)
      for key in snapshot.featureKeys {
        let answer = visitor.answer(key)
        #expect(!answer.hasPrefix("decide and explain disagree"), "\(answer)")
        let trace = try visitor.explain(key)
        check(trace, snapshot)
        let decided = Result { () throws(EvaluationError) in try visitor.decide(key) }
        let both = Result { () throws(EvaluationError) in
          try snapshot.decideExplaining(
            key, visitorCode: visitor.code, record: visitor.record, at: visitor.moment)
        }
        #expect(both.map(\.decision) == decided)
        if case .success(let both) = both { #expect(both.trace == trace) }
        if number.isMultiple(of: 4) { try checkCoding(trace) }
      }
    }
  }

  @Test("the data files give at least 3,000 decisions")
  func enough() throws {
    let flags = try Repository.dataFileNames.map { name in
      Snapshot(try DataFile(parsing: try Repository.dataFile(name)), sdk: FileText.sdk).flagCount
    }
    #expect(flags.reduce(0, +) * Self.visitorsPerFile >= 3_000)
  }

  private func check(_ trace: DecisionTrace, _ snapshot: Snapshot) {
    for rule in trace.rules {
      #expect((rule.outcome == .notTargeted) == (rule.segment?.isMatch == false))
      #expect(rule.ranges.filter(\.isChosen).count <= 1)
    }
    for rule in trace.rules.dropLast() {
      #expect(
        [.notTargeted, .notAdmitted, .splitExhausted].contains(rule.outcome),
        "a rule that ends the walk must be the last: \(trace)")
    }
    #expect((trace.rules.last?.outcome == .served) == (trace.outcome?.isOfARule ?? false))
    #expect(trace.description.split(separator: "\n").count >= 4)
  }

  private func checkCoding(_ trace: DecisionTrace) throws {
    let data = try JSONEncoder().encode(trace)
    #expect(try JSONDecoder().decode(DecisionTrace.self, from: data) == trace)
  }
}

extension DecisionTrace.Outcome {
  /// Whether a rule of the flag led to it.
  fileprivate var isOfARule: Bool { reason != .simulated && experimentID != nil }
}
