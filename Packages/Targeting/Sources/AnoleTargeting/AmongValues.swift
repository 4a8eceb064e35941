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
  private static func plainDecimal(_ number: JSONNumber) -> String {
    switch number {
    case .integer(let value): String(value)
    case .double(let value): PlainDecimal.text(value) ?? number.description
    case .big: number.description
    }
  }
}
