// SPDX-License-Identifier: Apache-2.0

import AnoleConformance
import AnoleModels

/// The value of a line's parameter, read as what the parameter holds.
enum LineValue: Sendable, Hashable {
  case text(String)
  case number(Double)
  case json(JSONValue)
  /// Any number of milliseconds: it depends on the clock.
  case milliseconds

  private static let jsonParameters: Set<String> = [
    "valuesCountMap", "metadata", "referrersIndices",
  ]
  private static let numericParameters: Set<String> = [
    "index", "id", "variationId", "goalId", "revenue", "latitude", "longitude", "osIndex",
    "browserIndex", "browserVersion", "visitNumber", "timeSincePreviousVisit",
  ]

  /// Reads a value by the name of its parameter.
  ///
  /// - Throws: ``WireFormatError`` if it is not of the kind that the parameter holds.
  init(_ parameter: QueryParameters.Parameter) throws(WireFormatError) {
    let (name, value) = (parameter.name, parameter.value)
    if value == "{TIME_SINCE_PREVIOUS_VISIT}" {
      self = .milliseconds
    } else if Self.jsonParameters.contains(name) {
      do throws(JSONError) {
        self = .json(try JSONValue(parsing: value))
      } catch {
        throw WireFormatError("\(name) is no JSON: \(error)")
      }
    } else if Self.numericParameters.contains(name) {
      guard let number = Self.plainNumber(value) else {
        throw WireFormatError("\(name): \"\(value)\" is no plain decimal number")
      }
      self = .number(number)
    } else {
      self = .text(value)
    }
  }

  /// Whether an actual value is what was recorded.
  func accepts(_ actual: LineValue) -> Bool {
    switch (self, actual) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.number(let left), .number(let right)): left == right
    case (.json(let left), .json(let right)):
      JSONComparison.difference(expected: left, actual: right) == nil
    case (.milliseconds, .number(let right)): right >= 0 && right == right.rounded()
    default: false
    }
  }

  /// A decimal number without exponent, grouping or plus sign.
  private static func plainNumber(_ text: String) -> Double? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return parts.count <= 2 && areDigits ? Double(text) : nil
  }
}
