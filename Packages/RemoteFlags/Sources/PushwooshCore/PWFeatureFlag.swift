// SPDX-License-Identifier: Apache-2.0

public import AnoleRemoteFlags

/// One flag as the server decided it for this device and user; later answers do not change it.
///
/// No accessor converts: what has another type than the one asked for, or is `null`, gives the default.
/// Any thread may use it.
public final class PWFeatureFlag: Sendable {
  /// The flag itself, with what this API does not show, such as its origin and exact integers.
  public let flag: RemoteFlag

  init(_ flag: RemoteFlag) {
    self.flag = flag
  }

  /// The flag's key.
  public var key: String { flag.key }

  /// The flag's state for this device.
  public var isEnabled: Bool { flag.isEnabled }

  /// The id of the rule that decided, `default` when none matched, empty when the flag was killed.
  public var ruleId: String { flag.ruleID }

  /// The value of a String property, else the default.
  public func string(
    forProperty property: String, default defaultValue: String?
  ) -> String? {
    flag.string(forProperty: property, default: defaultValue)
  }

  /// The value of a Number property, else the default; never infinite, never NaN.
  ///
  /// `Int(flag.number(…))` traps for values beyond 64 bits, such as 1e19: use `Int(exactly:)`, or
  /// `flag.flag.integer(forProperty:default:)`.
  public func number(forProperty property: String, default defaultValue: Double) -> Double {
    flag.number(forProperty: property, default: defaultValue)
  }

  /// The value of a Boolean property, else the default.
  public func bool(forProperty property: String, default defaultValue: Bool) -> Bool {
    flag.bool(forProperty: property, default: defaultValue)
  }

  /// The dictionary of a JSON property that holds an object, else nil.
  ///
  /// Values are `String`, `Bool`, `Int` (for integers of 64 bits), `Double`, `NSNull`, `[Any]` and
  /// `[String: Any]`. Of keys that Swift takes as equal strings one is left.
  public func jsonObject(forProperty property: String) -> [String: Any]? {
    flag.jsonObject(forProperty: property).map(PropertyValue.dictionary)
  }

  /// The array of a JSON property that holds an array, else nil; elements as in ``jsonObject(forProperty:)``.
  public func jsonArray(forProperty property: String) -> [Any]? {
    flag.jsonArray(forProperty: property).map { $0.map(PropertyValue.any) }
  }
}
