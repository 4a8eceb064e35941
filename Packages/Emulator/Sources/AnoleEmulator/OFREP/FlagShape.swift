// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The type of a flag's value for clients that read one value a flag.
///
/// It follows from the flag and not from the variation that a visitor gets, so that a client which reads
/// the flag with the right type never meets another one:
///
/// | the flag's variations | type | value |
/// | --- | --- | --- |
/// | no variables, only the keys `on` and `off` | Boolean | whether the key is not `off` |
/// | no variables, other keys | string | the key |
/// | one variable, Booleans | Boolean | its value |
/// | one variable, strings | string | its value |
/// | one variable, integers | integer | its value |
/// | one variable, numbers | float | its value, always with a fraction or an exponent |
/// | one variable, objects | object | its value |
/// | one variable, lists or several kinds | object | the variable by its key |
/// | several variables | object | the variation's variables by their keys |
///
/// A variation that lacks the one variable, or has `null`, has no value: the client's own default counts.
enum FlagShape: Sendable, Hashable {
  /// What one variable is in every variation that has it.
  enum Kind: Sendable, Hashable {
    case boolean
    case string
    case integer
    case float
    case object
  }

  /// Whether the variation is active.
  case switching
  /// The variation's key.
  case variationKey
  /// One variable.
  case variable(String, Kind)
  /// All variables.
  case variables

  init(_ flag: FeatureFlag) {
    let variables = flag.variations.flatMap(\.variables)
    guard let first = variables.first else {
      let split = flag.rules.flatMap(\.split).map(\.variationKey)
      let keys = flag.variations.map(\.key) + split + [flag.defaultVariationKey]
      self = keys.allSatisfy { $0 == "on" || $0 == "off" } ? .switching : .variationKey
      return
    }
    guard variables.allSatisfy({ $0.key.hasSameBytes(as: first.key) }),
      let kind = Self.kind(variables.map(\.value))
    else {
      self = .variables
      return
    }
    self = .variable(first.key, kind)
  }

  /// What all values are; nil where they differ or are what no client reads.
  private static func kind(_ values: [VariableValue]) -> Kind? {
    var kind: Kind?
    for value in values where value != .null {
      guard let other = Self.kind(value) else { return nil }
      switch (kind, other) {
      case (nil, _): kind = other
      case (.integer, .float), (.float, .integer): kind = .float
      case (let known, _): if known != other { return nil }
      }
    }
    return kind
  }

  private static func kind(_ value: VariableValue) -> Kind? {
    switch value {
    case .null: nil
    case .bool: .boolean
    case .int: .integer
    case .double: .float
    case .string: .string
    case .json(let json): json.objectValue == nil ? nil : .object
    }
  }

  /// The value of a variation of the flag; nil if it has none.
  func value(variationKey: String, variables: [Variable]) -> JSONValue? {
    switch self {
    case .switching: return .bool(variationKey != "off")
    case .variationKey: return .string(variationKey)
    case .variables: return Self.object(variables)
    case .variable(_, let kind):
      // Should the variable occur twice, the last one counts.
      guard let value = variables.last?.value, value != .null else { return nil }
      guard kind == .float, let number = value.doubleValue else { return value.jsonValue }
      return .number(.double(number))
    }
  }

  private static func object(_ variables: [Variable]) -> JSONValue {
    var members: [JSONValue.Member] = []
    for variable in variables {
      members.removeAll { $0.key.hasSameBytes(as: variable.key) }
      members.append(.init(key: variable.key, value: variable.value.jsonValue))
    }
    return .object(members)
  }
}
