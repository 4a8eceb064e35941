// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

struct RuleCase: Sendable, CustomTestStringConvertible {
  let name: String
  let rules: [RuleText]
  let first: String
  let second: String
  init(_ name: String, _ rules: [RuleText], visitor1: String, visitor2: String) {
    self.name = name
    self.rules = rules
    first = visitor1
    second = visitor2
  }
  var testDescription: String { name }
}

private let onEntry = FileText.entry("on", 11)
private let aEntry = FileText.entry("a", 21)
private let bEntry = FileText.entry("b", 31)

/// Section 3.5. Hash values computed with Python's hashlib:
///
/// | | rule 1 | rule 2 | experiment 101 | experiment 102 |
/// | --- | --- | --- | --- | --- |
/// | visitor1 | 0.1639 | 0.8247 | 0.0207 | 0.8629 |
/// | visitor2 | 0.2898 | 0.6236 | 0.2324 | 0.3444 |
private let ruleCases: [RuleCase] = [
  RuleCase("no rules", [], visitor1: "off noRuleApplied []", visitor2: "off noRuleApplied []"),
  RuleCase(
    "an experiment that does not admit lets later rules have a try",
    [FileText.rule(1, exposition: 0.2, onEntry), FileText.rule(2, aEntry)],
    visitor1: "on 11/101 experiment [1 served]",
    visitor2: "a 21/102 experiment [1 notAdmitted, 2 served]"),
  RuleCase(
    "a delivery that does not admit ends the evaluation",
    [FileText.delivery(1, exposition: 0.2, onEntry), FileText.rule(2, aEntry)],
    visitor1: "on 11/101 targetedDelivery [1 served]",
    visitor2: "off notDelivered [1 notAdmitted]"),
  RuleCase(
    "a delivery that does not target lets later rules have a try",
    [FileText.delivery(1, segment: 5, onEntry), FileText.rule(2, aEntry)],
    visitor1: "a 21/102 experiment [1 notTargeted, 2 served]",
    visitor2: "a 21/102 experiment [1 notTargeted, 2 served]"),
  RuleCase(
    "a split that sums to less than 1 leaks the rest to later rules",
    [FileText.rule(1, FileText.entry("on", 11, 0.1)), FileText.rule(2, aEntry)],
    visitor1: "on 11/101 experiment [1 served]",
    visitor2: "a 21/102 experiment [1 splitExhausted, 2 served]"),
  RuleCase(
    "an experiment with an empty split leaks everybody",
    [FileText.rule(1), FileText.delivery(2, aEntry)],
    visitor1: "a 21/102 targetedDelivery [1 splitExhausted, 2 served]",
    visitor2: "a 21/102 targetedDelivery [1 splitExhausted, 2 served]"),
  RuleCase(
    "a delivery with an empty split ends the evaluation",
    [FileText.delivery(1), FileText.rule(2, aEntry)],
    visitor1: "off notDelivered [1 emptyDelivery]",
    visitor2: "off notDelivered [1 emptyDelivery]"),
  RuleCase(
    "a delivery serves the first entry whatever its exposition",
    [FileText.delivery(1, FileText.entry("a", 21, 0), bEntry)],
    visitor1: "a 21/101 targetedDelivery [1 served]",
    visitor2: "a 21/101 targetedDelivery [1 served]"),
  RuleCase(
    "an experiment walks the split in order",
    [FileText.rule(1, FileText.entry("a", 21, 0.1), FileText.entry("b", 31, 0.9))],
    visitor1: "a 21/101 experiment [1 served]", visitor2: "b 31/101 experiment [1 served]"),
  RuleCase(
    "a leading entry with exposition 0 is skipped",
    [FileText.rule(1, FileText.entry("a", 21, 0), bEntry)],
    visitor1: "b 31/101 experiment [1 served]", visitor2: "b 31/101 experiment [1 served]"),
  RuleCase(
    "exposition 0 admits nobody",
    [FileText.rule(1, exposition: 0, onEntry)],
    visitor1: "off noRuleApplied [1 notAdmitted]", visitor2: "off noRuleApplied [1 notAdmitted]"),
  RuleCase(
    "exposition is inclusive",
    [FileText.rule(1, exposition: 0.16390229071272303, onEntry)],
    visitor1: "on 11/101 experiment [1 served]", visitor2: "off noRuleApplied [1 notAdmitted]"),
  RuleCase(
    "a split's upper bound is inclusive",
    [
      FileText.rule(
        1, FileText.entry("a", 21, 0.020746815858142916), FileText.entry("b", 31, 0.9))
    ],
    visitor1: "a 21/101 experiment [1 served]", visitor2: "b 31/101 experiment [1 served]"),
  RuleCase(
    "a rule of unknown type goes on like an experiment",
    [FileText.rule(1, type: "HOLD_MY_TEA", exposition: 0.2, onEntry), FileText.rule(2, aEntry)],
    visitor1: "on 11/101 experiment [1 served]",
    visitor2: "a 21/102 experiment [1 notAdmitted, 2 served]"),
  RuleCase(
    "the order of the list decides, not the member order",
    [
      RuleText(
        #"{"id":2,"order":9,"type":"EXPERIMENTATION","experimentId":102,"exposition":1,"#
          + #""variationByExposition":[{"variationKey":"a","variationId":21,"exposition":1}]}"#),
      FileText.rule(1, onEntry),
    ],
    visitor1: "a 21/102 experiment [2 served]", visitor2: "a 21/102 experiment [2 served]"),
  RuleCase(
    "the first rule that yields something ends the walk",
    [FileText.rule(1, onEntry), FileText.rule(2, aEntry)],
    visitor1: "on 11/101 experiment [1 served]", visitor2: "on 11/101 experiment [1 served]"),
  RuleCase(
    "no rule applies in the end",
    [
      FileText.rule(1, exposition: 0, onEntry), FileText.rule(2, segment: 5, aEntry),
      FileText.rule(3),
    ],
    visitor1: "off noRuleApplied [1 notAdmitted, 2 notTargeted, 3 splitExhausted]",
    visitor2: "off noRuleApplied [1 notAdmitted, 2 notTargeted, 3 splitExhausted]"),
  RuleCase(
    "a rule with an unknown segment is open to everybody",
    [FileText.rule(1, segment: 404, onEntry)],
    visitor1: "on 11/101 experiment [1 served]", visitor2: "on 11/101 experiment [1 served]"),
]

@Suite("Rules")
struct RuleTests {
  static let segments = FileText.segment(5, FileText.datum(1, "yes"))

  @Test("the rules are walked as section 3.5 says", arguments: ruleCases)
  func walk(_ row: RuleCase) throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("flag", rules: row.rules), segments: Self.segments)
    #expect(TestVisitor("visitor1", of: snapshot).answer() == row.first)
    #expect(TestVisitor("visitor2", of: snapshot).answer() == row.second)
  }

  @Test("a respool time enters admission and choice; 0 and absence do not")
  func respoolTime() throws {
    // Section 2.3: visitor1, id 102374, without and with respool time.
    let expected: [(Int?, String, Double)] = [
      (nil, "", 0.26843770376944776), (0, "", 0.26843770376944776),
      (1_735_689_600_000, "1735689600000", 0.35869252311032856),
    ]
    for (time, suffix, value) in expected {
      let rule = FileText.rule(102_374, experiment: 102_374, respoolTime: time, onEntry)
      let visitor = TestVisitor("visitor1", of: try FileText.snapshot(FileText.flag(rule)))
      let trace = try visitor.explain("flag").rules.first
      #expect(trace?.admission?.input == "visitor1102374\(suffix)")
      #expect(trace?.admission?.value == value)
      #expect(trace?.choice?.value == value)
    }
  }

  @Test("the rule's experiment is the current campaign of its segment")
  func campaign() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, segment: 6, onEntry)),
      FileText.flag("other", FileText.rule(2, segment: 6, aEntry)),
      segments: FileText.segment(
        6, FileText.condition("EXCLUSIVE_EXPERIMENT", "\"campaignType\":\"EXPERIMENT\"")))
    var visitor = TestVisitor("visitor1", of: snapshot)
    try visitor.evaluate("flag")
    #expect(visitor.answer("flag") == "on 11/101 experiment [1 served]")
    #expect(visitor.answer("other") == "off noRuleApplied [2 notTargeted]")
  }

  @Test("saved assignments are never consulted: a changed split moves visitors")
  func stateless() throws {
    let before = try FileText.snapshot(FileText.flag(FileText.rule(1, onEntry)))
    var visitor = TestVisitor("visitor1", of: before)
    try visitor.evaluate("flag")
    let after = try FileText.snapshot(
      FileText.flag(FileText.rule(1, FileText.entry("a", 12), FileText.entry("on", 11, 0))))
    let decision = try after.decide(
      "flag", visitorCode: "visitor1", record: visitor.record, at: visitor.moment)
    #expect(decision.variationKey == "a" && decision.variationID == 12)
  }

  @Test("deciding twice gives the same and changes nothing")
  func pure() throws {
    let snapshot = try FileText.snapshot(FileText.flag(FileText.rule(1, onEntry)))
    let visitor = TestVisitor("visitor1", of: snapshot)
    let before = visitor.record
    #expect(try visitor.decide("flag") == visitor.decide("flag"))
    #expect(visitor.record == before)
  }
}

struct ConsentCase: Sendable, CustomTestStringConvertible {
  let behavior: String
  let isRequired: Bool
  let consent: Bool?
  let type: String
  let answer: String
  init(
    _ behavior: String, required: Bool = true, _ consent: Bool?, _ type: String, _ answer: String
  ) {
    self.behavior = behavior
    isRequired = required
    self.consent = consent
    self.type = type
    self.answer = answer
  }
  var testDescription: String {
    let state = consent.map { $0 ? "given" : "refused" } ?? "unknown"
    return "\(behavior), \(isRequired ? "required" : "not required"), \(state), \(type)"
  }
}

private let served = "on 11/101 experiment [1 served]"
private let delivered = "on 11/101 targetedDelivery [1 served]"
private let refused = "off consentRefused [1 blockedByConsent]"
private let blocked = EvaluationError.blockedByConsent(featureKey: "flag").description

private let consentCases: [ConsentCase] = [
  ConsentCase("PARTIALLY_BLOCK", nil, "EXPERIMENTATION", served),
  ConsentCase("PARTIALLY_BLOCK", true, "EXPERIMENTATION", served),
  ConsentCase("PARTIALLY_BLOCK", false, "EXPERIMENTATION", refused),
  ConsentCase("PARTIALLY_BLOCK", false, "TARGETED_DELIVERY", delivered),
  ConsentCase("PARTIALLY_BLOCK", false, "SOMETHING_ELSE", served),
  ConsentCase("PARTIALLY_BLOCK", required: false, false, "EXPERIMENTATION", served),
  ConsentCase("FULLY_BLOCK", nil, "EXPERIMENTATION", served),
  ConsentCase("FULLY_BLOCK", true, "EXPERIMENTATION", served),
  ConsentCase("FULLY_BLOCK", false, "EXPERIMENTATION", blocked),
  ConsentCase("FULLY_BLOCK", false, "TARGETED_DELIVERY", delivered),
  ConsentCase("FULLY_BLOCK", false, "SOMETHING_ELSE", served),
  ConsentCase("FULLY_BLOCK", required: false, false, "EXPERIMENTATION", served),
  ConsentCase("UNKNOWN_LITERAL", false, "EXPERIMENTATION", refused),
]

@Suite("Consent")
struct ConsentTests {
  @Test("only a refusal that matters blocks, and only experiments", arguments: consentCases)
  func states(_ row: ConsentCase) throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, type: row.type, onEntry)),
      configuration: FileText.consent(required: row.isRequired, row.behavior))
    var visitor = TestVisitor("visitor1", of: snapshot)
    if let consent = row.consent { visitor.record.setLegalConsent(consent) }
    #expect(visitor.answer() == row.answer)
  }

  @Test("a refusal stops at the first experiment that admits, not before")
  func afterAdmission() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(
        FileText.rule(1, exposition: 0.2, onEntry), FileText.delivery(2, aEntry)),
      configuration: FileText.consent("PARTIALLY_BLOCK"))
    var first = TestVisitor("visitor1", of: snapshot)
    first.record.setLegalConsent(false)
    #expect(first.answer() == "off consentRefused [1 blockedByConsent]")
    var second = TestVisitor("visitor2", of: snapshot)
    second.record.setLegalConsent(false)
    #expect(second.answer() == "a 21/102 targetedDelivery [1 notAdmitted, 2 served]")
  }

  @Test("a full block leaves the flag out of all flags and saves nothing for it")
  func allFlags() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("experiment", FileText.rule(1, onEntry)),
      FileText.flag("delivery", FileText.delivery(2, aEntry)),
      configuration: FileText.consent("FULLY_BLOCK"))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.setLegalConsent(false)
    #expect(try visitor.evaluateAll() == ["delivery=a"])
    #expect(visitor.saved == ["102→21"])
  }

  @Test("a refusal does not touch forced variations")
  func forced() throws {
    for behavior in ["PARTIALLY_BLOCK", "FULLY_BLOCK"] {
      for isTargetingForced in [true, false] {
        let snapshot = try FileText.snapshot(
          FileText.flag(FileText.rule(1, onEntry)), configuration: FileText.consent(behavior))
        var visitor = TestVisitor("visitor1", of: snapshot)
        visitor.record.setLegalConsent(false)
        try visitor.force(101, "on", isTargetingForced: isTargetingForced)
        #expect(visitor.answer() == "on 11/101 forced [1 served]")
      }
    }
  }
}
