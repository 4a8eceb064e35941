// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking

/// Writes the pieces of a line into one growing buffer of bytes.
struct LineWriter: Sendable, Hashable {
  var bytes: [UInt8] = []

  // MARK: - Pieces

  mutating func literal(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func integer(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let first = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[first...].reverse()
  }

  /// The shortest decimal form; what is no number is sent as 0 (section 3.5).
  mutating func number(_ value: Double) {
    // Amounts with two decimals are the usual case, and exact in hundredths.
    let hundredths = (value * 100).rounded()
    guard abs(hundredths) < 1e15, hundredths / 100 == value else {
      bytes.append(contentsOf: (PlainDecimal.text(value) ?? "0").utf8)
      return
    }
    let whole = Int64(hundredths).quotientAndRemainder(dividingBy: 100)
    if hundredths < 0 && whole.quotient == 0 { bytes.append(UInt8(ascii: "-")) }
    integer(whole.quotient)
    let fraction = UInt8(whole.remainder.magnitude)
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + fraction / 10)
    if fraction % 10 > 0 { bytes.append(UInt8(ascii: "0") + fraction % 10) }
  }

  mutating func boolean(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  mutating func nonce(_ nonce: Nonce) {
    let digits = (
      Self.upperDigits(of: UInt32(nonce.value >> 32)).littleEndian,
      Self.upperDigits(of: UInt32(truncatingIfNeeded: nonce.value)).littleEndian
    )
    withUnsafeBytes(of: digits) { bytes.append(contentsOf: $0) }
  }

  /// Eight hexadecimal digits in upper case, the first in the lowest byte: the nibbles are spread
  /// to bytes, then all are turned into digits at once.
  private static func upperDigits(of number: UInt32) -> UInt64 {
    var spread = UInt64(number.byteSwapped)
    spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
    spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
    spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return spread &+ 0x3030_3030_3030_3030 &+ isLetter &* 7
  }

  /// A parameter value, percent-encoded (section 1.2).
  mutating func encoded(_ text: String) {
    text.withContiguousBytes { source in
      let isPlain = Self.isPlain
      var first = 0
      for position in source.indices where !isPlain[Int(source[position])] {
        bytes.append(contentsOf: source[first..<position])
        percentEncoded(source[position])
        first = position + 1
      }
      bytes.append(contentsOf: source[first...])
    }
  }

  /// A JSON string with its quotes, percent-encoded; only what JSON requires is escaped.
  mutating func encodedJSON(_ text: String) {
    literal("%22")
    text.withContiguousBytes { source in
      let isPlain = Self.isPlain
      for byte in source {
        switch byte {
        case UInt8(ascii: "\""): literal("%5C%22")
        case UInt8(ascii: "\\"): literal("%5C%5C")
        case 0x0A: literal("%5Cn")
        case 0x0D: literal("%5Cr")
        case 0x09: literal("%5Ct")
        case 0..<0x20:
          literal("%5Cu00")
          bytes.append(Self.upperDigit(byte >> 4))
          bytes.append(Self.upperDigit(byte & 15))
        case _ where isPlain[Int(byte)]: bytes.append(byte)
        default: percentEncoded(byte)
        }
      }
    }
    literal("%22")
  }

  private mutating func percentEncoded(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(Self.upperDigit(byte >> 4))
    bytes.append(Self.upperDigit(byte & 15))
  }

  private static func upperDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }

  // MARK: - Tables

  /// A copy of its own, which the loops above read without leaving the module.
  private static let isPlain = PercentEncoding.isPlain
}
