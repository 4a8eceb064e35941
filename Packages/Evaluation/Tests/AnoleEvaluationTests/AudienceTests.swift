// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

/// Section 3.8.
@Suite("Audiences")
struct AudienceTests {
  private static let segments = [
    FileText.segment(9, isAudience: true, FileText.datum(1, "yes")),
    FileText.segment(3, FileText.datum(1, "yes")),
    FileText.segment(2, isAudience: true, FileText.datum(1, "no")),
    "{\"id\":1,\"audienceTracking\":true}",
  ].joined(separator: ",")

  private static func audiences(_ visitor: TestVisitor) throws -> [Int64] {
    try visitor.snapshot.audiences(
      visitorCode: visitor.code, record: visitor.record, at: visitor.moment)
  }

  @Test("segments with audience tracking that match, in file order")
  func order() throws {
    let snapshot = try FileText.snapshot(segments: Self.segments)
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try Self.audiences(visitor) == [1])
    visitor.add(1, "yes")
    #expect(try Self.audiences(visitor) == [9, 1])
    visitor.add(1, "yes", "no")
    #expect(try Self.audiences(visitor) == [9, 2, 1])
  }

  @Test("holdout, consent and environment play no role")
  func independent() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(isEnabled: false), segments: Self.segments,
      holdout: FileText.holdout(in: 1), configuration: FileText.consent("FULLY_BLOCK"))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.record.setLegalConsent(false)
    visitor.add(1, "yes")
    #expect(try Self.audiences(visitor) == [9, 1])
    #expect(visitor.saved.isEmpty)
  }

  @Test("there is no current campaign, so exclusive experiments do not match")
  func campaign() throws {
    let condition = FileText.condition("EXCLUSIVE_EXPERIMENT", "\"campaignType\":\"ANY\"")
    let snapshot = try FileText.snapshot(
      segments: FileText.segment(4, isAudience: true, condition))
    #expect(try Self.audiences(TestVisitor("visitor1", of: snapshot)).isEmpty)
  }

  @Test("a targeted segment waits to be sent, once however often it is found")
  func pending() throws {
    var visitor = TestVisitor("visitor1", of: try FileText.snapshot(segments: Self.segments))
    for _ in 0..<2 {
      for id in try Self.audiences(visitor) { visitor.record.add(targetedSegment: id) }
    }
    #expect(visitor.record.pendingEvents(isConsentRequired: false) == [.targetedSegment(id: 1)])
    #expect(visitor.record.pendingEvents(isConsentRequired: true).isEmpty)
  }
}

/// Section 3.9.
@Suite("The overview of all flags")
struct OverviewTests {
  @Test("it shows every flag with its settings, variations and rules, disabled ones too")
  func flags() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(
        "flag", FileText.rule(1, FileText.entry("on", 11), FileText.entry("ghost", 12)),
        FileText.delivery(2, FileText.entry("a", nil), FileText.entry("b", 22))),
      FileText.flag("disabled", isEnabled: false, default: "phantom"))
    let overview = snapshot.overview()
    #expect(overview.map(\.key) == ["flag", "disabled"])
    #expect(overview.map(\.isEnvironmentEnabled) == [true, false])
    #expect(overview.map(\.defaultVariationKey) == ["off", "phantom"])
    #expect(overview.map { $0.defaultVariation?.name } == ["Off", nil])
    #expect(overview[0].variations.map(\.key) == ["off", "on", "a", "b"])
    #expect(overview[0].variations.allSatisfy { $0.id == nil && $0.experimentID == nil })
    #expect(overview[1].rules.isEmpty)
    try #require(overview[0].rules.count == 2)
    #expect(overview[0].rules[0].map(\.key) == ["on"], "entries the flag lacks are left out")
    let on = overview[0].rules[0][0]
    #expect(on.name == "On" && on.id == 11 && on.experimentID == 101)
    #expect(on.variable("max_items")?.value == .int(3))
    #expect(overview[0].rules[1].map(\.id) == [nil, 22])
    #expect(overview[0].rules[1].map(\.experimentID) == [102, 102])
  }

  @Test("an empty data file has none")
  func empty() throws {
    let snapshot = try FileText.snapshot(text: "{}")
    #expect(snapshot.overview().isEmpty && snapshot.featureKeys.isEmpty)
    #expect(snapshot.flagCount == 0)
    var visitor = TestVisitor("visitor1", of: snapshot)
    #expect(try visitor.evaluateAll().isEmpty)
    #expect(throws: EvaluationError.featureNotFound(featureKey: "")) { try visitor.decide("") }
  }
}
