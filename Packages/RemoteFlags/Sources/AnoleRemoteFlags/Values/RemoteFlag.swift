// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// One flag as the server decided it for this device and user.
///
/// A snapshot: later answers do not change it. Keys are compared byte by byte. No accessor converts: what
/// has another type than the one asked for, or is `null`, gives the default. Any thread may use it; the
/// accessors allocate nothing beyond what they return.
public struct RemoteFlag: Sendable {
  let content: FlagContent

  init(_ content: FlagContent) {
    self.content = content
  }

  /// The flag's key.
  public var key: String { content.entry.key }

  /// The flag's state for this device and user.
  public var isEnabled: Bool { content.entry.isEnabled }

  /// The id of the rule that decided, `default` when none matched, empty when the flag was killed.
  public var ruleID: String { content.entry.ruleID }

  /// Where the flag comes from; never ``RemoteFlagOrigin/default``.
  public var origin: RemoteFlagOrigin { content.source.origin }

  /// When the request that brought the flag was sent: milliseconds since the epoch.
  public var requestedAt: Int64 { content.source.requestedAt }

  /// The names of the values, in the order of their bytes.
  public var propertyKeys: [String] {
    let values = content.entry.values
    return (0..<values.count).map { values.key(at: $0) }
  }

  // MARK: Values

  /// The value of a String property.
  ///
  /// - Parameters:
  ///   - property: The name, exactly.
  ///   - defaultValue: What is returned when there is no such value or it is no string.
  public func string(forProperty property: String, default defaultValue: String?) -> String? {
    if case .string(let value)? = content.entry.values[property] { value } else { defaultValue }
  }

  /// The value of a Number property as the nearest double; never infinite, never NaN.
  ///
  /// `Int(flag.number(…))` traps beyond 64 bits, as for 1e19; use ``integer(forProperty:default:)``.
  ///
  /// - Parameters:
  ///   - property: The name, exactly.
  ///   - defaultValue: What is returned when there is no such value or it is no number.
  public func number(forProperty property: String, default defaultValue: Double) -> Double {
    content.entry.values[property]?.doubleValue ?? defaultValue
  }

  /// The value of a Number property that is mathematically an integer of 64 bits, exactly.
  ///
  /// - Parameters:
  ///   - property: The name, exactly.
  ///   - defaultValue: What is returned when there is no such value, no number or no such integer.
  public func integer(forProperty property: String, default defaultValue: Int64) -> Int64 {
    content.entry.values[property]?.integerValue ?? defaultValue
  }

  /// The value of a Boolean property.
  ///
  /// - Parameters:
  ///   - property: The name, exactly.
  ///   - defaultValue: What is returned when there is no such value or it is no Boolean.
  public func bool(forProperty property: String, default defaultValue: Bool) -> Bool {
    if case .bool(let value)? = content.entry.values[property] { value } else { defaultValue }
  }

  /// The members of a JSON property that holds an object, in the order of their keys' bytes.
  ///
  /// - Parameter property: The name, exactly.
  /// - Returns: Nil when there is no such value or it is no object.
  public func jsonObject(forProperty property: String) -> [JSONValue.Member]? {
    content.entry.values[property]?.objectValue
  }

  /// The elements of a JSON property that holds an array.
  ///
  /// - Parameter property: The name, exactly.
  /// - Returns: Nil when there is no such value or it is no array.
  public func jsonArray(forProperty property: String) -> [JSONValue]? {
    content.entry.values[property]?.arrayValue
  }

  /// A value of any type with the kind of each token kept.
  ///
  /// Members of objects are in the order of their keys' bytes.
  ///
  /// - Parameter property: The name, exactly.
  /// - Returns: Nil when there is no such value or it is `null`.
  public func value(forProperty property: String) -> JSONValue? {
    content.entry.values[property]
  }
}

extension RemoteFlag: Equatable {
  /// Whether key, state, rule and all values are the same, whatever answers they came with.
  public static func == (left: RemoteFlag, right: RemoteFlag) -> Bool {
    left.content === right.content || left.content.entry == right.content.entry
  }
}
