// SPDX-License-Identifier: Apache-2.0

/// The kind of a JSON value, told by its first byte.
public enum JSONKind: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool
  /// A number of any size.
  case number
  /// A string.
  case string
  /// A list.
  case array
  /// An object.
  case object
}

/// Walks once over the bytes of a JSON document and hands out what the caller asks for, without
/// building a tree.
///
/// A scanner exists only inside ``scan(_:maximumDepth:_:)``. Each reading method consumes exactly
/// one value and checks its grammar, also when the value is of another kind than the one asked for
/// (the answer is nil then), so that a reader can be lenient element by element and still reject
/// what is not JSON. Not for use from several threads at once.
public struct JSONScanner {
  /// How deep arrays and objects may nest unless the caller sets another limit.
  ///
  /// Reading recurses a level at a time; in an optimised build 512 levels stay far below the
  /// smallest usual thread stack (512 KiB). A debug build needs up to 4 MiB for them.
  public static let maximumDepth = 512

  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  var cursor: UnsafePointer<UInt8>
  private var remainingDepth: Int

  /// Runs `body` on a scanner over one JSON document.
  ///
  /// - Parameters:
  ///   - bytes: the document, UTF-8; a byte order mark in front is skipped.
  ///   - maximumDepth: how deep arrays and objects may nest.
  ///   - body: reads exactly one value. The scanner must not leave it.
  /// - Returns: what `body` returns.
  /// - Throws: ``JSONError`` if the bytes are not UTF-8, if `body` throws, or if anything but white
  ///   space follows the value.
  public static func scan<Result>(
    _ bytes: [UInt8],
    maximumDepth: Int = JSONScanner.maximumDepth,
    _ body: (inout JSONScanner) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try scan(bytes[...], maximumDepth: maximumDepth, body)
  }

  /// Runs `body` on a scanner over one JSON document that is part of an array, without a copy of it;
  /// offsets in errors count from its first byte.
  ///
  /// Otherwise like ``scan(_:maximumDepth:_:)-([UInt8],_,_)``.
  public static func scan<Result>(
    _ bytes: ArraySlice<UInt8>,
    maximumDepth: Int = JSONScanner.maximumDepth,
    _ body: (inout JSONScanner) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    let outcome = bytes.withUnsafeBufferPointer {
      buffer -> Swift.Result<Result, JSONError> in
      do throws(JSONError) {
        return .success(try scan(buffer, maximumDepth: maximumDepth, body))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private static func scan<Result>(
    _ buffer: UnsafeBufferPointer<UInt8>,
    maximumDepth: Int,
    _ body: (inout JSONScanner) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    if let offset = UTF8Validation.firstInvalidOffset(in: buffer) {
      throw JSONError(.invalidUTF8, at: offset, in: buffer)
    }
    guard let base = buffer.baseAddress else {
      throw JSONError(.unexpectedEnd, at: 0, in: buffer)
    }
    var scanner = JSONScanner(
      start: base, end: base + buffer.count, cursor: base, remainingDepth: maximumDepth)
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.cursor += 3 }
    let result = try body(&scanner)
    scanner.skipWhiteSpace()
    guard scanner.cursor == scanner.end else { throw scanner.error(.trailingBytes) }
    return result
  }

  // MARK: - Looking

  /// The kind of the next value; nothing is consumed but white space.
  public mutating func kind() throws(JSONError) -> JSONKind {
    switch try peek() {
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw error(.unexpectedByte)
    }
  }

  /// The offset of the next value's first byte.
  public mutating func offset() -> Int {
    skipWhiteSpace()
    return cursor - start
  }

  // MARK: - Scalars

  /// Reads a Boolean; nil for a value of another kind, which is skipped.
  public mutating func bool() throws(JSONError) -> Bool? {
    switch try peek() {
    case UInt8(ascii: "t"):
      try expect("true")
      return true
    case UInt8(ascii: "f"):
      try expect("false")
      return false
    default:
      try skip()
      return nil
    }
  }

  /// Reads a number that is mathematically a 64-bit integer; nil for anything else.
  public mutating func integer() throws(JSONError) -> Int64? {
    try number()?.asInteger
  }

  /// Reads a number as double; nil for a value of another kind or beyond the range of doubles.
  public mutating func double() throws(JSONError) -> Double? {
    try number()?.asDouble
  }

  /// Reads a number; nil for a value of another kind, which is skipped.
  public mutating func number() throws(JSONError) -> JSONNumber? {
    let byte = try peek()
    guard byte == UInt8(ascii: "-") || isDigit(byte) else {
      try skip()
      return nil
    }
    return try scanNumber()
  }

  /// Reads a string; nil for a value of another kind, which is skipped.
  public mutating func string() throws(JSONError) -> String? {
    guard try peek() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    return try scanString().string
  }

  // MARK: - Containers

  /// Reads an object member by member.
  ///
  /// - Parameter member: must consume exactly one value: the member's.
  /// - Returns: false if the value is not an object; it is skipped then.
  /// - Throws: ``JSONError`` if the value is not well-formed, or what `member` throws.
  public mutating func object(
    _ member: (JSONKey, inout JSONScanner) throws(JSONError) -> Void
  ) throws(JSONError) -> Bool {
    guard try peek() == UInt8(ascii: "{") else {
      try skip()
      return false
    }
    try enter()
    if try peek() == UInt8(ascii: "}") {
      leave()
      return true
    }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
      let key = try scanString()
      guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
      cursor += 1
      try member(key, &self)
      let byte = try peek()
      if byte == UInt8(ascii: "}") { break }
      guard byte == UInt8(ascii: ",") else { throw error(.unexpectedByte) }
      cursor += 1
    }
    leave()
    return true
  }

  /// Reads a list element by element.
  ///
  /// - Parameter element: must consume exactly one value: the element at the given index.
  /// - Returns: false if the value is not a list; it is skipped then.
  /// - Throws: ``JSONError`` if the value is not well-formed, or what `element` throws.
  public mutating func array(
    _ element: (Int, inout JSONScanner) throws(JSONError) -> Void
  ) throws(JSONError) -> Bool {
    guard try peek() == UInt8(ascii: "[") else {
      try skip()
      return false
    }
    try enter()
    if try peek() == UInt8(ascii: "]") {
      leave()
      return true
    }
    var index = 0
    while true {
      try element(index, &self)
      index += 1
      let byte = try peek()
      if byte == UInt8(ascii: "]") { break }
      guard byte == UInt8(ascii: ",") else { throw error(.unexpectedByte) }
      cursor += 1
    }
    leave()
    return true
  }

  /// Reads any value as a tree.
  public mutating func value() throws(JSONError) -> JSONValue {
    switch try kind() {
    case .null:
      try expect("null")
      return .null
    case .bool: return .bool(try bool() ?? false)
    case .number: return .number(try scanNumber())
    case .string: return .string(try scanString().string)
    case .array:
      var values: [JSONValue] = []
      _ = try array { (_, scanner) throws(JSONError) in values.append(try scanner.value()) }
      return .array(values)
    case .object:
      var members: [JSONValue.Member] = []
      _ = try object { (key, scanner) throws(JSONError) in
        members.append(JSONValue.Member(key: key.string, value: try scanner.value()))
      }
      return .object(members)
    }
  }

  /// Reads any value as text, after checking that it is well-formed.
  public mutating func raw() throws(JSONError) -> RawJSON {
    skipWhiteSpace()
    let first = cursor
    try skip()
    return RawJSON(validated: UnsafeBufferPointer(start: first, count: cursor - first))
  }

  /// Consumes `null` if it is next.
  public mutating func null() throws(JSONError) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try expect("null")
    return true
  }

  /// Consumes any value, checking its grammar.
  public mutating func skip() throws(JSONError) {
    switch try kind() {
    case .null: try expect("null")
    case .bool: _ = try bool()
    case .number: _ = try scanNumber()
    case .string: _ = try scanString()
    case .array: _ = try array { (_, scanner) throws(JSONError) in try scanner.skip() }
    case .object: _ = try object { (_, scanner) throws(JSONError) in try scanner.skip() }
    }
  }

  // MARK: - Bytes

  private mutating func enter() throws(JSONError) {
    guard remainingDepth > 0 else { throw error(.nestedTooDeeply) }
    remainingDepth -= 1
    cursor += 1
  }

  private mutating func leave() {
    remainingDepth += 1
    cursor += 1
  }

  @inline(__always)
  private mutating func peek() throws(JSONError) -> UInt8 {
    if cursor < end, cursor.pointee > 0x20 { return cursor.pointee }
    skipWhiteSpace()
    guard cursor < end else { throw error(.unexpectedEnd) }
    return cursor.pointee
  }

  private mutating func skipWhiteSpace() {
    while cursor < end {
      switch cursor.pointee {
      case 0x20, 0x0A, 0x0D, 0x09: cursor += 1
      default: return
      }
    }
  }

  private mutating func expect(_ literal: StaticString) throws(JSONError) {
    for offset in 0..<literal.utf8CodeUnitCount {
      guard cursor < end else { throw error(.unexpectedEnd) }
      guard cursor.pointee == literal.utf8Start[offset] else { throw error(.unexpectedByte) }
      cursor += 1
    }
  }

  func error(_ reason: JSONError.Reason) -> JSONError {
    let document = UnsafeBufferPointer(start: start, count: end - start)
    return JSONError(reason, at: cursor - start, in: document)
  }
}

/// A scanner points into the document and must not leave the reading closure.
@available(*, unavailable)
extension JSONScanner: Sendable {}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") < 10
}
