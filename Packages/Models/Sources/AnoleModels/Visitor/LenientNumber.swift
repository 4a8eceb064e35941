// SPDX-License-Identifier: Apache-2.0

/// Reads numbers as custom data conditions do (section 4.4).
public enum LenientNumber: Sendable {
  /// The number that a text spells; nil if it spells none.
  ///
  /// A number is an optional sign and decimal digits with optional fraction and exponent, with or
  /// without ASCII white space around it. Everything else is none: the empty text, grouping,
  /// decimal commas, hexadecimal, `nan` and `inf`.
  public static func parse(_ text: String) -> Double? {
    let trimmed = trim(Array(text.utf8)[...])
    guard isDecimal(trimmed) else { return nil }
    return Double(String(decoding: trimmed, as: UTF8.self))
  }

  private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let rest = bytes.drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return [] }
    return rest[...last]
  }

  private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    let isSign = { (byte: UInt8?) in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
    func dropDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if isSign(rest.first) { rest = rest.dropFirst() }
    var digits = dropDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits += dropDigits()
    }
    guard digits > 0 else { return false }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if isSign(rest.first) { rest = rest.dropFirst() }
      guard dropDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
