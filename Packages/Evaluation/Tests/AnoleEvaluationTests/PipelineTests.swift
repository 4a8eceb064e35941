// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

/// Sections 3.3, 3.4 and the groups.
///
/// Hash values computed with Python's hashlib: holdout 900 is 0.7722 for visitor1 and 0.3498 for
/// visitor2; group `checkout` is 0.2806 and 0.5303.
@Suite("The order of the pipeline")
struct PipelineTests {
  private static let everybody = FileText.rule(1, FileText.entry("on", 11))

  @Test("the environment comes before the holdout, which then saves nothing")
  func environmentFirst() throws {
    var visitor = TestVisitor(
      "visitor1",
      of: try FileText.snapshot(
        FileText.flag(isEnabled: false, group: "checkout", Self.everybody),
        holdout: FileText.holdout(in: 1)))
    #expect(throws: EvaluationError.environmentDisabled(featureKey: "flag")) {
      try visitor.evaluate("flag")
    }
    #expect(try visitor.evaluateAll().isEmpty)
    #expect(visitor.saved.isEmpty)
    let trace = try visitor.explain("flag")
    #expect(!trace.isEnvironmentEnabled && trace.holdout == nil && trace.group == nil)
  }

  @Test("the holdout comes before the group and the rules")
  func holdoutFirst() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(id: 1, group: "checkout", Self.everybody),
      FileText.flag("other", id: 2, group: "checkout", Self.everybody),
      holdout: FileText.holdout(in: 1))
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer("flag") == "off inHoldout []")
    #expect(visitor.answer("other") == "off inHoldout []")
    #expect(try visitor.explain("flag").group == nil)
  }

  @Test("the group comes before the rules, and the holdout's assignment is saved all the same")
  func groupBeforeRules() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("first", id: 1, group: "checkout", Self.everybody),
      FileText.flag("second", id: 2, group: "checkout", Self.everybody),
      holdout: FileText.holdout(in: 0, FileText.entry("out", 9002)))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer("first") == "on 11/101 experiment [1 served]")
    #expect(visitor.answer("second") == "off excludedByGroup []")
    try visitor.evaluate("second")
    #expect(visitor.saved == ["900→9002"])
    #expect(
      TestVisitor("visitor2", of: snapshot).answer("second") == "on 11/101 experiment [1 served]")
  }

  @Test("members of a group are ordered by flag id, not by their place in the file")
  func groupOrder() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("late id", id: 20, group: "checkout", Self.everybody),
      FileText.flag("early id", id: 10, group: "checkout", Self.everybody))
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer("early id") == "on 11/101 experiment [1 served]")
    #expect(visitor.answer("late id") == "off excludedByGroup []")
    #expect(try visitor.explain("late id").group?.members == ["early id", "late id"])
  }

  @Test("a disabled member of a group keeps its share")
  func disabledMember() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("first", id: 1, isEnabled: false, group: "checkout"),
      FileText.flag("second", id: 2, group: "checkout", Self.everybody))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer("second") == "off excludedByGroup []")
    #expect(try visitor.evaluateAll() == ["second=off"])
  }

  @Test("three members share the line: floor(0.2806 × 3) is 0, floor(0.5303 × 3) is 1")
  func threeMembers() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("x", id: 1, group: "checkout", Self.everybody),
      FileText.flag("y", id: 2, group: "checkout", Self.everybody),
      FileText.flag("z", id: 3, group: "checkout", Self.everybody))
    let first = TestVisitor("visitor1", of: snapshot)
    #expect(try ["x", "y", "z"].map { try first.decide($0).isActive } == [true, false, false])
    let second = TestVisitor("visitor2", of: snapshot)
    #expect(try ["x", "y", "z"].map { try second.decide($0).isActive } == [false, true, false])
  }

  @Test("a group with one member, and an empty group name, never restrict")
  func single() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("alone", id: 1, group: "g", Self.everybody),
      FileText.flag("blank", id: 2, group: "", Self.everybody),
      FileText.flag("blank too", id: 3, group: "", Self.everybody))
    for code in ["visitor1", "visitor2", "visitor3"] {
      let visitor = TestVisitor(code, of: snapshot)
      for key in snapshot.featureKeys {
        #expect(visitor.answer(key) == "on 11/101 experiment [1 served]")
      }
      #expect(try visitor.explain("alone").group?.hash == nil)
      #expect(try visitor.explain("blank").group == nil)
    }
  }

  @Test("group names are compared byte by byte")
  func groupNames() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("x", id: 1, group: "caf\u{E9}", Self.everybody),
      FileText.flag("y", id: 2, group: "cafe\u{301}", Self.everybody))
    let visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.explain("x").group?.members == ["x"])
    #expect(visitor.answer("x") == "on 11/101 experiment [1 served]")
    #expect(visitor.answer("y") == "on 11/101 experiment [1 served]")
  }

  @Test("an outcome without variation id is served and not saved")
  func withoutID() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, FileText.entry("on", nil))))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(visitor.answer() == "on -/101 experiment [1 served]")
    try visitor.evaluate("flag")
    #expect(visitor.saved.isEmpty)
    #expect(
      try visitor.explain("flag").description.contains("variation without id, experiment 101"))
  }
}

@Suite("Holdout")
struct HoldoutTests {
  private static let flag = FileText.flag(FileText.rule(1, FileText.entry("on", 11)))
  /// visitor1 (0.7722) is outside, visitor2 (0.3498) is in.
  private static let half = FileText.holdout(in: 0.5, FileText.entry("not-in-holdout", 9002, 0.5))

  @Test("both entries are saved as an experiment, in or out")
  func bothSaved() throws {
    let snapshot = try FileText.snapshot(Self.flag, holdout: Self.half)
    var outside = TestVisitor("visitor1", of: snapshot)
    try outside.evaluate("flag")
    #expect(outside.saved == ["101→11", "900→9002"])
    #expect(outside.record.assignments[900]?.origin == .experimentation)
    var inside = TestVisitor("visitor2", of: snapshot)
    try inside.evaluate("flag")
    #expect(inside.answer() == "off inHoldout []")
    #expect(inside.saved == ["900→9001"])
    #expect(inside.pending == ["900→9001"])
  }

  @Test("it honours track")
  func track() throws {
    let snapshot = try FileText.snapshot(Self.flag, holdout: Self.half)
    var visitor = TestVisitor("visitor2", of: snapshot)
    try visitor.evaluate("flag", isTracked: false)
    #expect(visitor.saved == ["900→9001"])
    #expect(visitor.pending.isEmpty)
  }

  @Test("one exposure a call of all flags, however many flags there are")
  func oneExposure() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("x"), FileText.flag("y"), FileText.flag("z"), holdout: Self.half)
    var visitor = TestVisitor("visitor2", of: snapshot)
    #expect(try visitor.evaluateAll() == ["x=off", "y=off", "z=off"])
    #expect(visitor.pending == ["900→9001"])
  }

  @Test("the key in-holdout alone keeps visitors out; any other key lets them take part")
  func otherKeys() throws {
    let text =
      "{\"experimentId\":900,\"variationByExposition\":[\(FileText.entry("In-Holdout", 5))]}"
    var visitor = TestVisitor(
      "visitor2", of: try FileText.snapshot(Self.flag, holdout: text))
    #expect(visitor.answer() == "on 11/101 experiment [1 served]")
    try visitor.evaluate("flag")
    #expect(visitor.saved == ["101→11", "900→5"])
  }

  @Test("a visitor beyond the split is not in the holdout, and nothing of it is saved")
  func noEntry() throws {
    var visitor = TestVisitor(
      "visitor1", of: try FileText.snapshot(Self.flag, holdout: FileText.holdout(in: 0.5)))
    #expect(visitor.answer() == "on 11/101 experiment [1 served]")
    try visitor.evaluate("flag")
    #expect(visitor.saved == ["101→11"])
  }

  @Test("an entry without id keeps visitors out and is not saved")
  func entryWithoutID() throws {
    let text = """
      {"experimentId":900,"variationByExposition":[\(FileText.entry("in-holdout", nil))]}
      """
    var visitor = TestVisitor(
      "visitor1", of: try FileText.snapshot(Self.flag, holdout: text))
    try visitor.evaluate("flag")
    #expect(visitor.answer() == "off inHoldout []")
    #expect(visitor.saved.isEmpty)
  }

  @Test("no respool time enters its hash")
  func respoolTime() throws {
    let text = """
      {"experimentId":900,"respoolTime":1700000000000,
       "variationByExposition":[\(FileText.entry("in-holdout", 1))]}
      """
    let visitor = TestVisitor(
      "visitor1", of: try FileText.snapshot(Self.flag, holdout: text))
    let hash = try visitor.explain("flag").holdout?.hash
    #expect(hash?.input == "visitor1900")
    #expect(hash?.value == 0.7722054589844235)
  }

  @Test(
    "refused consent with a full block fails before the holdout, which saves nothing",
    arguments: ["EXPERIMENTATION", "TARGETED_DELIVERY"])
  func fullBlock(_ type: String) throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, type: type, FileText.entry("on", 11))), holdout: Self.half,
      configuration: FileText.consent("FULLY_BLOCK"))
    var visitor = TestVisitor("visitor2", of: snapshot)
    visitor.record.setLegalConsent(false)
    #expect(throws: EvaluationError.blockedByConsent(featureKey: "flag")) {
      try visitor.evaluate("flag")
    }
    #expect(try visitor.evaluateAll().isEmpty)
    #expect(visitor.saved.isEmpty)
    #expect(try visitor.explain("flag").holdout == nil)
  }

  @Test("unknown consent, a partial block, and consent not required leave the holdout alone")
  func otherConsent() throws {
    for configuration in [
      FileText.consent("PARTIALLY_BLOCK"), FileText.consent(required: false, "FULLY_BLOCK"),
    ] {
      var visitor = TestVisitor(
        "visitor2",
        of: try FileText.snapshot(Self.flag, holdout: Self.half, configuration: configuration))
      visitor.record.setLegalConsent(false)
      #expect(visitor.answer() == "off inHoldout []")
    }
    let snapshot = try FileText.snapshot(
      Self.flag, holdout: Self.half, configuration: FileText.consent("FULLY_BLOCK"))
    #expect(TestVisitor("visitor2", of: snapshot).answer() == "off inHoldout []")
  }
}
