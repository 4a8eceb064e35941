// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The form in which flags are asked for and answered.
///
/// Everything that no public source tells is behind this protocol and in this file, so that the real form
/// can take its place (remote flags specification, section 2.6).
protocol FeatureFlagWire: Sendable {
  /// The address to ask; nil when the base URL cannot serve flags (RF-92).
  ///
  /// - Parameter base: A base URL with a slash at its end.
  func url(base: String) -> String?

  /// The body of the request.
  func body(_ identity: DeviceIdentity) -> [UInt8]

  /// Reads an answer with status 200.
  func decode(_ body: [UInt8]) throws(UnusableAnswer) -> FeatureFlagAnswer
}

/// An answer that can be used.
struct FeatureFlagAnswer: Sendable {
  /// The entries that could be read, in the order of the answer.
  let flags: [FlagEntry]
  /// False when the server could not match the device's segments in time.
  let isComplete: Bool
  /// The base URL for later requests, as the server wrote it.
  let baseURL: String?
}

/// The form chosen in sections 2.3 and 2.4 of the specification.
struct JSONFeatureFlagWire: FeatureFlagWire {
  func url(base: String) -> String? {
    base.hasSuffix("json/1.3/") ? base + "getFeatureFlags" : nil
  }

  func body(_ identity: DeviceIdentity) -> [UInt8] {
    identity.body()
  }

  func decode(_ body: [UInt8]) throws(UnusableAnswer) -> FeatureFlagAnswer {
    let envelope = try Envelope(reading: body)
    guard let response = envelope.response, case .object = response else {
      throw UnusableAnswer("the answer's response is no object")
    }
    guard let flags = response["flags"]?.arrayValue else {
      throw UnusableAnswer("the answer's response has no array flags")
    }
    let partial = response["partial"]
    return FeatureFlagAnswer(
      flags: flags.compactMap(FlagEntryForm.entry), isComplete: partial.map { $0 == false } ?? true,
      baseURL: envelope.baseURL)
  }
}

/// One element of the array of flags, in answers and in the store.
enum FlagEntryForm {
  /// How deep arrays and objects of a value may nest.
  static let maximumDepth = 64

  /// Reads an element; nil when it lacks what a flag must have (RF-78).
  static func entry(_ value: JSONValue) -> FlagEntry? {
    guard let key = value["key"]?.stringValue, !key.isEmpty,
      let isEnabled = value["enabled"]?.boolValue, let ruleID = value["rule_id"]?.stringValue
    else { return nil }
    var values: [ExactText: JSONValue] = [:]
    for member in value["properties"]?.objectValue ?? [] {
      // Also where the last of two members is unusable the first does not count.
      let value = member.value.isNull ? Optional.none : usable(member.value, level: 0)
      values[ExactText(member.key)] = value
    }
    return FlagEntry(
      key: key, isEnabled: isEnabled, ruleID: ruleID, values: ByteTable(values))
  }

  /// Writes an element.
  static func json(_ entry: FlagEntry) -> JSONValue {
    let members = entry.values.values.enumerated().map { index, value in
      JSONValue.Member(key: entry.values.key(at: index), value: value)
    }
    return .object([
      JSONValue.Member(key: "key", value: .string(entry.key)),
      JSONValue.Member(key: "enabled", value: .bool(entry.isEnabled)),
      JSONValue.Member(key: "rule_id", value: .string(entry.ruleID)),
      JSONValue.Member(key: "properties", value: .object(members)),
    ])
  }

  /// A value in the form in which it is kept, with members sorted and the last of each name; nil when it
  /// nests too deeply or has a number beyond the range of doubles.
  private static func usable(_ value: JSONValue, level: Int) -> JSONValue? {
    switch value {
    case .null, .bool, .string:
      return value
    case .number(let number):
      guard number.asDouble != nil else { return nil }
      return value
    case .array(let elements):
      guard level < maximumDepth else { return nil }
      var kept: [JSONValue] = []
      for element in elements {
        guard let element = usable(element, level: level + 1) else { return nil }
        kept.append(element)
      }
      return .array(kept)
    case .object(let members):
      guard level < maximumDepth else { return nil }
      var kept: [ExactText: JSONValue] = [:]
      for member in members {
        guard let value = usable(member.value, level: level + 1) else { return nil }
        kept[ExactText(member.key)] = value
      }
      let sorted = kept.sorted { $0.key.text.precedesByBytes($1.key.text) }
      return .object(sorted.map { JSONValue.Member(key: $0.key.text, value: $0.value) })
    }
  }
}
