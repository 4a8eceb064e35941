// SPDX-License-Identifier: Apache-2.0

/// Decodes strings with escapes that a scanner has found well-formed.
enum JSONEscapes {
  /// The string that the bytes between two quotes spell.
  ///
  /// A surrogate without its partner becomes U+FFFD.
  static func decode(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var rest = raw[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"): bytes.append(contentsOf: String(scalar(from: &rest)).utf8)
      default: bytes.append(kind)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a hexadecimal digit; nil for any other byte.
  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The scalar of `XXXX` behind `\u`, taking a second escape for a surrogate pair.
  private static func scalar(
    from rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    let unit = unit(from: &rest)
    guard 0xD800...0xDBFF ~= unit else { return Unicode.Scalar(unit) ?? replacement }
    guard rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return replacement }
    var behind = rest.dropFirst(2)
    let second = Self.unit(from: &behind)
    guard 0xDC00...0xDFFF ~= second else { return replacement }
    rest = behind
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
  }

  private static func unit(from rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return digits.reduce(0) { $0 << 4 | (hexDigit($1) ?? 0) }
  }
}
