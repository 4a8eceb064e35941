// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
  /// Consumes a string; the cursor is on its opening quote.
  mutating func scanString() throws(JSONError) -> JSONKey {
    cursor += 1
    let first = cursor
    var hasEscapes = false
    while try scanToSpecial() == UInt8(ascii: "\\") {
      hasEscapes = true
      try scanEscape()
    }
    let bytes = UnsafeBufferPointer(start: first, count: cursor - first)
    cursor += 1
    return JSONKey(bytes: bytes, hasEscapes: hasEscapes)
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

  /// Moves behind an escape, checking it; the cursor is on the backslash.
  private mutating func scanEscape() throws(JSONError) {
    cursor += 1
    guard cursor < end else { throw error(.unexpectedEnd) }
    switch cursor.pointee {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      cursor += 1
    case UInt8(ascii: "u"):
      cursor += 1
      for _ in 0..<4 {
        guard cursor < end else { throw error(.unexpectedEnd) }
        guard JSONEscapes.hexDigit(cursor.pointee) != nil else { throw error(.invalidEscape) }
        cursor += 1
      }
    default: throw error(.invalidEscape)
    }
  }
}
