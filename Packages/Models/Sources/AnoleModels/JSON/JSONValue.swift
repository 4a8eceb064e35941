// SPDX-License-Identifier: Apache-2.0

/// One JSON value with the kind of each token kept: `true` is never `1`, `1` is never `true`.
///
/// Object members keep their order, duplicates included; keys and strings are compared byte by byte,
/// so that `é` and `e` + combining accent are two keys.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, see ``JSONNumber``.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// A list in its order.
  case array([JSONValue])
  /// The members in their order.
  case object([Member])

  /// One key and its value.
  public struct Member: Sendable, Hashable {
    /// The key, exactly as written after unescaping.
    public let key: String
    /// The value.
    public let value: JSONValue

    /// Makes a member.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    /// Whether key bytes and values are the same; unlike `String`, no canonical equivalence.
    public static func == (left: Member, right: Member) -> Bool {
      left.key.hasSameBytes(as: right.key) && left.value == right.value
    }

    /// Feeds the key's bytes and the value.
    public func hash(into hasher: inout Hasher) {
      for byte in key.utf8 { hasher.combine(byte) }
      hasher.combine(value)
    }
  }

  /// Reads a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the whole text, UTF-8, with or without a byte order mark.
  ///   - maximumDepth: how deep arrays and objects may nest; see ``JSONScanner/maximumDepth``.
  /// - Throws: ``JSONError`` with the position of what is wrong.
  public init(
    parsing bytes: [UInt8], maximumDepth: Int = JSONScanner.maximumDepth
  ) throws(JSONError) {
    self = try JSONScanner.scan(bytes, maximumDepth: maximumDepth) {
      (scanner) throws(JSONError) in try scanner.value()
    }
  }

  /// Reads a JSON text from a string.
  ///
  /// - Throws: ``JSONError`` with the position of what is wrong.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }
}

extension JSONValue {
  /// Whether kind and content are the same; unlike `String`, no canonical equivalence.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The Boolean, or nil for every other kind; numbers and strings are not converted.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer where the number is one mathematically and fits 64 bits; else nil.
  public var integerValue: Int64? {
    if case .number(let number) = self { number.asInteger } else { nil }
  }

  /// The nearest double of a number; nil for other kinds and beyond the range of doubles.
  public var doubleValue: Double? {
    if case .number(let number) = self { number.asDouble } else { nil }
  }

  /// The string, or nil for every other kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The list, or nil for every other kind.
  public var arrayValue: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The members, or nil for every other kind.
  public var objectValue: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value of a key (the last one if the key occurs twice); nil if there is none.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key.hasSameBytes(as: key) }?.value
  }

  /// An element of a list; nil outside its bounds and for every other kind.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .number(.integer(value)) }
  /// A double.
  public init(floatLiteral value: Double) { self = .number(.double(value)) }
  /// A list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object whose members keep the literal's order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
