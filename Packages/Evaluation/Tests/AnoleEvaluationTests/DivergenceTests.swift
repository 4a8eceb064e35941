// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

private let onEntry = FileText.entry("on", 11)
private let served = "on 11/101 experiment [1 served]"

/// Section 8.1: what the reference does and a client should not copy; one test a number.
@Suite("8.1, behaviour that is not copied")
struct UncopiedBehaviourTests {
  @Test("1: bucketing index 0 counts")
  func indexZero() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(bucketing: 700, FileText.rule(1, onEntry)),
      customData: "{\"id\":700,\"index\":0}")
    let visitor = TestVisitor("v", of: snapshot, [.customData(index: 0, values: ["acme"])])
    #expect(try visitor.explain("flag").hashKey == "acme")
  }

  @Test("2: track counts for the holdout assignment")
  func holdoutTrack() throws {
    let snapshot = try FileText.snapshot(FileText.flag(), holdout: FileText.holdout(in: 1))
    var visitor = TestVisitor("visitor1", of: snapshot)
    try visitor.evaluate("flag", isTracked: false)
    #expect(visitor.saved == ["900→9001"] && visitor.pending.isEmpty)
  }

  @Test("3: the numbers 1 and 0 of a list are not true and false; text is no list")
  func amongNumbers() throws {
    #expect(try isTargeted(customDatum("AMONG_VALUES", #""[1,0]""#), datum("1")))
    #expect(try !isTargeted(customDatum("AMONG_VALUES", #""[1,0]""#), datum("true")))
    #expect(try isTargeted(customDatum("AMONG_VALUES", #""[true]""#), datum("true")))
    #expect(try !isTargeted(customDatum("AMONG_VALUES", #""\"abc\"""#), datum("a")))
    #expect(try !isTargeted(customDatum("AMONG_VALUES", #""{\"a\":1}""#), datum("a")))
  }

  @Test("4: an unreadable value is passed over")
  func unreadableValue() throws {
    #expect(try isTargeted(customDatum("GREATER", "\"5\""), datum("many", "6")))
  }

  @Test("5: UNDEFINED is true for a visitor without any data")
  func undefined() throws {
    #expect(try isTargeted(customDatum("UNDEFINED")))
    #expect(try !isTargeted(customDatum("UNDEFINED"), datum("")))
  }

  @Test("6: the holdout's assignment is no other experiment to EXCLUSIVE_EXPERIMENT")
  func exclusiveWithHoldout() throws {
    let condition = FileText.condition("EXCLUSIVE_EXPERIMENT", "\"campaignType\":\"EXPERIMENT\"")
    let snapshot = try FileText.snapshot(
      FileText.flag("first"), FileText.flag(FileText.rule(1, segment: 5, onEntry)),
      segments: FileText.segment(5, condition),
      holdout: FileText.holdout(in: 0, FileText.entry("out", 9002)))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.evaluateAll() == ["first=off", "flag=on"])
    #expect(visitor.saved == ["101→11", "900→9002"])
  }

  @Test("7: a silent evaluation keeps a waiting exposure")
  func pendingExposure() throws {
    var visitor = TestVisitor(
      "visitor1", of: try FileText.snapshot(FileText.flag(FileText.rule(1, onEntry))))
    try visitor.evaluate("flag")
    try visitor.evaluate("flag", isTracked: false)
    #expect(visitor.pending == ["101→11"])
  }

  @Test("8: segments that refer to each other end; a segment being evaluated is false")
  func recursion() throws {
    func reference(_ id: Int, isInclude: Bool = true) -> String {
      FileText.condition("SEGMENT", "\"segmentId\":\(id)", isInclude: isInclude)
    }
    #expect(try !isTargeted(reference(5)))
    #expect(try isTargeted(reference(5, isInclude: false)))
    #expect(
      try !isTargeted(
        reference(6), segments: FileText.segment(6, reference(7)),
        FileText.segment(7, reference(6))))
  }

  @Test("9: a missing operator is AND")
  func missingOperator() throws {
    let yes = customDatum("EXACT", "\"yes\"")
    let no = customDatum("EXACT", "\"no\"")
    for (conditions, expected) in [("\(yes),\(no)", false), ("\(yes),\(yes)", true)] {
      let snapshot = try FileText.snapshot(
        FileText.flag(FileText.rule(1, segment: 5, onEntry)),
        segments:
          "{\"id\":5,\"conditionsData\":{\"firstLevel\":[{\"conditions\":[\(conditions)]}]}}")
      let visitor = TestVisitor("visitor1", of: snapshot, datum("yes"))
      #expect((visitor.answer() == served) == expected)
    }
  }

  @Test("12: a variable of unknown type has its raw value")
  func unknownVariableType() throws {
    let snapshot = try FileText.snapshot(
      text: """
        {"featureFlags":[{"featureKey":"flag","environmentEnabled":true,"variations":[{"key":"on",
          "variables":[{"key":"x","type":"COLOUR","value":"red"},{"key":"y","value":[1]}]}]}]}
        """)
    let variation = try snapshot.variation("on", ofFlag: "flag")
    #expect(variation.variable("x")?.value == .string("red"))
    #expect(variation.variable("y")?.value == .json([1]))
  }

  @Test("13: signs, spaces and underscores make a version unreadable; nan and inf are no numbers")
  func numberTexts() throws {
    let condition = FileText.condition(
      "APPLICATION_VERSION", "\"version\":\"1.2\",\"versionMatchType\":\"EQUAL\"")
    #expect(try isTargeted(condition, [.applicationVersion("1.2.0")]))
    for text in ["+1.2", " 1.2", "1_0.2", "1.2 "] {
      #expect(try !isTargeted(condition, [.applicationVersion(text)]), "\(text)")
    }
    for text in ["nan", "inf", "1_000", "0x10"] {
      #expect(try !isTargeted(customDatum("GREATER", "\"0\""), datum(text)), "\(text)")
    }
  }

  @Test("14: a resulting key that the flag lacks is kept")
  func missingKey() throws {
    let visitor = TestVisitor(
      "visitor1", of: try FileText.snapshot(FileText.flag("x", default: "y")))
    #expect(visitor.snapshot.variation(of: try visitor.decide("x")).key == "y")
  }
}

/// Section 8.2; one test a row, named by it.
///
/// Rows about the surface of the SDK are left out.
@Suite("8.2, the choices where SDKs differ")
struct ChoiceTests {
  @Test("digest to number: 64 bits")
  func digest() throws {
    // Section 2.3: the digest begins with 44b85556b3ff4876; 32 bits of it would be admitted.
    let truncated = Double(0x44B8_5556 as UInt32) / 4_294_967_296
    for (exposition, isAdmitted) in [(truncated, false), (0.26843770376944776, true)] {
      let rule = FileText.rule(102_374, exposition: exposition, onEntry)
      let visitor = TestVisitor("visitor1", of: try FileText.snapshot(FileText.flag(rule)))
      #expect(try visitor.decide("flag").isActive == isAdmitted)
    }
  }

  @Test("respool 0: ignored")
  func respoolZero() throws {
    let rule = FileText.rule(1, respoolTime: 0, onEntry)
    let visitor = TestVisitor("visitor1", of: try FileText.snapshot(FileText.flag(rule)))
    #expect(try visitor.explain("flag").rules.first?.admission?.input == "visitor11")
  }

  @Test("unknown condition: false, negated if excluded")
  func unknownCondition() throws {
    #expect(try !isTargeted(FileText.condition("DAY_OF_WEEK", "\"days\":[1]")))
    #expect(try isTargeted(FileText.condition("DAY_OF_WEEK", isInclude: false)))
    #expect(try !isTargeted("{}"))
  }

  @Test("isInclude on assignment-based conditions: honoured")
  func isInclude() throws {
    let conditions = [
      ("TARGET_EXPERIMENT", "\"experimentId\":7,\"variationMatchType\":\"ANY\""),
      ("TARGET_FEATURE_FLAG", "\"featureFlagId\":1"),
      ("TARGET_PERSONALIZATION", "\"personalizationId\":7"),
    ]
    for (type, members) in conditions {
      #expect(try !isTargeted(FileText.condition(type, members)), "\(type)")
      #expect(try isTargeted(FileText.condition(type, members, isInclude: false)), "\(type)")
    }
    let exclusive = "\"campaignType\":\"ANY\""
    #expect(try isTargeted(FileText.condition("EXCLUSIVE_EXPERIMENT", exclusive)))
    #expect(
      try !isTargeted(FileText.condition("EXCLUSIVE_EXPERIMENT", exclusive, isInclude: false)))
  }

  @Test("regular expressions: the whole value")
  func wholeValue() throws {
    #expect(try isTargeted(customDatum("REGULAR_EXPRESSION", "\"go.d\""), datum("gold")))
    #expect(try !isTargeted(customDatum("REGULAR_EXPRESSION", "\"go.d\""), datum("golden")))
    #expect(try !isTargeted(customDatum("REGULAR_EXPRESSION", "\"a|ab\""), datum("abc")))
  }

  @Test("EQUAL on custom data: tolerance 1e-9")
  func tolerance() throws {
    #expect(try isTargeted(customDatum("EQUAL", "\"0.3\""), datum("0.30000000000000004")))
    #expect(try !isTargeted(customDatum("EQUAL", "\"0.3\""), datum("0.30000001")))
  }

  @Test("TRUE and FALSE: exact text")
  func booleans() throws {
    #expect(try isTargeted(customDatum("TRUE"), datum("true")))
    #expect(try isTargeted(customDatum("FALSE"), datum("false")))
    for text in ["True", "TRUE", "1", "yes", " true"] {
      #expect(try !isTargeted(customDatum("TRUE"), datum(text)), "\(text)")
    }
  }

  @Test("unreadable numbers among several values: skipped")
  func unreadableNumbers() throws {
    #expect(try isTargeted(customDatum("LOWER", "\"5\""), datum("", "x", "4")))
    #expect(try !isTargeted(customDatum("LOWER", "\"5\""), datum("", "x", "4 apples")))
  }

  @Test("visit scopes: honoured")
  func visitScopes() throws {
    let data: [VisitorDatum] = [
      .visits([Visit(start: Self.time(1000), lastActivity: Self.time(1000))]),
      .conversion(Conversion(goalID: 3, time: Self.time(1500))),
    ]
    let goal = "\"goalId\":3"
    #expect(try isTargeted(FileText.condition("CONVERSIONS", goal), data))
    #expect(
      try !isTargeted(
        FileText.condition("CONVERSIONS", "\(goal),\"visitScope\":\"CURRENT_VISIT\""), data))
  }

  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds)
  }

  @Test("environment check and simulation: simulation first")
  func simulationFirst() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(isEnabled: false, FileText.rule(1, onEntry)))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.simulate([
      SimulatedVariation(featureKey: "flag", experimentID: 101, variationID: 11)
    ])
    #expect(visitor.answer() == "on 11/101 simulated []")
  }

  @Test("holdout assignment and track: honoured")
  func holdoutTrack() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(), holdout: FileText.holdout(in: 0, FileText.entry("out", 9002)))
    var visitor = TestVisitor("visitor1", of: snapshot)
    try visitor.evaluateAll(.silent)
    #expect(visitor.saved == ["900→9002"] && visitor.pending.isEmpty)
  }

  @Test("empty split in a delivery rule: the end, default")
  func emptyDelivery() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.delivery(2), FileText.rule(1, onEntry)))
    #expect(
      TestVisitor("visitor1", of: snapshot).answer() == "off notDelivered [2 emptyDelivery]")
  }

  @Test("holdout null: none")
  func holdoutNull() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, onEntry)), holdout: "null")
    #expect(snapshot.dataFile.holdout == nil)
    #expect(TestVisitor("visitor1", of: snapshot).answer() == served)
  }

  @Test("rule lookup for duplicate experiment ids: the last")
  func duplicateExperiments() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(
        FileText.rule(1, experiment: 7, FileText.entry("on", 1)),
        FileText.rule(2, experiment: 7, FileText.entry("a", 2))))
    #expect(throws: EvaluationError.variationNotFound(variationKey: "on")) {
      try snapshot.forcedVariation(experimentID: 7, variationKey: "on")
    }
    #expect(try snapshot.forcedVariation(experimentID: 7, variationKey: "a").entry.variationID == 2)
  }

  @Test("visitor code length: scalars")
  func codeLength() throws {
    let snapshot = try FileText.snapshot(FileText.flag())
    for (count, isValid) in [(255, true), (256, false)] {
      let code = String(repeating: "語", count: count)
      #expect((TestVisitor(code, of: snapshot).answer() == "off noRuleApplied []") == isValid)
    }
  }

  @Test("empty segment through SEGMENT: true")
  func emptySegment() throws {
    let reference = FileText.condition("SEGMENT", "\"segmentId\":6")
    #expect(try isTargeted(reference, segments: "{\"id\":6}"))
    #expect(
      try isTargeted(reference, segments: "{\"id\":6,\"conditionsData\":{\"firstLevel\":[]}}"))
    #expect(try !isTargeted(reference), "an unknown one is false")
  }

  @Test("geolocation case folding: lower-casing of Unicode")
  func caseFolding() throws {
    let condition = FileText.condition("GEOLOCATION", "\"country\":\"ÎLE\"")
    #expect(try isTargeted(condition, [.geolocation(Geolocation(country: "île"))]))
    #expect(try !isTargeted(condition, [.geolocation(Geolocation(country: "ile"))]))
  }

  @Test("pre-release versions: cut off")
  func preRelease() throws {
    let condition = FileText.condition(
      "APPLICATION_VERSION", "\"version\":\"2.0\",\"versionMatchType\":\"EQUAL\"")
    #expect(try isTargeted(condition, [.applicationVersion("2.0.0-beta.1+7")]))
  }

  @Test("absent ids on the default variation: absent, for the surface to report as -1")
  func absentIDs() throws {
    let visitor = TestVisitor("visitor1", of: try FileText.snapshot(FileText.flag()))
    let decision = try visitor.decide("flag")
    #expect(decision.variationID == nil && decision.experimentID == nil && decision.ruleID == nil)
  }
}
