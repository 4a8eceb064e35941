// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The fields of one condition object, read from JSON before its type is known.
struct ConditionFields {
  /// Every key that some condition type uses.
  enum Name: Int, CaseIterable {
    case targetingType, isInclude, customDataIndex, valueMatchType, value, device, os
    case country, region, city, version, versionMatchType, sdkLanguage, visitorCode, matchType
    case goalId, visitScope, visitCount, featureFlagId, variationKey, ruleId, experimentId
    case variationMatchType, variationId, personalizationId, campaignType, segmentId
    case countInMillis, visitorType, keyMomentId, lowerBound, upperBound, browser
    case name, nameMatchType, url, title, pageCount
  }

  enum Field {
    /// Not there, or null.
    case absent
    case text(String)
    case number(JSONNumber)
    case bool(Bool)
    /// A list or an object.
    case composite
  }

  private var fields = [Field](repeating: .absent, count: Name.allCases.count)
  /// The positions in ``fields`` that the last condition filled.
  private var filled: [Int] = []

  subscript(name: Name) -> Field { fields[name.rawValue] }

  /// The text of a field; nil if it is absent or no string.
  func text(_ name: Name) -> String? {
    if case .text(let text) = self[name] { text } else { nil }
  }

  /// The integer of a field; nil if it is absent or no integer.
  func integer(_ name: Name) -> Int64? {
    if case .number(let number) = self[name] { number.asInteger } else { nil }
  }

  /// The number of a field; nil if it is absent or no number.
  func number(_ name: Name) -> Double? {
    if case .number(let number) = self[name] { number.asDouble } else { nil }
  }

  func isAbsent(_ name: Name) -> Bool {
    if case .absent = self[name] { true } else { false }
  }

  /// Whether the condition is negated: only by an explicit `false` (section 4.1).
  var isExcluded: Bool {
    if case .bool(false) = self[.isInclude] { true } else { false }
  }

  /// Whether it is certain if the condition is negated.
  var isIncludeReadable: Bool {
    switch self[.isInclude] {
    case .absent, .bool: true
    case .text, .number, .composite: false
    }
  }

  /// Reads one value.
  ///
  /// - Returns: false if it is not an object.
  mutating func read(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    for position in filled { fields[position] = .absent }
    filled.removeAll(keepingCapacity: true)
    return try scanner.object { (key, scanner) throws(JSONError) in
      guard let name = Self.name(of: key) else { return try scanner.skip() }
      filled.append(name.rawValue)
      fields[name.rawValue] = try Self.field(&scanner)
    }
  }

  private static func field(_ scanner: inout JSONScanner) throws(JSONError) -> Field {
    switch try scanner.kind() {
    case .string: return try scanner.string().map(Field.text) ?? .absent
    case .number: return try scanner.number().map(Field.number) ?? .absent
    case .bool: return try scanner.bool().map(Field.bool) ?? .absent
    case .null:
      _ = try scanner.null()
      return .absent
    case .array, .object:
      try scanner.skip()
      return .composite
    }
  }

  private static func name(of key: JSONKey) -> Name? {
    switch key {
    case "targetingType": .targetingType
    case "isInclude": .isInclude
    case "customDataIndex": .customDataIndex
    case "valueMatchType": .valueMatchType
    case "value": .value
    case "device": .device
    case "os": .os
    case "country": .country
    case "region": .region
    case "city": .city
    case "version": .version
    case "versionMatchType": .versionMatchType
    case "sdkLanguage": .sdkLanguage
    case "visitorCode": .visitorCode
    case "matchType": .matchType
    case "goalId": .goalId
    case "visitScope": .visitScope
    case "visitCount": .visitCount
    case "featureFlagId": .featureFlagId
    case "variationKey": .variationKey
    case "ruleId": .ruleId
    case "experimentId": .experimentId
    case "variationMatchType": .variationMatchType
    case "variationId": .variationId
    case "personalizationId": .personalizationId
    case "campaignType": .campaignType
    case "segmentId": .segmentId
    case "countInMillis": .countInMillis
    case "visitorType": .visitorType
    case "keyMomentId": .keyMomentId
    case "lowerBound": .lowerBound
    case "upperBound": .upperBound
    case "browser": .browser
    case "name": .name
    case "nameMatchType": .nameMatchType
    case "url": .url
    case "title": .title
    case "pageCount": .pageCount
    default: nil
    }
  }
}
