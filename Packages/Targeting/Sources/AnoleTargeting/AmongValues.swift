// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Reads the list of an `AMONG_VALUES` condition (section 4.4).
enum AmongValues {
  /// The elements as strings; nil if the text is not a JSON list.
  ///
  /// Null and nested elements are skipped.
  static func elements(of text: String) -> [String]? {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      return nil  // The caller reports the condition as unreadable.
    }
    return value.arrayValue?.compactMap(element)
  }

  private static func element(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): plainDecimal(number)
    case .null, .array, .object: nil
    }
  }

  /// Integers in plain decimal, other numbers in the shortest decimal form without exponent.
  static func plainDecimal(_ number: JSONNumber) -> String {
    if let integer = number.asInteger { return String(integer) }
    guard case .double(let value) = number else { return number.description }
    return plainDecimal(value.description)
  }

  /// Moves the decimal point of a text like `1.5e-07` to where it belongs.
  private static func plainDecimal(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let isNegative = parts[0].hasPrefix("-")
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    var fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
    if fraction == "0" { fraction = "" }
    let digits = String(mantissa[0]) + fraction
    let pointPosition = mantissa[0].count + exponent
    let plain: String
    if pointPosition <= 0 {
      plain = "0." + String(repeating: "0", count: -pointPosition) + digits
    } else if pointPosition >= digits.count {
      plain = digits + String(repeating: "0", count: pointPosition - digits.count)
    } else {
      plain = digits.prefix(pointPosition) + "." + digits.dropFirst(pointPosition)
    }
    return isNegative ? "-" + plain : plain
  }
}
