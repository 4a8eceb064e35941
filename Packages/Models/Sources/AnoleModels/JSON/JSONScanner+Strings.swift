// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A member's key as it stands in the document, to be compared with the keys a reader knows.
///
/// Valid only inside the closure that receives it.
public struct JSONKey {
  let bytes: UnsafeBufferPointer<UInt8>
  let unescaped: String?

  /// The key as a string.
  public var string: String {
    unescaped ?? String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the key has exactly the bytes of the literal; for use in `switch`.
  @inline(__always)
  public static func ~= (literal: StaticString, key: JSONKey) -> Bool {
    key.matches(literal)
  }

  @inline(__always)
  func matches(_ literal: StaticString) -> Bool {
    guard unescaped == nil else { return matchesUnescaped(literal) }
    guard bytes.count == literal.utf8CodeUnitCount, let base = bytes.baseAddress else {
      return bytes.isEmpty && literal.utf8CodeUnitCount == 0
    }
    return memcmp(base, literal.utf8Start, bytes.count) == 0
  }

  private func matchesUnescaped(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer { buffer in string.utf8.elementsEqual(buffer) }
  }
}

/// A key points into the document and must not leave the reading closure.
@available(*, unavailable)
extension JSONKey: Sendable {}

extension JSONScanner {
  /// Consumes a string; the cursor is on its opening quote.
  mutating func scanString() throws(JSONError) -> JSONKey {
    cursor += 1
    let first = cursor
    let byte = try scanToSpecial()
    let plain = UnsafeBufferPointer(start: first, count: cursor - first)
    guard byte == UInt8(ascii: "\\") else {
      cursor += 1
      return JSONKey(bytes: plain, unescaped: nil)
    }
    return JSONKey(bytes: plain, unescaped: try scanEscapedString(after: plain))
  }

  /// Moves to the next quote or backslash and returns it.
  @inline(__always)
  private mutating func scanToSpecial() throws(JSONError) -> UInt8 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while end - cursor >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let isQuote = (quote &- ones) & ~quote
      let isBackslash = (backslash &- ones) & ~backslash
      let isControl = (word &- ones &* 0x20) & ~word
      let found = (isQuote | isBackslash | isControl) & highs
      if found == 0 {
        cursor += 8
        continue
      }
      cursor += found.trailingZeroBitCount / 8
      break
    }
    while cursor < end {
      let byte = cursor.pointee
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return byte }
      guard byte >= 0x20 else { throw error(.controlCharacter) }
      cursor += 1
    }
    throw error(.unexpectedEnd)
  }

  private mutating func scanEscapedString(
    after plain: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> String {
    var bytes = Array(plain)
    while true {
      let first = cursor
      let special = try scanToSpecial()
      bytes.append(contentsOf: UnsafeBufferPointer(start: first, count: cursor - first))
      if special == UInt8(ascii: "\"") {
        cursor += 1
        return String(decoding: bytes, as: UTF8.self)
      }
      try scanEscape(into: &bytes)
    }
  }

  private mutating func scanEscape(into bytes: inout [UInt8]) throws(JSONError) {
    cursor += 1
    guard cursor < end else { throw error(.unexpectedEnd) }
    let byte = cursor.pointee
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      cursor += 1
      bytes.append(contentsOf: String(try scanUnicodeEscape()).utf8)
      return
    default: throw error(.invalidEscape)
    }
    cursor += 1
  }

  /// The scalar of `XXXX` after `\u`, taking a second escape for a surrogate pair.
  ///
  /// A surrogate without its partner becomes U+FFFD.
  private mutating func scanUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    let unit = try scanFourHexDigits()
    guard 0xD800...0xDBFF ~= unit else { return Unicode.Scalar(unit) ?? replacement }
    guard end - cursor >= 6, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else {
      return replacement
    }
    let afterFirst = cursor
    cursor += 2
    let second = try scanFourHexDigits()
    guard 0xDC00...0xDFFF ~= second else {
      cursor = afterFirst
      return replacement
    }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
  }

  private mutating func scanFourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard cursor < end else { throw error(.unexpectedEnd) }
      guard let digit = Character(Unicode.Scalar(cursor.pointee)).hexDigitValue else {
        throw error(.invalidEscape)
      }
      value = value << 4 | UInt32(digit)
      cursor += 1
    }
    return value
  }
}
