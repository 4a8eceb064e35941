// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The JSON text of a rule.
struct RuleText: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

/// Writes the JSON text of small data files.
///
/// By convention of the tests, rule n carries experiment 100 + n, and variation ids begin with
/// the experiment id.
enum FileText {
  static let sdk = SDKIdentity(version: "4.27.2")

  static func snapshot(text: String) throws -> Snapshot {
    Snapshot(try DataFile(parsing: Array(text.utf8)), sdk: sdk)
  }

  /// A compiled data file of some flags and whatever else it has.
  static func snapshot(
    _ flags: String..., customData: String = "", segments: String = "", holdout: String = "null",
    configuration: String = "{}"
  ) throws -> Snapshot {
    try snapshot(
      text: """
        {"configuration":\(configuration),"customData":[\(customData)],"segments":[\(segments)],
         "holdout":\(holdout),"featureFlags":[\(flags.joined(separator: ","))]}
        """)
  }

  /// The flag `flag`.
  static func flag(
    id: Int = 1, isEnabled: Bool = true, group: String? = nil, bucketing: Int? = nil,
    _ rules: RuleText...
  ) -> String {
    flag(
      "flag", id: id, isEnabled: isEnabled, group: group, bucketing: bucketing, rules: rules)
  }

  static func flag(
    _ key: String, id: Int = 1, isEnabled: Bool = true, default: String = "off",
    group: String? = nil, bucketing: Int? = nil, _ rules: RuleText...
  ) -> String {
    flag(
      key, id: id, isEnabled: isEnabled, default: `default`, group: group, bucketing: bucketing,
      rules: rules)
  }

  /// A flag with variations `off` (the default), `on`, `a` and `b`.
  static func flag(
    _ key: String, id: Int = 1, isEnabled: Bool = true, default: String = "off",
    group: String? = nil, bucketing: Int? = nil, rules: [RuleText]
  ) -> String {
    """
    {"id":\(id),"featureKey":"\(key)","environmentEnabled":\(isEnabled),
     "defaultVariationKey":"\(`default`)","variations":[{"key":"off","name":"Off"},
      {"key":"on","name":"On","variables":[{"key":"max_items","type":"NUMBER","value":3}]},
      {"key":"a","name":"A"},{"key":"b","name":"B"}],
     "mutuallyExclusiveGroup":\(group.map { "\"\($0)\"" } ?? "null"),
     "bucketingCustomDataId":\(number(bucketing)),"rules":[\(rules.map(\.text).joined(separator: ","))]}
    """
  }

  /// Rule n with experiment 100 + n, unless another experiment is named.
  static func rule(
    _ id: Int, type: String = "EXPERIMENTATION", experiment: Int? = nil, exposition: Double = 1,
    segment: Int? = nil, respoolTime: Int? = nil, _ entries: String...
  ) -> RuleText {
    RuleText(
      """
      {"id":\(id),"type":"\(type)","experimentId":\(experiment ?? id + 100),
       "exposition":\(exposition),"segmentId":\(number(segment)),
       "respoolTime":\(number(respoolTime)),
       "variationByExposition":[\(entries.joined(separator: ","))]}
      """)
  }

  static func delivery(
    _ id: Int, exposition: Double = 1, segment: Int? = nil, _ entries: String...
  ) -> RuleText {
    RuleText(
      """
      {"id":\(id),"type":"TARGETED_DELIVERY","experimentId":\(id + 100),
       "exposition":\(exposition),"segmentId":\(number(segment)),
       "variationByExposition":[\(entries.joined(separator: ","))]}
      """)
  }

  static func entry(_ key: String, _ id: Int?, _ exposition: Double = 1) -> String {
    "{\"variationKey\":\"\(key)\",\"variationId\":\(number(id)),\"exposition\":\(exposition)}"
  }

  /// A segment with one group of conditions joined by AND.
  static func segment(_ id: Int, isAudience: Bool = false, _ conditions: String...) -> String {
    """
    {"id":\(id),"audienceTracking":\(isAudience),"conditionsData":{"firstLevelOrOperators":[],
     "firstLevel":[{"orOperators":[\(conditions.dropFirst().map { _ in "false" }
      .joined(separator: ","))],"conditions":[\(conditions.joined(separator: ","))]}]}}
    """
  }

  /// The condition that custom datum `index` is exactly `value`.
  static func datum(_ index: Int, _ value: String, isInclude: Bool = true) -> String {
    """
    {"targetingType":"CUSTOM_DATUM","isInclude":\(isInclude),"customDataIndex":"\(index)",
     "valueMatchType":"EXACT","value":"\(value)"}
    """
  }

  /// A condition by its type and the text of its other members.
  static func condition(_ type: String, _ members: String = "", isInclude: Bool = true) -> String {
    let rest = members.isEmpty ? "" : ",\(members)"
    return "{\"targetingType\":\"\(type)\",\"isInclude\":\(isInclude)\(rest)}"
  }

  /// A holdout with experiment 900; its entries have the ids 9001 (in) and 9002 (out).
  static func holdout(in share: Double, _ others: String...) -> String {
    let entries = [entry("in-holdout", 9001, share)] + others
    return "{\"experimentId\":900,\"variationByExposition\":[\(entries.joined(separator: ","))]}"
  }

  static func consent(required: Bool = true, _ behavior: String) -> String {
    """
    {"consentType":"\(required ? "REQUIRED" : "NOT_REQUIRED")",
     "consentOptOutBehavior":"\(behavior)"}
    """
  }

  private static func number(_ value: Int?) -> String { value.map(String.init) ?? "null" }
}
