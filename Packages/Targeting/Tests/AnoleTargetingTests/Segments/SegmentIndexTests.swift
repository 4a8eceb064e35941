// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

struct StabilityCase: Sendable, CustomTestStringConvertible {
  let type: String
  let isStable: Bool
  init(_ type: String, _ isStable: Bool) {
    self.type = type
    self.isStable = isStable
  }
  var testDescription: String { type }

  /// A readable condition of the type.
  var condition: String {
    #"{"targetingType":"\#(type)","customDataIndex":"1","valueMatchType":"EXACT","value":"a","#
      + #""device":"PHONE","os":"IOS","country":"France","version":"1","versionMatchType":"EQUAL","#
      + #""sdkLanguage":"SWIFT","visitorCode":"v","matchType":"\#(matchType)","goalId":1,"#
      + #""featureFlagId":9,"experimentId":1,"variationMatchType":"ANY","personalizationId":1,"#
      + #""campaignType":"ANY","segmentId":1,"countInMillis":1,"visitCount":1,"visitorType":"NEW","#
      + #""keyMomentId":1,"lowerBound":0,"upperBound":1,"browser":"CHROME","name":"n","#
      + #""nameMatchType":"EXACT","url":"u","title":"t","pageCount":1}"#
  }

  private var matchType: String {
    ["FIRST_VISIT", "LAST_VISIT", "VISITS", "SAME_DAY_VISITS", "PAGE_VIEWS"].contains(type)
      ? "EQUAL" : "EXACT"
  }
}

private let stabilityCases: [StabilityCase] = [
  StabilityCase("CUSTOM_DATUM", true), StabilityCase("DEVICE_TYPE", true),
  StabilityCase("OPERATING_SYSTEM", true), StabilityCase("GEOLOCATION", true),
  StabilityCase("APPLICATION_VERSION", true), StabilityCase("SDK_LANGUAGE", true),
  StabilityCase("VISITOR_CODE", true), StabilityCase("CONVERSIONS", true),
  StabilityCase("TARGET_PERSONALIZATION", true), StabilityCase("SEGMENT", true),
  StabilityCase("FIRST_VISIT", true), StabilityCase("LAST_VISIT", true),
  StabilityCase("VISITS", true), StabilityCase("SAME_DAY_VISITS", true),
  StabilityCase("NEW_VISITORS", true), StabilityCase("HEAT_SLICE", true),
  StabilityCase("BROWSER", true), StabilityCase("COOKIE", true), StabilityCase("PAGE_URL", true),
  StabilityCase("PAGE_TITLE", true), StabilityCase("PREVIOUS_PAGE", true),
  StabilityCase("PAGE_VIEWS", true),
  // These look at assignments or at the campaign.
  StabilityCase("TARGET_FEATURE_FLAG", false), StabilityCase("TARGET_EXPERIMENT", false),
  StabilityCase("EXCLUSIVE_EXPERIMENT", false),
]

private let unstable =
  #"{"targetingType":"TARGET_EXPERIMENT","experimentId":1,"variationMatchType":"ANY"}"#
private func tree(_ conditions: String...) -> String { Fixture.tree(conditions) }

struct TransitiveCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let trees: [String]
  let expected: [Bool]
  init(_ name: String, _ trees: [String], _ expected: [Bool]) {
    testDescription = name
    self.trees = trees
    self.expected = expected
  }
}

private let transitiveCases: [TransitiveCase] = [
  TransitiveCase("no condition", ["null", "{}"], [true, true]),
  TransitiveCase(
    "forward reference", [tree(Fixture.reference(2)), tree(unstable), tree(Fixture.yes)],
    [false, false, true]),
  TransitiveCase(
    "backward reference", [tree(unstable), tree(Fixture.reference(1))], [false, false]),
  TransitiveCase(
    "through several segments",
    [
      tree(Fixture.reference(2)), tree(Fixture.yes, Fixture.reference(3)),
      tree(Fixture.excluded(Fixture.reference(4))), tree(unstable),
    ], [false, false, false, false]),
  TransitiveCase(
    "a stable cycle", [tree(Fixture.reference(2)), tree(Fixture.reference(1))], [true, true]),
  TransitiveCase(
    "an unstable condition in a cycle",
    [tree(Fixture.reference(2)), tree(Fixture.reference(1), unstable), tree(Fixture.yes)],
    [false, false, true]),
  TransitiveCase(
    "a reference into an unstable cycle",
    [
      tree(Fixture.reference(2), unstable), tree(Fixture.reference(1)),
      tree(Fixture.reference(2)),
    ], [false, false, false]),
  TransitiveCase("referring to itself", [tree(Fixture.reference(1))], [true]),
  TransitiveCase(
    "in a later group",
    [Fixture.tree(groups: [Fixture.group([]), Fixture.group([Fixture.yes, unstable])])], [false]),
  TransitiveCase(
    "an unreadable unstable condition", [tree(#"{"targetingType":"TARGET_EXPERIMENT"}"#)], [true]),
]

@Suite("Segment index")
struct SegmentIndexTests {
  @Test(
    "a segment is stable unless it looks at assignments or the campaign", arguments: stabilityCases)
  func stability(_ row: StabilityCase) throws {
    let flags = #","featureFlags":[{"id":9,"featureKey":"f","rules":[]}]"#
    for condition in [row.condition, Fixture.excluded(row.condition)] {
      let index = try Fixture.index(condition: condition, rest: flags)
      #expect(index.diagnostics.isEmpty)
      #expect(index.isStable(at: 0) == row.isStable)
    }
  }

  @Test("a segment is unstable if one it refers to is", arguments: transitiveCases)
  func transitive(_ row: TransitiveCase) throws {
    let index = try Fixture.index(trees: row.trees)
    #expect(row.trees.indices.map { index.isStable(at: $0) } == row.expected)
  }

  @Test("segments have the positions of the file")
  func positions() throws {
    let index = try Fixture.index(segments: [#"{"id":30}"#, #"{"id":10}"#, #"{"id":20}"#])
    #expect(index.count == 3)
    #expect((0..<3).map(index.id(at:)) == [30, 10, 20])
    #expect([30, 10, 20, 40].map(index.position(of:)) == [0, 1, 2, nil])
  }

  @Test("audiences are listed in file order")
  func audiences() throws {
    let index = try Fixture.index(segments: [
      #"{"id":30,"audienceTracking":true}"#, #"{"id":10}"#,
      #"{"id":20,"audienceTracking":false}"#, #"{"id":5,"audienceTracking":true}"#,
    ])
    #expect(index.audiences == [0, 3])
  }

  @Test("of two segments with one id the later wins")
  func duplicates() throws {
    let no = Fixture.tree([Fixture.no])
    let yes = Fixture.tree([Fixture.yes])
    let index = try Fixture.index(segments: [
      #"{"id":1,"conditionsData":\#(no)}"#, #"{"id":1,"conditionsData":\#(yes)}"#,
      #"{"id":2,"conditionsData":\#(Fixture.tree([Fixture.reference(1)]))}"#,
    ])
    let position = try #require(index.position(of: 1))
    #expect(position == 1)
    #expect(index.matches(segmentAt: position, Fixture.subject()))
    #expect(index.matches(segmentAt: 2, Fixture.subject()))
  }

  @Test("a file without segments makes an empty index")
  func empty() throws {
    let index = SegmentIndex(DataFile(), sdk: Fixture.sdk)
    #expect(index.count == 0 && index.audiences.isEmpty && index.diagnostics.isEmpty)
    #expect(index.position(of: 0) == nil)
  }

  @Test("readable conditions leave no diagnostics")
  func noDiagnostics() throws {
    let index = try Fixture.index(trees: [
      Fixture.tree([Fixture.yes, Fixture.no], operators: [true]), "{}", "null",
    ])
    #expect(index.diagnostics.isEmpty)
  }

  @Test("eight tasks ask one index at once")
  func concurrent() async throws {
    let pattern =
      #"{"targetingType":"VISITOR_CODE","matchType":"REGULAR_EXPRESSION","visitorCode":"v\\d+"}"#
    let index = try Fixture.index(trees: [
      tree(Fixture.reference(2), #"{"targetingType":"DEVICE_TYPE","device":"PHONE"}"#),
      tree(pattern),
    ])
    let right = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).count { number in
            let isPhone = number % 2 == 0
            let subject = Fixture.subject(
              [.device(isPhone ? .phone : .tablet)], code: "v\(number)")
            return index.answer(subject) == isPhone
              && index.explain(segmentAt: 0, subject).isMatch == isPhone
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(right == 1_600)
  }

  @Test("a diagnostic names the place in the file, also behind a segment that was left out")
  func pathsBehindDroppedSegments() throws {
    let text = #"""
      {"segments":[{"name":"no id"},{"id":1,"conditionsData":{"firstLevel":[
        {"conditions":[{"targetingType":"MOON_PHASE"}]}]}}]}
      """#
    let index = SegmentIndex(
      try DataFile(parsing: Array(text.utf8)), sdk: SDKIdentity(version: "1"))
    #expect(
      index.diagnostics.map(\.path) == [
        "segments[1].conditionsData.firstLevel[0].conditions[0]"
      ])
  }

  @Test("an absurd time zone offset counts as a day")
  func absurdOffset() {
    let now = Timestamp(milliseconds: 1_760_000_000_000)
    #expect(
      Moment(now: now, utcOffsetSeconds: .max) == Moment(now: now, utcOffsetSeconds: 86_400))
    #expect(
      Moment(now: now, utcOffsetSeconds: .min) == Moment(now: now, utcOffsetSeconds: -86_400))
  }
}
