// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

private func datum(_ match: String, _ value: String) -> String {
  #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"3","valueMatchType":"\#(match)","#
    + #""value":\#(value)}"#
}

private let assignmentBased: [String] = [
  #"{"targetingType":"TARGET_FEATURE_FLAG","featureFlagId":9}"#,
  #"{"targetingType":"TARGET_EXPERIMENT","experimentId":5,"variationMatchType":"ANY"}"#,
  #"{"targetingType":"TARGET_PERSONALIZATION","personalizationId":5}"#,
  #"{"targetingType":"EXCLUSIVE_EXPERIMENT","campaignType":"ANY"}"#,
]

/// The rows of table 8.2 that concern targeting.
@Suite("Where the SDKs differ (8.2)")
struct DivergenceTests {
  @Test("Unknown condition: false, then negated")
  func unknownCondition() throws {
    try ConditionCase("", #"{"targetingType":"SKY_STATUS","value":"blue"}"#, is: false).verify()
  }

  @Test("isInclude on assignment-based conditions: honoured", arguments: assignmentBased)
  func isInclude(_ condition: String) throws {
    let flag = #","featureFlags":[{"id":9,"featureKey":"f","rules":[{"id":1,"experimentId":5}]}]"#
    let index = try Fixture.index(
      trees: [Fixture.tree([condition]), Fixture.tree([Fixture.excluded(condition)])], rest: flag)
    for data in [[], [VisitorDatum.assigned(5, 1)], [.personalized(5)]] {
      let subject = Fixture.subject(data)
      let isMatch = index.matches(segmentAt: 0, subject, campaign: 5)
      #expect(index.matches(segmentAt: 1, subject, campaign: 5) == !isMatch)
    }
  }

  @Test("Regular expressions: whole value")
  func regularExpressions() throws {
    let condition = datum("REGULAR_EXPRESSION", #""old""#)
    try ConditionCase("", condition, [.values(3, "old")], is: true).verify()
    try ConditionCase("", condition, [.values(3, "golden")], is: false).verify()
  }

  @Test("EQUAL on custom data: tolerance 1e-9")
  func equalOnCustomData() throws {
    let condition = datum("EQUAL", "1")
    try ConditionCase("", condition, [.values(3, "1.0000000009")], is: true).verify()
    try ConditionCase("", condition, [.values(3, "1.0000000011")], is: false).verify()
  }

  @Test("TRUE/FALSE: exact text", arguments: ["True", "TRUE", "t", "1", "yes", " true"])
  func trueFalse(_ spelling: String) throws {
    try ConditionCase("", datum("TRUE", "null"), [.values(3, spelling)], is: false).verify()
    try ConditionCase("", datum("TRUE", "null"), [.values(3, "true")], is: true).verify()
    try ConditionCase("", datum("FALSE", "null"), [.values(3, "false")], is: true).verify()
  }

  @Test("Unreadable numbers among several values: skipped")
  func unreadableNumbers() throws {
    let condition = datum("GREATER", "5")
    try ConditionCase("", condition, [.values(3, "six", "6")], is: true).verify()
    try ConditionCase("", condition, [.values(3, "6 apples")], is: false).verify()
  }

  @Test("Visit scopes: yes")
  func visitScopes() throws {
    let condition =
      #"{"targetingType":"CONVERSIONS","goalId":1,"visitScope":"CURRENT_VISIT"}"#
    let yesterday = VisitorDatum.previousVisits(Time.now - Time.day)
    let old = VisitorDatum.converted(1, at: Time.now - Time.day)
    try ConditionCase("", condition, [yesterday, old], is: false).verify()
    try ConditionCase("", condition, [yesterday, .converted(1)], is: true).verify()
  }

  @Test("Empty segment via SEGMENT: true", arguments: ["null", "{}", #"{"firstLevel":[]}"#])
  func emptySegment(_ tree: String) throws {
    let index = try Fixture.index(trees: [Fixture.tree([Fixture.reference(2)]), tree])
    #expect(index.answer())
  }

  @Test("Geolocation case folding: lower case, Unicode")
  func geolocation() throws {
    let condition = #"{"targetingType":"GEOLOCATION","country":"CÔTE D'IVOIRE"}"#
    try ConditionCase("", condition, [.place("Côte d'Ivoire")], is: true).verify()
    let sigma = #"{"targetingType":"GEOLOCATION","country":"ΕΛΛΑΔΑ"}"#
    try ConditionCase("", sigma, [.place("Ελλαδα")], is: true).verify()
  }

  @Test("Pre-release versions: cut off", arguments: ["1.2.3-beta.1", "1.2.3+45", "1.2.3-rc+7"])
  func preReleaseVersions(_ version: String) throws {
    let condition =
      #"{"targetingType":"APPLICATION_VERSION","version":"1.2.3","versionMatchType":"EQUAL"}"#
    try ConditionCase("", condition, [.applicationVersion(version)], is: true).verify()
  }
}
