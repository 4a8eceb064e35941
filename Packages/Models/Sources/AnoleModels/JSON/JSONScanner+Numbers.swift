// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
  /// Consumes a number; the cursor is on its first byte.
  mutating func scanNumber() throws(JSONError) -> JSONNumber {
    let first = cursor
    var token = DecimalToken()
    if cursor.pointee == UInt8(ascii: "-") {
      token.isNegative = true
      cursor += 1
    }
    guard cursor < end, isDigit(cursor.pointee) else { throw error(.invalidNumber) }
    if cursor.pointee == UInt8(ascii: "0") {
      cursor += 1
      if cursor < end, isDigit(cursor.pointee) { throw error(.invalidNumber) }
    } else {
      scanDigits(into: &token, areFraction: false)
    }
    if cursor < end, cursor.pointee == UInt8(ascii: ".") {
      cursor += 1
      guard cursor < end, isDigit(cursor.pointee) else { throw error(.invalidNumber) }
      token.isInteger = false
      scanDigits(into: &token, areFraction: true)
    }
    if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
      token.isInteger = false
      try scanExponent(into: &token)
    }
    if let number = token.number { return number }
    let text = String(
      decoding: UnsafeBufferPointer(start: first, count: cursor - first), as: UTF8.self)
    guard !token.isInteger, let value = Double(text), value.isFinite else { return .big(text) }
    return value.isZero && !token.isZero ? .big(text) : .double(value)
  }

  private mutating func scanDigits(into token: inout DecimalToken, areFraction: Bool) {
    while cursor < end, isDigit(cursor.pointee) {
      token.append(digit: cursor.pointee - UInt8(ascii: "0"), isFraction: areFraction)
      cursor += 1
    }
  }

  private mutating func scanExponent(into token: inout DecimalToken) throws(JSONError) {
    cursor += 1
    var isNegative = false
    if cursor < end, cursor.pointee == UInt8(ascii: "-") || cursor.pointee == UInt8(ascii: "+") {
      isNegative = cursor.pointee == UInt8(ascii: "-")
      cursor += 1
    }
    guard cursor < end, isDigit(cursor.pointee) else { throw error(.invalidNumber) }
    var exponent = 0
    while cursor < end, isDigit(cursor.pointee) {
      if exponent < 100_000 {
        exponent = exponent * 10 + Int(cursor.pointee - UInt8(ascii: "0"))
      } else {
        token.hasOverflowed = true
      }
      cursor += 1
    }
    token.exponent += isNegative ? -exponent : exponent
  }
}

/// The digits of a number while it is read, with the exact short cuts for everyday numbers.
private struct DecimalToken {
  var isNegative = false
  var isInteger = true
  var exponent = 0
  /// Whether mantissa or exponent stand for less than the digits say.
  var hasOverflowed = false
  private(set) var isZero = true
  private var mantissa: UInt64 = 0

  @inline(__always)
  mutating func append(digit: UInt8, isFraction: Bool) {
    let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
    if overflow || carry { hasOverflowed = true }
    if digit != 0 { isZero = false }
    mantissa = sum
    if isFraction { exponent -= 1 }
  }

  /// The number where it can be told exactly without the slow path.
  var number: JSONNumber? {
    guard !hasOverflowed else { return nil }
    if isInteger {
      if isNegative && mantissa == 0 { return .double(-0.0) }
      if mantissa <= UInt64(Int64.max) {
        return .integer(isNegative ? -Int64(mantissa) : Int64(mantissa))
      }
      return isNegative && mantissa == UInt64(Int64.max) + 1 ? .integer(.min) : nil
    }
    // Both operands are exact doubles, so that one division or multiplication rounds correctly.
    guard mantissa <= 1 << 53, abs(exponent) < Self.powersOfTen.count else { return nil }
    let scale = Self.powersOfTen[abs(exponent)]
    let magnitude = exponent < 0 ? Double(mantissa) / scale : Double(mantissa) * scale
    return .double(isNegative ? -magnitude : magnitude)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
