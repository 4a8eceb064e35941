// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

/// A row of the table of section 1.10.
struct WorkedCase: Sendable, CustomTestStringConvertible {
  let visitor: String
  let data: [VisitorDatum]
  /// The answers for `new_checkout`, `team_inbox`, `promo_a` and `promo_b`.
  let answers: [String]
  let saved: [String]
  let audiences: [Int64]
  init(
    _ visitor: String, _ data: [VisitorDatum] = [], answers: [String], saved: [String],
    audiences: [Int64] = []
  ) {
    self.visitor = visitor
    self.data = data
    self.answers = answers
    self.saved = saved
    self.audiences = audiences
  }
  var testDescription: String { "\(visitor) with \(data.count) data" }
}

private let excluded = "off excludedByGroup []"
private let withheld = "off inHoldout []"
private let radiaInbox = "off 990121/300103 experiment [6003 served]"

private let workedCases: [WorkedCase] = [
  WorkedCase(
    "grace-hopper",
    answers: [
      "one_page 990112/300102 experiment [6001 notTargeted, 6002 served]",
      "off 990121/300103 experiment [6003 served]", excluded,
      "on 990141/300105 targetedDelivery [6005 served]",
    ],
    saved: ["300102→990112", "300103→990121", "300105→990141", "300900→990002"]),
  WorkedCase(
    "ada-lovelace",
    answers: [
      "off 990111/300102 experiment [6001 notTargeted, 6002 served]",
      "off 990121/300103 experiment [6003 served]", excluded,
      "on 990141/300105 targetedDelivery [6005 served]",
    ],
    saved: ["300102→990111", "300103→990121", "300105→990141", "300900→990002"]),
  WorkedCase(
    "alan-turing",
    answers: [
      "off noRuleApplied [6001 notTargeted, 6002 notAdmitted]",
      "on 990122/300103 experiment [6003 served]", "off noRuleApplied [6004 notTargeted]",
      excluded,
    ],
    saved: ["300103→990122", "300900→990002"]),
  WorkedCase(
    "radia",
    [
      .namedCustomData(name: "plan", values: ["pro"]),
      .geolocation(Geolocation(country: "FRANCE")),
    ],
    answers: [
      "one_page 990101/300101 targetedDelivery [6001 served]", radiaInbox,
      "on 990131/300104 targetedDelivery [6004 served]", excluded,
    ],
    saved: ["300101→990101", "300103→990121", "300104→990131", "300900→990002"],
    audiences: [8001]),
  WorkedCase(
    "radia",
    [
      .customData(index: 1, values: ["pro"]), .customData(index: 4, values: ["true"]),
      .device(.tablet),
    ],
    answers: [
      "off noRuleApplied [6001 notTargeted, 6002 notAdmitted]", radiaInbox,
      "on 990131/300104 targetedDelivery [6004 served]", excluded,
    ],
    saved: ["300103→990121", "300104→990131", "300900→990002"]),
  WorkedCase(
    "visitor-52", [.customData(index: 1, values: ["pro"])],
    answers: [withheld, withheld, withheld, withheld],
    saved: ["300900→990001"], audiences: [8001]),
]

/// The data file and the results are those of section 1.10 of the evaluation specification.
@Suite("Worked example")
struct WorkedExampleTests {
  private let snapshot: Snapshot

  init() throws {
    let file = try DataFile.read(try Repository.fixture("worked-example"))
    try #require(file.diagnostics.isEmpty)
    snapshot = Snapshot(file.dataFile, sdk: FileText.sdk)
    try #require(snapshot.diagnostics.isEmpty)
  }

  private static let flags = ["new_checkout", "team_inbox", "promo_a", "promo_b"]

  @Test("every visitor gets the variations of the table, for its reasons", arguments: workedCases)
  func answers(_ row: WorkedCase) {
    let visitor = TestVisitor(row.visitor, of: snapshot, row.data)
    #expect(Self.flags.map { visitor.answer($0) } == row.answers)
  }

  @Test("flag by flag, the assignments of the table are saved", arguments: workedCases)
  func savedOneByOne(_ row: WorkedCase) throws {
    var visitor = TestVisitor(row.visitor, of: snapshot, row.data)
    for flag in Self.flags { try visitor.evaluate(flag) }
    #expect(visitor.saved == row.saved)
    #expect(visitor.pending == row.saved)
  }

  @Test("all flags at once, the same assignments are saved", arguments: workedCases)
  func savedAtOnce(_ row: WorkedCase) throws {
    var visitor = TestVisitor(row.visitor, of: snapshot, row.data)
    let keys = row.answers.map { String($0.prefix { $0 != " " }) }
    #expect(try visitor.evaluateAll() == zip(Self.flags, keys).map { "\($0)=\($1)" })
    #expect(visitor.saved == row.saved)
  }

  @Test(
    "the audience is segment 8001 for the first radia and for visitor-52", arguments: workedCases)
  func audiences(_ row: WorkedCase) throws {
    let visitor = TestVisitor(row.visitor, of: snapshot, row.data)
    let ids = try snapshot.audiences(
      visitorCode: row.visitor, record: visitor.record, at: visitor.moment)
    #expect(ids == row.audiences)
  }

  @Test("the active flags of grace-hopper are new_checkout and promo_b")
  func onlyActive() throws {
    var active: [String] = []
    var visitor = TestVisitor("grace-hopper", of: snapshot)
    try snapshot.decideAll(
      visitorCode: visitor.code, record: &visitor.record, at: visitor.moment, saving: .tracked
    ) { decision in
      if decision.isActive { active.append(snapshot.featureKey(of: decision)) }
    }
    #expect(active == ["new_checkout", "promo_b"])
  }

  @Test("legacy_banner fails as a disabled environment and is never among all flags")
  func legacyBanner() throws {
    var visitor = TestVisitor("grace-hopper", of: snapshot)
    #expect(throws: EvaluationError.environmentDisabled(featureKey: "legacy_banner")) {
      try visitor.decide("legacy_banner")
    }
    #expect(try visitor.evaluateAll().contains { $0.hasPrefix("legacy_banner") } == false)
    #expect(snapshot.featureKeys.contains("legacy_banner"))
  }

  @Test("the trace shows the hashes of the explanation")
  func hashes() throws {
    let grace = TestVisitor("grace-hopper", of: snapshot)
    let checkout = try grace.explain("new_checkout")
    #expect(checkout.holdout?.hash.input == "grace-hopper300900")
    #expect(checkout.holdout.map { Self.round($0.hash) } == 0.474826)
    try #require(checkout.rules.count == 2)
    #expect(checkout.rules[1].admission?.input == "grace-hopper60021758000000000")
    #expect(checkout.rules[1].admission.map(Self.round) == 0.002684)
    #expect(checkout.rules[1].choice?.input == "grace-hopper3001021758000000000")
    #expect(checkout.rules[1].choice.map(Self.round) == 0.596058)
    #expect(checkout.rules[1].ranges.map(\.isChosen) == [false, true, false])
    let group = try grace.explain("promo_b").group
    #expect(group?.members == ["promo_a", "promo_b"] && group?.picked == "promo_b")
    #expect(group?.hash?.input == "grace-hopperME-GROUP-PROMO")
    #expect(group?.hash.map(Self.round) == 0.695475)

    let alan = TestVisitor("alan-turing", of: snapshot)
    #expect(try alan.explain("new_checkout").rules.last?.admission.map(Self.round) == 0.597561)
    #expect(try alan.explain("promo_a").group?.hash.map(Self.round) == 0.089882)
    #expect(try alan.explain("promo_a").group?.picked == "promo_a")
    let withheld = TestVisitor("visitor-52", of: snapshot)
    #expect(try withheld.explain("promo_a").holdout.map { Self.round($0.hash) } == 0.021032)
  }

  private static func round(_ hash: DecisionTrace.Hash) -> Double {
    (hash.value * 1_000_000).rounded() / 1_000_000
  }

  @Test("names and variables are those of the flag's variation, ids those of the outcome")
  func handedOut() throws {
    let grace = TestVisitor("grace-hopper", of: snapshot)
    let variation = snapshot.variation(of: try grace.decide("new_checkout"))
    #expect(variation.key == "one_page" && variation.name == "One page")
    #expect(variation.id == 990112 && variation.experimentID == 300102)
    #expect(variation.variable("steps")?.value == .int(1))
    #expect(variation.variable("discount")?.value == .double(2.5))
    #expect(variation.variable("title")?.value == .string("Quick checkout"))
    #expect(variation.variable("showLogo")?.value == .bool(true))
    #expect(
      variation.variable("layout")?.value == .json(["columns": 2, "order": ["cart", "pay"]]))
    #expect(variation.variable("absent") == nil)
    let served = snapshot.variation(of: try grace.decide("promo_a"))
    #expect(served.key == "off" && served.name == "Off" && served.variables.isEmpty)
    #expect(served.id == nil && served.experimentID == nil)
  }
}

/// Hash values were computed with Python's hashlib.
@Suite("Worked example, explained as text")
struct WorkedExampleTraceTests {
  private let snapshot: Snapshot

  init() throws {
    snapshot = Snapshot(
      try DataFile(parsing: try Repository.fixture("worked-example")), sdk: FileText.sdk)
  }

  @Test("grace-hopper and new_checkout")
  func graceHopper() throws {
    let trace = try TestVisitor("grace-hopper", of: snapshot).explain("new_checkout")
    #expect(
      trace.description == #"""
        flag "new_checkout" for visitor "grace-hopper"
          hash key: "grace-hopper" (the visitor code)
          consent: not required
          environment: enabled
          holdout 300900: hash of "grace-hopper300900" = 0.4748259415287375: not in it
              up to 0.05: in-holdout (990001)
            → up to 1.0: not-in-holdout (990002)
          rule 6001 (TARGETED_DELIVERY, experiment 300101): not targeted, next rule
            segment 8001: no match
              CUSTOM_DATUM customDataIndex="1" valueMatchType="AMONG_VALUES" value="[\"pro\",\"enterprise\"]": no match (attribute missing) AND
              NOT CUSTOM_DATUM customDataIndex="4" valueMatchType="TRUE": match (attribute missing)
          rule 6002 (EXPERIMENTATION, experiment 300102): served
            admission: hash of "grace-hopper60021758000000000" = 0.0026838365688837875 ≤ exposition 0.5
            choice: hash of "grace-hopper3001021758000000000" = 0.5960581282177527
                up to 0.34: off (990111)
              → up to 0.67: one_page (990112)
                up to 1.0: two_pages (990113)
          result: "one_page" (variation 990112, experiment 300102): the split of an experiment
        """#)
  }

  @Test("alan-turing and promo_b")
  func alanTuring() throws {
    let trace = try TestVisitor("alan-turing", of: snapshot).explain("promo_b")
    #expect(
      trace.description == #"""
        flag "promo_b" for visitor "alan-turing"
          hash key: "alan-turing" (the visitor code)
          consent: not required
          environment: enabled
          holdout 300900: hash of "alan-turing300900" = 0.35571350318313505: not in it
              up to 0.05: in-holdout (990001)
            → up to 1.0: not-in-holdout (990002)
          group "ME-GROUP-PROMO" (promo_a, promo_b): hash of "alan-turingME-GROUP-PROMO" = 0.0898822237165558 × 2: "promo_a" may be evaluated
          result: "off": default, another flag of the group was picked
        """#)
  }

  @Test("visitor-52")
  func withheld() throws {
    let visitor = TestVisitor(
      "visitor-52", of: snapshot, [.customData(index: 1, values: ["pro"])])
    #expect(
      try visitor.explain("new_checkout").description == #"""
        flag "new_checkout" for visitor "visitor-52"
          hash key: "visitor-52" (the visitor code)
          consent: not required
          environment: enabled
          holdout 300900: hash of "visitor-52300900" = 0.021032045614408128: in the holdout: every flag serves its default
            → up to 0.05: in-holdout (990001)
              up to 1.0: not-in-holdout (990002)
          result: "off": default, the visitor is in the holdout
        """#)
  }
}
