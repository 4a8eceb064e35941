// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

struct TrackingCase: Sendable, CustomTestStringConvertible {
  let name: String
  let flag: String
  let prepare: @Sendable (inout TestVisitor) throws -> Void
  let saved: [String]
  init(
    _ name: String, _ flag: String, saved: [String],
    _ prepare: @escaping @Sendable (inout TestVisitor) throws -> Void = { _ in }
  ) {
    self.name = name
    self.flag = flag
    self.saved = saved
    self.prepare = prepare
  }
  var testDescription: String { name }
}

/// The rows of the table of section 3.10, for visitor1.
private let trackingCases: [TrackingCase] = [
  TrackingCase("outcome of an experiment", "experiment", saved: ["101→11"]),
  TrackingCase("outcome of a delivery", "delivery", saved: ["102→21"]),
  TrackingCase("outcome of bandit scores", "experiment", saved: ["101→12"]) {
    $0.add(.banditScores(BanditScores([101: [12: 1]])))
  },
  TrackingCase("outcome of a forced variation", "experiment", saved: ["101→12"]) {
    try $0.force(101, "a")
  },
  TrackingCase("the split entry has no variation id", "without id", saved: []),
  TrackingCase("no rule applied", "no rules", saved: []),
  TrackingCase("group exclusion", "excluded", saved: []),
  TrackingCase("refused consent, partial", "experiment", saved: []) {
    $0.record.setLegalConsent(false)
  },
  TrackingCase("simulation", "experiment", saved: []) {
    $0.record.simulate([
      SimulatedVariation(featureKey: "experiment", experimentID: 101, variationID: 12)
    ])
  },
]

@Suite("What is saved and waits to be sent")
struct TrackingTests {
  private static let onEntry = FileText.entry("on", 11)
  private static let flags = [
    FileText.flag(
      "experiment", FileText.rule(1, onEntry, FileText.entry("a", 12, 0))),
    FileText.flag("delivery", FileText.delivery(2, FileText.entry("a", 21))),
    FileText.flag("without id", FileText.rule(3, FileText.entry("a", nil))),
    FileText.flag("no rules"),
    FileText.flag("picked", id: 1, group: "checkout"),
    FileText.flag("excluded", id: 2, group: "checkout", FileText.rule(4, onEntry)),
  ].joined(separator: ",")

  private static func visitor(holdout: String = "null") throws -> TestVisitor {
    TestVisitor(
      "visitor1",
      of: try FileText.snapshot(
        flags, holdout: holdout, configuration: FileText.consent("PARTIALLY_BLOCK")))
  }

  private static func exposures(_ visitor: TestVisitor) -> [TrackingEvent] {
    visitor.record.pendingEvents(isConsentRequired: false)
  }

  @Test("with track, what is saved waits to be sent", arguments: trackingCases)
  func tracked(_ row: TrackingCase) throws {
    var visitor = try Self.visitor()
    try row.prepare(&visitor)
    try visitor.evaluate(row.flag)
    #expect(visitor.saved == row.saved)
    #expect(Self.exposures(visitor).count == row.saved.count)
  }

  @Test("without track, the same is saved and nothing waits", arguments: trackingCases)
  func silent(_ row: TrackingCase) throws {
    var visitor = try Self.visitor()
    try row.prepare(&visitor)
    try visitor.evaluate(row.flag, isTracked: false)
    #expect(visitor.saved == row.saved)
    #expect(Self.exposures(visitor).isEmpty)
  }

  @Test("calls that do not save leave the visitor alone")
  func noSaving() throws {
    var visitor = try Self.visitor(holdout: FileText.holdout(in: 0, FileText.entry("out", 9002)))
    let before = visitor.record
    #expect(try visitor.evaluateAll(.none).count == 6)
    #expect(visitor.record == before)
  }

  @Test("all flags, silent: saved and nothing waits")
  func allSilent() throws {
    var visitor = try Self.visitor(holdout: FileText.holdout(in: 0, FileText.entry("out", 9002)))
    try visitor.evaluateAll(.silent)
    #expect(visitor.saved == ["101→11", "102→21", "900→9002"])
    #expect(Self.exposures(visitor).isEmpty)
  }

  @Test("each tracked evaluation waits anew, with a fresh time")
  func fresh() throws {
    var visitor = try Self.visitor()
    try visitor.evaluate("experiment")
    visitor.record.markPendingEventsSent(isConsentRequired: false)
    #expect(Self.exposures(visitor).isEmpty)
    visitor.now = Timestamp(milliseconds: visitor.now.milliseconds + 5)
    try visitor.evaluate("experiment")
    #expect(Self.exposures(visitor) == [.experiment(experimentID: 101, variationID: 11)])
    #expect(visitor.record.assignments[101]?.time == visitor.now)
  }

  @Test("a silent evaluation keeps a waiting exposure of the same variation")
  func keepsPending() throws {
    var visitor = try Self.visitor()
    try visitor.evaluate("experiment")
    try visitor.evaluate("experiment", isTracked: false)
    #expect(Self.exposures(visitor) == [.experiment(experimentID: 101, variationID: 11)])
    try visitor.force(101, "a")
    try visitor.evaluate("experiment", isTracked: false)
    #expect(visitor.saved == ["101→12"])
    #expect(Self.exposures(visitor).isEmpty, "of another variation it is gone")
  }

  @Test("without consent only deliveries leave; the rest goes out when it is given")
  func consent() throws {
    var visitor = try Self.visitor(holdout: FileText.holdout(in: 0, FileText.entry("out", 9002)))
    try visitor.evaluateAll()
    #expect(visitor.saved == ["101→11", "102→21", "900→9002"])
    #expect(visitor.pending == ["102→21"])
    visitor.record.markPendingEventsSent(isConsentRequired: true)
    #expect(visitor.pending.isEmpty)
    visitor.record.setLegalConsent(true)
    #expect(visitor.pending == ["101→11", "900→9002"])
  }

  @Test("the kind of rule is saved with the assignment")
  func origins() throws {
    let snapshot = try FileText.snapshot(
      Self.flags, FileText.flag("other", FileText.rule(7, type: "X", FileText.entry("on", 71))))
    var visitor = TestVisitor("visitor1", of: snapshot)
    try visitor.evaluateAll()
    #expect(visitor.record.assignments[101]?.origin == .experimentation)
    #expect(visitor.record.assignments[102]?.origin == .targetedDelivery)
    #expect(visitor.record.assignments[107]?.origin == .other)
  }
}

/// Section 3.11: conditions of later flags see assignments made for earlier ones.
@Suite("Order effects of a call for all flags")
struct OrderTests {
  private static let everybody = FileText.rule(1, FileText.entry("on", 11))
  private static let experiment = FileText.condition(
    "TARGET_EXPERIMENT", "\"experimentId\":101,\"variationMatchType\":\"ANY\"")

  /// Flag `early` and flag `late`; segment 5 looks at the assignment of `early`.
  private static func snapshot(_ condition: String, reversed: Bool = false) throws -> Snapshot {
    let early = FileText.flag("early", id: 1, everybody)
    let late = FileText.flag(
      "late", id: 2, FileText.rule(2, segment: 5, FileText.entry("on", 21)))
    let segment = FileText.segment(5, condition)
    return reversed
      ? try FileText.snapshot(late, early, segments: segment)
      : try FileText.snapshot(early, late, segments: segment)
  }

  private static let conditions = [
    experiment, FileText.condition("TARGET_FEATURE_FLAG", "\"featureFlagId\":1"),
    FileText.condition(
      "EXCLUSIVE_EXPERIMENT", "\"campaignType\":\"EXPERIMENT\"", isInclude: false),
  ]

  @Test("a later flag sees the assignment of an earlier one", arguments: conditions)
  func later(_ condition: String) throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(condition))
    #expect(try visitor.evaluateAll() == ["early=on", "late=on"])
  }

  @Test("an earlier flag does not see that of a later one", arguments: conditions)
  func earlier(_ condition: String) throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(condition, reversed: true))
    #expect(try visitor.evaluateAll() == ["late=off", "early=on"])
    #expect(try visitor.evaluateAll() == ["late=on", "early=on"], "the next call does")
  }

  @Test("calls that do not save have no such effect", arguments: conditions)
  func noSaving(_ condition: String) throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(condition))
    #expect(try visitor.evaluateAll(.none) == ["early=on", "late=off"])
    #expect(try visitor.evaluateAll(.silent) == ["early=on", "late=on"])
  }

  @Test("a segment that looks at assignments is asked anew for every flag")
  func askedAnew() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("before", FileText.rule(3, segment: 5, FileText.entry("a", 31))),
      FileText.flag("early", id: 1, Self.everybody),
      FileText.flag("after", FileText.rule(4, segment: 5, FileText.entry("a", 41))),
      segments: FileText.segment(5, Self.experiment))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.evaluateAll() == ["before=off", "early=on", "after=a"])
  }

  @Test("so is a segment that refers to one, however far")
  func askedAnewThroughReferences() throws {
    func reference(_ id: Int) -> String {
      FileText.condition("SEGMENT", "\"segmentId\":\(id)")
    }
    let snapshot = try FileText.snapshot(
      FileText.flag("before", FileText.rule(3, segment: 7, FileText.entry("a", 31))),
      FileText.flag("early", id: 1, Self.everybody),
      FileText.flag("after", FileText.rule(4, segment: 7, FileText.entry("a", 41))),
      segments: [
        FileText.segment(7, reference(6)), FileText.segment(6, reference(5)),
        FileText.segment(5, Self.experiment),
      ].joined(separator: ","))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.evaluateAll() == ["before=off", "early=on", "after=a"])
  }

  @Test("one that looks at the current campaign is asked for each rule")
  func askedByCampaign() throws {
    let exclusive = FileText.condition("EXCLUSIVE_EXPERIMENT", "\"campaignType\":\"EXPERIMENT\"")
    let snapshot = try FileText.snapshot(
      FileText.flag("mine", FileText.rule(1, segment: 5, FileText.entry("a", 11))),
      FileText.flag("other", FileText.rule(2, segment: 5, FileText.entry("a", 21))),
      FileText.flag(
        "again", FileText.rule(3, experiment: 101, segment: 5, FileText.entry("b", 12))),
      segments: FileText.segment(5, exclusive))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.evaluateAll() == ["mine=a", "other=off", "again=b"])
  }

  @Test("one that looks at other data answers the same throughout a call")
  func stable() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("x", FileText.rule(1, segment: 5, FileText.entry("a", 11))),
      FileText.flag("y", FileText.rule(2, segment: 6, FileText.entry("a", 21))),
      FileText.flag("z", FileText.rule(3, segment: 5, FileText.entry("a", 31))),
      segments: "\(FileText.segment(5, FileText.datum(1, "yes"))),"
        + FileText.segment(6, FileText.datum(1, "yes", isInclude: false)))
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.evaluateAll() == ["x=off", "y=a", "z=off"])
    visitor.add(1, "yes")
    #expect(try visitor.evaluateAll() == ["x=a", "y=off", "z=a"])
  }

  @Test("disabled flags, and flags blocked by consent, are skipped and save nothing")
  func skipped() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag("disabled", isEnabled: false, FileText.rule(1, FileText.entry("on", 11))),
      FileText.flag("blocked", FileText.rule(2, FileText.entry("on", 21))),
      FileText.flag("free", FileText.delivery(3, FileText.entry("on", 31))),
      configuration: FileText.consent("FULLY_BLOCK"))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.setLegalConsent(false)
    #expect(try visitor.evaluateAll() == ["free=on"])
    #expect(visitor.saved == ["103→31"])
  }
}
