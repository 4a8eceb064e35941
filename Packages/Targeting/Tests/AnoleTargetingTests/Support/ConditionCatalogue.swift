// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Readable conditions of every type, and a visitor whom all of them match.
enum ConditionCatalogue {
  static let campaign: Int64 = 5

  static let rest =
    #","featureFlags":[{"id":9,"featureKey":"f","rules":[{"id":90,"experimentId":5,"#
    + #""variationByExposition":[{"variationKey":"on","variationId":51}]}]}],"#
    + #""holdout":{"experimentId":99,"variationByExposition":[]}"#

  /// For ``conditions``; the segment that `SEGMENT` refers to has the id 2.
  static let data: [VisitorDatum] = [
    .values(3, "true", "gold", "10"), .values(4, "false"), .device(.phone), .operatingSystem(.iOS),
    .place("France", "Rhône", "Lyon"), .applicationVersion("1.2.3"), .converted(5),
    .assigned(5, 51), .personalized(7, at: Time.visitStart - 1),
    .previousVisits(Time.now - Time.day), .keyMomentScores([3: [5: 40]]),
    .browser(Browser(type: .chrome, version: 12)),
    .cookies([Cookie(name: "plan", value: "gold")]), .page("https://x/b", "Beta", at: Time.now),
    .page("https://x/a", "Alpha", count: 2, at: Time.now - 1),
  ]

  static let conditions: [String] =
    customData + [
      #"{"targetingType":"DEVICE_TYPE","device":"PHONE"}"#,
      #"{"targetingType":"OPERATING_SYSTEM","os":"IOS"}"#,
      #"{"targetingType":"GEOLOCATION","country":"france","region":"rhône","city":"lyon"}"#,
      #"{"targetingType":"APPLICATION_VERSION","version":"1.2","versionMatchType":"GREATER"}"#,
      #"{"targetingType":"SDK_LANGUAGE","sdkLanguage":"SWIFT","version":"4","#
        + #""versionMatchType":"GREATER"}"#,
      #"{"targetingType":"VISITOR_CODE","visitorCode":"visitor","matchType":"EXACT"}"#,
      #"{"targetingType":"CONVERSIONS","goalId":5,"visitScope":"VISITOR","visitCount":3}"#,
      #"{"targetingType":"TARGET_FEATURE_FLAG","featureFlagId":9,"variationKey":"on","ruleId":90}"#,
      #"{"targetingType":"TARGET_EXPERIMENT","experimentId":5,"variationMatchType":"EXACT","#
        + #""variationId":51}"#,
      #"{"targetingType":"TARGET_PERSONALIZATION","personalizationId":7,"visitScope":"VISITOR"}"#,
      #"{"targetingType":"EXCLUSIVE_EXPERIMENT","campaignType":"EXPERIMENT"}"#,
      #"{"targetingType":"SEGMENT","segmentId":2}"#,
      #"{"targetingType":"FIRST_VISIT","countInMillis":5,"matchType":"GREATER"}"#,
      #"{"targetingType":"LAST_VISIT","countInMillis":5,"matchType":"GREATER"}"#,
      #"{"targetingType":"VISITS","visitCount":2,"matchType":"EQUAL"}"#,
      #"{"targetingType":"SAME_DAY_VISITS","visitCount":5,"matchType":"LOWER"}"#,
      #"{"targetingType":"NEW_VISITORS","visitorType":"RETURNING"}"#,
      #"{"targetingType":"HEAT_SLICE","keyMomentId":3,"goalId":5,"lowerBound":0,"upperBound":50}"#,
      #"{"targetingType":"BROWSER","browser":"CHROME","version":"11","#
        + #""versionMatchType":"GREATER"}"#,
      #"{"targetingType":"COOKIE","name":"plan","nameMatchType":"EXACT","value":"old","#
        + #""valueMatchType":"CONTAINS"}"#,
      #"{"targetingType":"PAGE_URL","url":"https://x/.","matchType":"REGULAR_EXPRESSION"}"#,
      #"{"targetingType":"PAGE_TITLE","title":"Beta","matchType":"EXACT"}"#,
      #"{"targetingType":"PREVIOUS_PAGE","url":"/a","matchType":"CONTAINS"}"#,
      #"{"targetingType":"PAGE_VIEWS","pageCount":3,"matchType":"EQUAL"}"#,
    ]

  private static let customData: [String] =
    [
      ("EXACT", #""gold""#), ("CONTAINS", #""ol""#), ("REGULAR_EXPRESSION", #""g.*d""#),
      ("EQUAL", #""10""#), ("GREATER", "9"), ("LOWER", #""11""#), ("TRUE", "null"),
      ("AMONG_VALUES", #""[\"gold\",5]""#),
    ].map {
      #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"3","valueMatchType":"\#($0.0)","#
        + #""value":\#($0.1)}"#
    } + [
      #"{"targetingType":"CUSTOM_DATUM","customDataIndex":4,"valueMatchType":"FALSE"}"#,
      #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"8","valueMatchType":"UNDEFINED"}"#,
    ]
}
