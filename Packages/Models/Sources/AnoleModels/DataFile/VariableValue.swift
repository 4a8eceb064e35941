// SPDX-License-Identifier: Apache-2.0

/// The value of a flag's variable as the application gets it (section 1.7).
///
/// The kinds are never converted into each other: a Boolean is not a number, a number is not a
/// Boolean or a string.
public enum VariableValue: Sendable, Hashable {
  /// No value: `null`, or a `JSON` variable whose text does not parse.
  case null
  /// A Boolean.
  case bool(Bool)
  /// A number that is mathematically an integer of 64 bits (`5`, also `5.0`).
  case int(Int64)
  /// Any other number.
  case double(Double)
  /// A string; also the text of a number beyond the range of doubles.
  case string(String)
  /// A parsed document: a list or an object.
  case json(JSONValue)

  /// The value of a JSON token, by its own kind.
  public init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .array, .object: self = .json(value)
    case .number(let number):
      if let integer = number.asInteger {
        self = .int(integer)
      } else if let double = number.asDouble {
        self = .double(double)
      } else {
        self = .string(number.description)
      }
    }
  }

  /// The value as JSON.
  public var jsonValue: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .number(.integer(value))
    case .double(let value): .number(.double(value))
    case .string(let value): .string(value)
    case .json(let value): value
    }
  }

  /// The Boolean, or nil for every other kind.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer, or nil for every other kind.
  public var intValue: Int64? {
    if case .int(let value) = self { value } else { nil }
  }

  /// The number as double (rounded if need be), or nil for every other kind.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The string, or nil for every other kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }
}

/// A variable of a variation (section 1.7).
public struct Variable: Sendable, Hashable {
  /// The key application code asks for.
  public let key: String
  /// The declared type: `BOOLEAN`, `NUMBER`, `STRING`, `JSON`, `CSS`, `JS`, or whatever the file
  /// says; empty if it says nothing.
  public let type: String
  /// The converted value.
  public let value: VariableValue

  /// Makes a variable with a converted value.
  public init(key: String, type: String, value: VariableValue) {
    self.key = key
    self.type = type
    self.value = value
  }
}
