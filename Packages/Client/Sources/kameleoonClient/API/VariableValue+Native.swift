// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation

extension VariableValue {
  /// The value as Swift's own type; nil for `null`.
  ///
  /// Never `NSNumber`, whose casts succeed between Booleans and numbers.
  var native: Any? {
    switch self {
    case .null: nil
    case .bool(let value): value
    case .int(let value): Int(value)
    case .double(let value): value
    case .string(let value): value
    case .json(let value): value.native
    }
  }

  /// Takes a value of one of Swift's own types, or of Foundation's; anything else counts as `null`.
  init(native value: Any?) {
    switch value.flatMap({ JSONValue(native: $0) }) {
    case nil: self = .null
    // A double that is whole stays one: whoever makes a variable means the type they give.
    case .number(.double(let value)): self = .double(value)
    case let value?: self.init(value)
    }
  }
}

extension JSONValue {
  /// The value as Swift's own type; nil for `null`.
  ///
  /// Members that are `null` are left out of dictionaries and stay as `NSNull` in lists, where leaving
  /// them out would move the others. Of two members with one key the last counts.
  var native: Any? {
    switch self {
    case .null: return nil
    case .bool(let value): return value
    case .string(let value): return value
    case .number(let number): return number.native
    case .array(let values): return values.map { $0.native ?? NSNull() }
    case .object(let members):
      var result: [String: Any] = [:]
      for member in members { result[member.key] = member.value.native }
      return result
    }
  }

  /// Takes a value of one of Swift's own types, or of Foundation's; nil for anything else.
  init?(native value: Any) {
    if type(of: value) is AnyClass {
      self.init(object: value)
      return
    }
    // No object is left here, and only objects cast between Booleans and numbers.
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as any BinaryInteger: self = .number(JSONNumber(value))
    case let value as any BinaryFloatingPoint: self.init(Double(value))
    case let value as String: self = .string(value)
    case let value as [String: Any]: self.init(members: value)
    case let value as [Any]: self.init(elements: value)
    default: return nil
    }
  }

  private init?(object: Any) {
    switch object {
    case is NSNull: self = .null
    case let number as NSNumber where number.isBoolean: self = .bool(number.boolValue)
    case let number as NSNumber where number.isFloating: self.init(number.doubleValue)
    case let number as NSNumber: self = .number(number.integer)
    case let text as NSString: self = .string(String(describing: text))
    case let members as [String: Any]: self.init(members: members)
    case let elements as [Any]: self.init(elements: elements)
    default: return nil
    }
  }

  private init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self = .number(.double(value))
  }

  /// Members in the order of their keys; those without a value of JSON are left out.
  private init(members: [String: Any]) {
    let sorted = members.sorted { $0.key < $1.key }
    self = .object(
      sorted.compactMap { key, value in
        JSONValue(native: value).map { Member(key: key, value: $0) }
      })
  }

  /// Elements in order; those without a value of JSON become `null`.
  private init(elements: [Any]) {
    self = .array(elements.map { JSONValue(native: $0) ?? .null })
  }
}

extension JSONNumber {
  /// `Int` where the number is a whole one of 64 bits, else `Double`; the text of one beyond both.
  fileprivate var native: Any {
    if let integer = asInteger { return Int(integer) }
    if let double = asDouble { return double }
    return description
  }

  fileprivate init(_ value: some BinaryInteger) {
    self = Int64(exactly: value).map { .integer($0) } ?? .big("\(value)")
  }
}

extension NSNumber {
  fileprivate var isBoolean: Bool {
    #if canImport(Darwin)
      CFGetTypeID(self) == CFBooleanGetTypeID()
    #else
      // Foundation for other systems says so by the C type; its 8-bit integers have another one.
      String(cString: objCType) == "c"
    #endif
  }

  fileprivate var isFloating: Bool {
    ["d", "f"].contains(String(cString: objCType))
  }

  fileprivate var integer: JSONNumber {
    let isUnsigned = ["Q", "L", "I"].contains(String(cString: objCType))
    return isUnsigned ? JSONNumber(uint64Value) : JSONNumber(int64Value)
  }
}
