// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

private let onEntry = FileText.entry("on", 11)
private let aEntry = FileText.entry("a", 12, 0)
private let split = [onEntry, aEntry]

/// Section 3.5, `setForcedVariation`.
///
/// Hash values as in ``RuleTests``.
@Suite("Forced variations of experiments")
struct ForcedVariationTests {
  private static func snapshot(
    _ rules: RuleText..., holdout: String = "null", isEnabled: Bool = true
  ) throws -> Snapshot {
    try FileText.snapshot(
      FileText.flag("flag", isEnabled: isEnabled, rules: rules), segments: RuleTests.segments,
      holdout: holdout)
  }

  @Test("without targeting, a forced variation skips segment and exposition")
  func forcedTargeting() throws {
    var visitor = TestVisitor(
      "visitor1",
      of: try Self.snapshot(FileText.rule(1, exposition: 0, segment: 5, onEntry, aEntry)))
    #expect(visitor.answer() == "off noRuleApplied [1 notTargeted]")
    try visitor.force(101, "a")
    #expect(visitor.answer() == "a 12/101 forced [1 served]")
    #expect(try visitor.explain("flag").rules.first?.forced == "without targeting")
  }

  @Test("after targeting, it skips the exposition alone")
  func unforcedTargeting() throws {
    var visitor = TestVisitor(
      "visitor1",
      of: try Self.snapshot(FileText.rule(1, exposition: 0, segment: 5, onEntry, aEntry)))
    try visitor.force(101, "a", isTargetingForced: false)
    #expect(visitor.answer() == "off noRuleApplied [1 notTargeted]")
    visitor.add(1, "yes")
    #expect(visitor.answer() == "a 12/101 forced [1 served]")
    #expect(try visitor.explain("flag").rules.first?.forced == "after targeting")
  }

  @Test("it is not moved to the front: rules before it may win", arguments: [true, false])
  func notMoved(_ isTargetingForced: Bool) throws {
    let first = FileText.rule(1, exposition: 0.2, FileText.entry("b", 31))
    var visitor = TestVisitor(
      "visitor1", of: try Self.snapshot(first, FileText.rule(2, onEntry, aEntry)))
    try visitor.force(102, "a", isTargetingForced: isTargetingForced)
    #expect(visitor.answer() == "b 31/101 experiment [1 served]")
    var other = TestVisitor("visitor2", of: visitor.snapshot)
    try other.force(102, "a", isTargetingForced: isTargetingForced)
    #expect(other.answer() == "a 12/102 forced [1 notAdmitted, 2 served]")
  }

  @Test("a delivery before it that does not admit ends the evaluation")
  func afterDelivery() throws {
    var visitor = TestVisitor(
      "visitor1",
      of: try Self.snapshot(
        FileText.delivery(1, exposition: 0, onEntry), FileText.rule(2, onEntry, aEntry)))
    try visitor.force(102, "a")
    #expect(visitor.answer() == "off notDelivered [1 notAdmitted]")
  }

  @Test("the holdout, a group and the environment are stronger")
  func strongerSteps() throws {
    let rule = FileText.rule(1, onEntry, aEntry)
    var withheld = TestVisitor(
      "visitor1", of: try Self.snapshot(rule, holdout: FileText.holdout(in: 1)))
    try withheld.force(101, "a")
    #expect(withheld.answer() == "off inHoldout []")
    var disabled = TestVisitor("visitor1", of: try Self.snapshot(rule, isEnabled: false))
    try disabled.force(101, "a")
    #expect(
      disabled.answer() == EvaluationError.environmentDisabled(featureKey: "flag").description)
    var excluded = TestVisitor(
      "visitor1",
      of: try FileText.snapshot(
        FileText.flag("first", id: 1, group: "checkout"),
        FileText.flag("flag", id: 2, group: "checkout", rule)))
    try excluded.force(101, "a")
    #expect(excluded.answer() == "off excludedByGroup []")
  }

  @Test("it is stronger than bandit scores")
  func bandit() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(FileText.rule(1, onEntry, aEntry)))
    visitor.add(.banditScores(BanditScores([101: [11: 9]])))
    #expect(visitor.answer() == "on 11/101 bandit [1 served]")
    try visitor.force(101, "a", isTargetingForced: false)
    #expect(visitor.answer() == "a 12/101 forced [1 served]")
  }

  @Test("a forced delivery serves the forced entry, not the first")
  func delivery() throws {
    var visitor = TestVisitor(
      "visitor1", of: try Self.snapshot(FileText.delivery(1, onEntry, aEntry)))
    try visitor.force(101, "a")
    #expect(visitor.answer() == "a 12/101 forced [1 served]")
    try visitor.evaluate("flag")
    #expect(visitor.record.assignments[101]?.origin == .targetedDelivery)
  }

  @Test("it is saved and tracked like any other")
  func saved() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(FileText.rule(1, onEntry, aEntry)))
    try visitor.force(101, "a")
    try visitor.evaluate("flag")
    #expect(visitor.saved == ["101→12"] && visitor.pending == ["101→12"])
    #expect(snapshotName(visitor) == "A")
  }

  private func snapshotName(_ visitor: TestVisitor) -> String? {
    (try? visitor.decide("flag")).map { visitor.snapshot.variation(of: $0).name }
  }

  @Test("a second call replaces the first, removing takes it back")
  func replaced() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(FileText.rule(1, onEntry, aEntry)))
    try visitor.force(101, "a")
    try visitor.force(101, "on", isTargetingForced: false)
    #expect(visitor.answer() == "on 11/101 forced [1 served]")
    #expect(visitor.record.profile?.forcedVariations.count == 1)
    visitor.record.removeForcedVariation(experimentID: 101)
    #expect(visitor.answer() == "on 11/101 experiment [1 served]")
    visitor.record.removeForcedVariation(experimentID: 404)
    #expect(visitor.answer() == "on 11/101 experiment [1 served]")
  }

  @Test("the experiment must belong to a rule, also of a disabled flag")
  func unknownExperiment() throws {
    let snapshot = try Self.snapshot(FileText.rule(1, onEntry), isEnabled: false)
    #expect(throws: EvaluationError.experimentNotFound(experimentID: 404)) {
      try snapshot.forcedVariation(experimentID: 404, variationKey: "on")
    }
    #expect(throws: EvaluationError.experimentNotFound(experimentID: 900)) {
      try Self.snapshot(holdout: FileText.holdout(in: 1))
        .forcedVariation(experimentID: 900, variationKey: "in-holdout")
    }
    #expect(try snapshot.forcedVariation(experimentID: 101, variationKey: "on").isTargetingForced)
  }

  @Test("a variation of the flag that is not in the rule's split is not accepted")
  func unknownVariation() throws {
    let snapshot = try Self.snapshot(FileText.rule(1, onEntry), FileText.rule(2, aEntry))
    for key in ["a", "off", "ghost", "ON", ""] {
      #expect(throws: EvaluationError.variationNotFound(variationKey: key)) {
        try snapshot.forcedVariation(experimentID: 101, variationKey: key)
      }
    }
    let entry = try snapshot.forcedVariation(experimentID: 102, variationKey: "a").entry
    #expect(entry.variationKey == "a" && entry.variationID == 12 && entry.exposition == 0)
  }

  @Test("of rules with one experiment id the last one's split counts")
  func duplicates() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("first", FileText.rule(1, experiment: 7, FileText.entry("a", 1))),
      FileText.flag(
        "second", FileText.rule(2, experiment: 7, FileText.entry("a", 2)),
        FileText.rule(3, experiment: 7, FileText.entry("a", 3), FileText.entry("b", 4))))
    let forced = try snapshot.forcedVariation(experimentID: 7, variationKey: "a")
    #expect(forced.entry.variationID == 3)
    #expect(try snapshot.forcedVariation(experimentID: 7, variationKey: "b").entry.variationID == 4)
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.force(forced)
    #expect(visitor.answer("second") == "a 3/7 forced [2 served]")
  }

  @Test("a forced variation outlives its data file, its name follows the current one")
  func laterFile() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(FileText.rule(1, onEntry, aEntry)))
    try visitor.force(101, "a")
    let later = try FileText.snapshot(
      text: """
        {"featureFlags":[{"featureKey":"x"},{"featureKey":"flag","environmentEnabled":true,
          "variations":[{"key":"a","name":"New name"}],
          "rules":[{"id":1,"experimentId":101,"type":"EXPERIMENTATION"}]}]}
        """)
    let decision = try later.decide(
      "flag", visitorCode: "visitor1", record: visitor.record, at: visitor.moment)
    #expect(decision.reason == .forced && decision.variationID == 12)
    #expect(later.variation(of: decision).name == "New name")
  }
}

/// Section 3.6.
@Suite("Simulated variations")
struct SimulationTests {
  private static func visitor(
    _ simulated: SimulatedVariation..., isEnabled: Bool = true, holdout: String = "null",
    configuration: String = "{}"
  ) throws -> TestVisitor {
    let snapshot = try FileText.snapshot(
      FileText.flag("first", id: 1, group: "checkout"),
      FileText.flag(
        "flag", id: 2, isEnabled: isEnabled, group: "checkout",
        FileText.rule(1, exposition: 0, segment: 5, onEntry, aEntry),
        FileText.rule(2, FileText.entry("b", 31))),
      segments: RuleTests.segments, holdout: holdout, configuration: configuration)
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.simulate(simulated)
    return visitor
  }

  private static func simulated(_ experiment: Int64, _ variation: Int64?) -> SimulatedVariation {
    SimulatedVariation(featureKey: "flag", experimentID: experiment, variationID: variation)
  }

  @Test("it bypasses group, targeting and exposition, and says so")
  func bypasses() throws {
    let visitor = try Self.visitor(Self.simulated(101, 12))
    #expect(visitor.answer() == "a 12/101 simulated []")
    let trace = try visitor.explain("flag")
    #expect(trace.isSimulated)
    #expect(trace.description.contains("  simulation: a simulated variation decides\n"))
    #expect(visitor.answer("first") == "off noRuleApplied []")
  }

  @Test("it bypasses the holdout, refused consent and the environment")
  func bypassesMore() throws {
    var visitor = try Self.visitor(
      Self.simulated(102, 31), isEnabled: false, holdout: FileText.holdout(in: 1),
      configuration: FileText.consent("FULLY_BLOCK"))
    visitor.record.setLegalConsent(false)
    #expect(visitor.answer() == "b 31/102 simulated []")
  }

  @Test("experiment 0 means the default variation")
  func defaultVariation() throws {
    #expect(try Self.visitor(Self.simulated(0, nil)).answer() == "off simulated []")
    #expect(try Self.visitor(Self.simulated(0, 12)).answer() == "off simulated []")
  }

  @Test("an entry that cannot be resolved is dropped: the flag is evaluated as usual")
  func unresolved() throws {
    for (experiment, variation) in [(404, 12), (101, 31), (101, 404)] as [(Int64, Int64)] {
      let visitor = try Self.visitor(Self.simulated(experiment, variation))
      #expect(visitor.answer() == "off excludedByGroup []")
    }
    #expect(try Self.visitor(Self.simulated(101, nil)).answer() == "off excludedByGroup []")
    #expect(
      try Self.visitor(Self.simulated(404, 1), isEnabled: false).answer()
        == EvaluationError.environmentDisabled(featureKey: "flag").description)
  }

  @Test("it is never saved or tracked")
  func neverSaved() throws {
    var visitor = try Self.visitor(Self.simulated(101, 12), holdout: FileText.holdout(in: 0))
    try visitor.evaluate("flag")
    #expect(visitor.saved.isEmpty && visitor.pending.isEmpty)
    #expect(try visitor.evaluateAll() == ["first=off", "flag=a"])
    #expect(visitor.saved.isEmpty)
  }

  @Test("the set is replaced as a whole")
  func replaced() throws {
    var visitor = try Self.visitor(Self.simulated(101, 12))
    visitor.record.simulate([])
    #expect(visitor.answer() == "off excludedByGroup []")
  }

  @Test("of rules with one experiment id the last counts")
  func duplicates() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(
        FileText.rule(1, experiment: 7, onEntry),
        FileText.rule(2, experiment: 7, FileText.entry("b", 11))))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.simulate([Self.simulated(7, 11)])
    #expect(visitor.answer() == "b 11/7 simulated []")
    #expect(try visitor.decide("flag").ruleID == 2)
  }
}
