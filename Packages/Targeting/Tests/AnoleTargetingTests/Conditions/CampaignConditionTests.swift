// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

private let conversionCases: [ConditionCase] = {
  let goal = #"{"targetingType":"CONVERSIONS","goalId":5}"#
  let any = #"{"targetingType":"CONVERSIONS"}"#
  let zero = #"{"targetingType":"CONVERSIONS","goalId":0}"#
  return [
    ConditionCase("the goal", goal, [.converted(4), .converted(5)], is: true),
    ConditionCase("another goal", goal, [.converted(4)], is: false),
    ConditionCase("no conversion", goal, is: false),
    ConditionCase("any goal", any, [.converted(4)], is: true),
    ConditionCase("no conversion at all", any, is: false),
    ConditionCase("goal 0 is a goal", zero, [.converted(4)], is: false),
    ConditionCase("goal 0 converted", zero, [.converted(0)], is: true),
    ConditionCase(
      "unreadable goal is no absence", #"{"targetingType":"CONVERSIONS","goalId":"4"}"#,
      [.converted(4)], is: false),
  ]
}()

private func experiment(_ fields: String) -> String {
  #"{"targetingType":"TARGET_EXPERIMENT",\#(fields)}"#
}

private let experimentCases: [ConditionCase] = {
  let any = experiment(#""experimentId":5,"variationMatchType":"ANY""#)
  let exact = experiment(#""experimentId":5,"variationMatchType":"EXACT","variationId":51"#)
  let both = [VisitorDatum.assigned(4, 51), .assigned(5, 51)]
  return [
    ConditionCase("any variation", any, both, is: true),
    ConditionCase("another experiment", any, [.assigned(4, 51)], is: false),
    ConditionCase("no assignment", any, is: false),
    ConditionCase("the variation", exact, both, is: true),
    ConditionCase("another variation", exact, [.assigned(5, 52)], is: false),
    ConditionCase("the variation of another", exact, [.assigned(4, 51)], is: false),
    ConditionCase(
      "exact without variation", experiment(#""experimentId":5,"variationMatchType":"EXACT""#),
      both, is: false),
    ConditionCase(
      "no operator", experiment(#""experimentId":5,"variationId":51"#), both, is: false),
    ConditionCase(
      "another operator", experiment(#""experimentId":5,"variationMatchType":"CONTAINS""#), both,
      is: false),
    ConditionCase("no experiment", experiment(#""variationMatchType":"ANY""#), both, is: false),
  ]
}()

private let personalizationCases: [ConditionCase] = {
  let seven = #"{"targetingType":"TARGET_PERSONALIZATION","personalizationId":7}"#
  return [
    ConditionCase("seen", seven, [.personalized(6), .personalized(7)], is: true),
    ConditionCase("another one", seven, [.personalized(6)], is: false),
    ConditionCase("none", seven, is: false),
    ConditionCase(
      "no id", #"{"targetingType":"TARGET_PERSONALIZATION"}"#, [.personalized(7)], is: false),
  ]
}()

/// Flag 9 has two rules; flag 8 lends a variation id with another key.
private let flags =
  #","featureFlags":[{"id":8,"featureKey":"e","rules":[{"id":80,"experimentId":800,"#
  + #""variationByExposition":[{"variationKey":"off","variationId":8001}]}]},"#
  + #"{"id":9,"featureKey":"f","rules":[{"id":90,"experimentId":900,"variationByExposition":["#
  + #"{"variationKey":"on","variationId":9001},{"variationKey":"off","variationId":9002}]},"#
  + #"{"id":91,"experimentId":910,"variationByExposition":["#
  + #"{"variationKey":"on","variationId":9101},{"variationKey":"free"}]}]}]"#

private func flag(_ fields: String) -> String {
  #"{"targetingType":"TARGET_FEATURE_FLAG",\#(fields)}"#
}

private let flagCases: [ConditionCase] = {
  let nine = flag(#""featureFlagId":9"#)
  let on = flag(#""featureFlagId":9,"variationKey":"on""#)
  let rule = flag(#""featureFlagId":9,"ruleId":91"#)
  return [
    ConditionCase("some rule's experiment", nine, [.assigned(910, 1)], is: true),
    ConditionCase("another flag's experiment", nine, [.assigned(800, 8001)], is: false),
    ConditionCase("no assignment", nine, is: false),
    ConditionCase("the rule", rule, [.assigned(910, 9101)], is: true),
    ConditionCase("another rule", rule, [.assigned(900, 9001)], is: false),
    ConditionCase(
      "rule 0 is any rule", flag(#""featureFlagId":9,"ruleId":0"#), [.assigned(900, 1)], is: true),
    ConditionCase(
      "unknown rule", flag(#""featureFlagId":9,"ruleId":5"#), [.assigned(900, 1)], is: false),
    ConditionCase(
      "rule of another flag", flag(#""featureFlagId":9,"ruleId":80"#), [.assigned(800, 8001)],
      is: false),
    ConditionCase("the variation", on, [.assigned(900, 9001)], is: true),
    ConditionCase("the variation by another rule", on, [.assigned(910, 9101)], is: true),
    ConditionCase("another variation", on, [.assigned(900, 9002)], is: false),
    ConditionCase(
      "either rule may qualify", on, [.assigned(900, 9002), .assigned(910, 9101)], is: true),
    ConditionCase("a variation id nobody knows", on, [.assigned(900, 1)], is: false),
    ConditionCase(
      "the id is looked up in the whole file", flag(#""featureFlagId":9,"variationKey":"off""#),
      [.assigned(900, 8001)], is: true),
    ConditionCase(
      "rule and variation", flag(#""featureFlagId":9,"ruleId":90,"variationKey":"on""#),
      [.assigned(910, 9101)], is: false),
    ConditionCase(
      "an empty key is a key", flag(#""featureFlagId":9,"variationKey":"""#),
      [.assigned(900, 9001)],
      is: false),
    ConditionCase("unknown flag", flag(#""featureFlagId":7"#), [.assigned(900, 1)], is: false),
    ConditionCase("no flag", flag(#""ruleId":90"#), [.assigned(900, 1)], is: false),
    ConditionCase(
      "unreadable key is no absence", flag(#""featureFlagId":9,"variationKey":1"#),
      [.assigned(900, 9001)], is: false),
    ConditionCase(
      "unreadable rule is no absence", flag(#""featureFlagId":9,"ruleId":"90""#),
      [.assigned(900, 9001)], is: false),
  ]
}()

private let exclusiveCases: [ConditionCase] = {
  func exclusive(_ type: String) -> String {
    #"{"targetingType":"EXCLUSIVE_EXPERIMENT","campaignType":"\#(type)"}"#
  }
  let experiment = exclusive("EXPERIMENT")
  let personalization = exclusive("PERSONALIZATION")
  let any = exclusive("ANY")
  let own = [VisitorDatum.assigned(5, 1)]
  let other = [VisitorDatum.assigned(5, 1), .assigned(6, 1)]
  let person = [VisitorDatum.assigned(5, 1), .personalized(5)]
  return [
    ConditionCase("no items", experiment, campaign: 5, is: true),
    ConditionCase("no items, personalization", personalization, campaign: 5, is: true),
    ConditionCase("no items, any", any, campaign: 5, is: true),
    ConditionCase("own assignment", experiment, own, campaign: 5, is: true),
    ConditionCase("another assignment", experiment, other, campaign: 5, is: false),
    ConditionCase("only another assignment", experiment, [.assigned(6, 1)], campaign: 5, is: false),
    ConditionCase("personalizations do not matter", experiment, person, campaign: 5, is: true),
    ConditionCase("a personalization", personalization, person, campaign: 5, is: false),
    ConditionCase("assignments do not matter", personalization, other, campaign: 5, is: true),
    ConditionCase("any: own", any, own, campaign: 5, is: true),
    ConditionCase("any: another", any, other, campaign: 5, is: false),
    ConditionCase("any: personalization", any, person, campaign: 5, is: false),
    ConditionCase("no campaign", experiment, own, is: false),
    ConditionCase("no campaign, no items", any, is: false),
    ConditionCase("no campaign, personalization", personalization, is: false),
    ConditionCase("unknown campaign type", exclusive("FLAG"), campaign: 5, is: false),
    ConditionCase("lower-case campaign type", exclusive("any"), campaign: 5, is: false),
    ConditionCase(
      "no campaign type", #"{"targetingType":"EXCLUSIVE_EXPERIMENT"}"#, campaign: 5, is: false),
    // The holdout of these data files is experiment 99.
    ConditionCase(
      "the holdout is disregarded", experiment, own + [.assigned(99, 1)], campaign: 5, is: true),
    ConditionCase(
      "the holdout is disregarded for any", any, [.assigned(99, 1)], campaign: 5, is: true),
    ConditionCase(
      "beside the holdout others count", any, other + [.assigned(99, 1)], campaign: 5, is: false),
  ]
}()

@Suite("Conditions on conversions and campaigns (4.3, 4.5, 4.6)")
struct CampaignConditionTests {
  @Test("CONVERSIONS looks for a goal, or any", arguments: conversionCases)
  func conversions(_ row: ConditionCase) throws { try row.verify() }

  @Test("TARGET_EXPERIMENT looks for an assignment", arguments: experimentCases)
  func experiments(_ row: ConditionCase) throws { try row.verify() }

  @Test("TARGET_PERSONALIZATION looks for an entry", arguments: personalizationCases)
  func personalizations(_ row: ConditionCase) throws { try row.verify() }

  @Test("TARGET_FEATURE_FLAG goes through the flag's rules", arguments: flagCases)
  func featureFlags(_ row: ConditionCase) throws { try row.verify(rest: flags) }

  @Test("EXCLUSIVE_EXPERIMENT wants no other campaign", arguments: exclusiveCases)
  func exclusive(_ row: ConditionCase) throws {
    try row.verify(rest: #","holdout":{"experimentId":99,"variationByExposition":[]}"#)
  }

  @Test("without a holdout its experiment is like any other")
  func noHoldout() throws {
    let text = #"{"targetingType":"EXCLUSIVE_EXPERIMENT","campaignType":"EXPERIMENT"}"#
    let index = try Fixture.index(condition: text)
    #expect(!index.answer(Fixture.subject([.assigned(99, 1)]), campaign: 5))
  }

  @Test("a missing campaign is told in the trace")
  func noCampaign() throws {
    let text = #"{"targetingType":"EXCLUSIVE_EXPERIMENT","campaignType":"ANY"}"#
    #expect(try Fixture.index(condition: text).note() == "no current campaign")
    #expect(try Fixture.index(condition: text).note(campaign: 5) == nil)
  }
}
