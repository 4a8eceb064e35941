// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

/// Sections 3.2 and 5.3.
///
/// The flag's experiment is 101 and splits into `a` up to 0.1, `b` up to 0.3 and `on`. Hash values
/// computed with Python's hashlib: `visitor1101` 0.0207, `101` 0.0893, `user101` 0.2762, `acme101`
/// 0.3285, `anon101` 0.5598.
@Suite("Hash key")
struct HashKeyTests {
  private static let rule = FileText.rule(
    1, FileText.entry("a", 11, 0.1), FileText.entry("b", 12, 0.2), FileText.entry("on", 13, 0.7))
  private static let declared = """
    {"id":700,"index":0},{"id":703,"index":3},{"id":704,"index":4,"isMappingIdentifier":true},
    {"id":705,"name":"without index"}
    """

  private static func snapshot(bucketing: Int?) throws -> Snapshot {
    try FileText.snapshot(
      FileText.flag(bucketing: bucketing, rule), customData: declared)
  }

  private static func key(_ visitor: TestVisitor) throws -> String {
    let trace = try visitor.explain("flag")
    return "\(trace.hashKey) \(trace.hashKeySource) \(trace.outcome?.variationKey ?? "")"
  }

  @Test("without anything else it is the visitor code")
  func visitorCode() throws {
    let snapshot = try Self.snapshot(bucketing: nil)
    #expect(try Self.key(TestVisitor("visitor1", of: snapshot)) == "visitor1 visitorCode a")
    #expect(try Self.key(TestVisitor("anon", of: snapshot)) == "anon visitorCode on")
  }

  @Test("a mapping identifier replaces the visitor code")
  func mappingIdentifier() throws {
    let snapshot = try Self.snapshot(bucketing: nil)
    var visitor = TestVisitor("user", of: snapshot)
    visitor.record.adoptMappingIdentifier("anon")
    #expect(try Self.key(visitor) == "anon mappingIdentifier on")
    visitor.record.adoptMappingIdentifier("visitor1")
    #expect(try Self.key(visitor) == "anon mappingIdentifier on", "it is never changed")
  }

  @Test("an empty mapping identifier is none")
  func emptyMappingIdentifier() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(bucketing: nil))
    visitor.record.adoptMappingIdentifier("")
    visitor.add(4, "")
    #expect(try Self.key(visitor) == "visitor1 visitorCode a")
  }

  @Test("a visitor who logs in keeps the visitor code as hash key")
  func login() throws {
    var visitor = TestVisitor("anon", of: try Self.snapshot(bucketing: nil))
    #expect(
      visitor.add(.customData(index: 4, values: ["user"])) == .identified(as: "user"))
    #expect(try Self.key(visitor) == "anon mappingIdentifier on")
  }

  @Test("the first value of the bucketing custom data comes before all else")
  func bucketing() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(bucketing: 703))
    #expect(try Self.key(visitor) == "visitor1 visitorCode a")
    visitor.add(3, "acme", "user")
    #expect(try Self.key(visitor) == "acme customData on")
    visitor.record.adoptMappingIdentifier("anon")
    #expect(try Self.key(visitor) == "acme customData on")
    visitor.add(3, "user")
    #expect(try Self.key(visitor) == "user customData b")
  }

  @Test("an empty first value is a bucketing value too")
  func emptyValue() throws {
    var visitor = TestVisitor("anon", of: try Self.snapshot(bucketing: 703))
    visitor.add(3, "", "acme")
    #expect(try Self.key(visitor) == " customData a")
  }

  @Test("custom data without values leaves the hash key alone")
  func noValues() throws {
    var visitor = TestVisitor("anon", of: try Self.snapshot(bucketing: 703))
    visitor.add(3)
    #expect(try Self.key(visitor) == "anon visitorCode on")
    visitor.record.adoptMappingIdentifier("visitor1")
    #expect(try Self.key(visitor) == "visitor1 mappingIdentifier a")
  }

  @Test("index 0 is a legal index")
  func indexZero() throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(bucketing: 700))
    visitor.add(0, "acme")
    #expect(try Self.key(visitor) == "acme customData on")
  }

  @Test("an unknown bucketing id, or one without index, is as if absent", arguments: [999, 705, 3])
  func unknownID(_ id: Int) throws {
    var visitor = TestVisitor("visitor1", of: try Self.snapshot(bucketing: id))
    visitor.add(0, "acme")
    visitor.add(3, "acme")
    #expect(try Self.key(visitor) == "visitor1 visitorCode a")
  }

  @Test("the bucketing value hashes holdout, group, admission, variation and bandit alike")
  func everyHash() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(id: 1, group: "g", bucketing: 703, Self.rule),
      FileText.flag("other", id: 2, group: "g"),
      customData: Self.declared, holdout: FileText.holdout(in: 0))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.add(3, "acme")
    var trace = try visitor.explain("flag")
    #expect(trace.holdout?.hash.input == "acme900")
    #expect(trace.group?.hash?.input == "acmeg")
    if trace.group?.picked == "other" {
      visitor.add(3, "user")
      trace = try visitor.explain("flag")
    }
    let key = trace.hashKey
    try #require(trace.group?.picked == "flag", "one of both values must fall on the flag")
    #expect(trace.rules.first?.admission?.input == "\(key)1")
    #expect(trace.rules.first?.choice?.input == "\(key)101")
    visitor.add(.banditScores(BanditScores([101: [11: 1, 12: 1]])))
    #expect(try visitor.explain("flag").rules.first?.choice?.input == "\(key)101")
  }

  @Test("one visitor may be in the holdout for one flag and outside of it for another")
  func holdoutByFlag() throws {
    // Python's hashlib: visitor1900 is 0.7722, visitor2900 is 0.3498.
    let snapshot = try FileText.snapshot(
      FileText.flag("by code", Self.rule), FileText.flag("by datum", bucketing: 703, Self.rule),
      customData: Self.declared,
      holdout: FileText.holdout(in: 0.5, FileText.entry("out", 9002, 0.5)))
    var visitor = TestVisitor("visitor1", of: snapshot)
    visitor.add(3, "visitor2")
    #expect(visitor.answer("by code") == "a 11/101 experiment [1 served]")
    #expect(visitor.answer("by datum") == "off inHoldout []")
  }
}

/// Values of section 2.3 and of public reports on other SDKs.
@Suite("Visitor codes beyond ASCII")
struct UnicodeVisitorTests {
  private static let composed = "\u{E9}t\u{E9}"
  private static let decomposed = "e\u{301}te\u{301}"

  @Test("a composed and a decomposed code have the hashes of their own bytes")
  func hashes() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(42, FileText.entry("on", 1))))
    let values = try ["visitor1", Self.composed, Self.decomposed].map { code in
      try TestVisitor(code, of: snapshot).explain("flag").rules.first?.admission?.value
    }
    #expect(values == [0.021565004857451924, 0.30741217796724857, 0.6251586607928575])
    let single = try FileText.snapshot(
      FileText.flag(FileText.rule(7, FileText.entry("on", 1))))
    let short = try ["\u{E9}", "e\u{301}"].map { code in
      try TestVisitor(code, of: single).explain("flag").rules.first?.admission?.value
    }
    #expect(short == [0.7454561620571596, 0.4691209743720053])
  }

  @Test("they are different visitors to the store and to conditions")
  func differentVisitors() throws {
    var store = VisitorStore(seed: 1)
    let now = Timestamp(milliseconds: 5)
    store.withRecord(of: Self.composed, at: now) { $0.setLegalConsent(true) }
    #expect(store.record(of: Self.decomposed) == nil)
    store.withRecord(of: Self.decomposed, at: now) { $0.setLegalConsent(false) }
    #expect(store.record(of: Self.composed)?.consent == .given)
    #expect(store.record(of: Self.decomposed)?.consent == .refused)
    #expect(store.count == 2)

    let condition = FileText.condition(
      "VISITOR_CODE", "\"matchType\":\"EXACT\",\"visitorCode\":\"\(Self.composed)\"")
    let snapshot = try FileText.snapshot(
      FileText.flag(FileText.rule(1, segment: 5, FileText.entry("on", 11))),
      segments: FileText.segment(5, condition))
    #expect(
      TestVisitor(Self.composed, of: snapshot).answer() == "on 11/101 experiment [1 served]")
    #expect(
      TestVisitor(Self.decomposed, of: snapshot).answer() == "off noRuleApplied [1 notTargeted]")
  }

  @Test("a user identified by the other form of the own code is another user")
  func identification() throws {
    let snapshot = try FileText.snapshot(
      FileText.flag(), customData: "{\"index\":4,\"isMappingIdentifier\":true}")
    var visitor = TestVisitor(Self.composed, of: snapshot)
    #expect(visitor.add(.customData(index: 4, values: [Self.composed])) == .stored)
    #expect(
      visitor.add(.customData(index: 4, values: [Self.decomposed]))
        == .identified(as: Self.decomposed))
  }
}
