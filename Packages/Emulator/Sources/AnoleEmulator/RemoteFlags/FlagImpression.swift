// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A report that somebody reached a feature behind a remote flag.
public struct FlagImpression: Sendable, Hashable {
  /// The application code.
  public let application: String
  /// The device id.
  public let device: String
  /// The user id.
  public let user: String
  /// The flag's key.
  public let key: String
  /// The rule that decided, `default`, or empty for a killed flag.
  public let ruleID: String
  /// The state of the flag.
  public let isEnabled: Bool

  /// The event that carries impressions.
  static let eventName = "PW_FeatureFlagImpression"

  /// nil if the request is no impression.
  init?(_ request: RecordedRequest) {
    guard request.route == .postEvent, request.isComplete, let body = request.decodedBody,
      let message = DeviceMessage(body), message.event == Self.eventName,
      let key = message.attributes?["flag_key"]?.stringValue,
      let ruleID = message.attributes?["rule_id"]?.stringValue,
      let isEnabled = message.attributes?["enabled"]?.boolValue
    else { return nil }
    application = message.application
    device = message.subject.device
    user = message.subject.user
    self.key = key
    self.ruleID = ruleID
    self.isEnabled = isEnabled
  }
}
