// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The event that a user has reached a feature.
struct FlagImpression: Sendable, Equatable {
  let flagKey: String
  let ruleID: String
  let isEnabled: Bool
  /// Seconds since the epoch.
  let time: Int64
  /// What local time is ahead of UTC, in seconds.
  let utcOffset: Int

  var members: [JSONValue.Member] {
    let attributes: JSONValue = [
      "flag_key": .string(flagKey), "rule_id": .string(ruleID), "enabled": .bool(isEnabled),
    ]
    return [
      JSONValue.Member(key: "event", value: "PW_FeatureFlagImpression"),
      JSONValue.Member(key: "attributes", value: attributes),
      JSONValue.Member(key: "timestampUTC", value: .number(.integer(time))),
      JSONValue.Member(
        key: "timestampCurrent", value: .number(.integer(time &+ Int64(utcOffset)))),
    ]
  }
}
