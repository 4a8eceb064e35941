// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting
import Testing

struct NumberCase: Sendable, CustomTestStringConvertible {
  let text: String
  let number: JSONNumber
  let integer: Int64?
  let double: Double?
  init(_ text: String, _ number: JSONNumber, integer: Int64?, double: Double?) {
    self.text = text
    self.number = number
    self.integer = integer
    self.double = double
  }
  var testDescription: String { text }
}

/// By hand from RFC 8259 and IEEE 754.
private let numberCases: [NumberCase] = [
  NumberCase("0", .integer(0), integer: 0, double: 0),
  NumberCase("1", .integer(1), integer: 1, double: 1),
  NumberCase("-1", .integer(-1), integer: -1, double: -1),
  NumberCase("1.0", .double(1), integer: 1, double: 1),
  NumberCase("1e2", .double(100), integer: 100, double: 100),
  NumberCase("1E+2", .double(100), integer: 100, double: 100),
  NumberCase("100e-2", .double(1), integer: 1, double: 1),
  NumberCase("0.1", .double(0.1), integer: nil, double: 0.1),
  NumberCase("-2.5", .double(-2.5), integer: nil, double: -2.5),
  NumberCase(
    "9007199254740993", .integer(9_007_199_254_740_993), integer: 9_007_199_254_740_993,
    double: 9_007_199_254_740_992),
  NumberCase(
    "9223372036854775807", .integer(.max), integer: .max, double: 9_223_372_036_854_775_808),
  NumberCase(
    "-9223372036854775808", .integer(.min), integer: .min, double: -9_223_372_036_854_775_808),
  NumberCase(
    "9223372036854775808", .big("9223372036854775808"), integer: nil,
    double: 9_223_372_036_854_775_808),
  NumberCase(
    "-9223372036854775809", .big("-9223372036854775809"), integer: nil,
    double: -9_223_372_036_854_775_808),
  NumberCase(
    "18446744073709551616", .big("18446744073709551616"), integer: nil,
    double: 18_446_744_073_709_551_616),
  NumberCase(
    "1234567890123456789012345678901234567890",
    .big("1234567890123456789012345678901234567890"), integer: nil, double: 1.2345678901234568e39),
  NumberCase("1e400", .big("1e400"), integer: nil, double: nil),
  NumberCase("-1e400", .big("-1e400"), integer: nil, double: nil),
  NumberCase("1e-400", .big("1e-400"), integer: nil, double: 0),
  NumberCase(
    "1.7976931348623157e308", .double(.greatestFiniteMagnitude), integer: nil,
    double: .greatestFiniteMagnitude),
  NumberCase(
    "5e-324", .double(.leastNonzeroMagnitude), integer: nil, double: .leastNonzeroMagnitude),
  NumberCase(
    "9223372036854775808.0", .double(9_223_372_036_854_775_808), integer: nil,
    double: 9_223_372_036_854_775_808),
]

@Suite("JSON numbers")
struct JSONNumberTests {
  @Test("a number keeps its kind and its value", arguments: numberCases)
  func kinds(_ row: NumberCase) throws {
    let value = try JSONValue(parsing: row.text)
    #expect(value == .number(row.number))
    #expect(value.integerValue == row.integer)
    #expect(value.doubleValue == row.double)
    #expect(value.boolValue == nil)
    #expect(value.stringValue == nil)
  }

  @Test("-0 keeps its sign and is the integer 0", arguments: ["-0", "-0.0", "-0e1", "-0.00E-3"])
  func negativeZero(_ text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(value.doubleValue?.sign == .minus)
    #expect(value.doubleValue?.isZero == true)
    #expect(value.integerValue == 0)
  }

  @Test(
    "what breaks the grammar is no number",
    arguments: [
      "01", "-01", "00", "1.", ".5", "-.5", "+1", "-", "1e", "1e+", "1E-", "1.e1", "0x10", "1_000",
      "NaN", "Infinity", "-Infinity", "- 1", "--1", "1.2.3", "1e1.5", "1 5",
    ])
  func malformed(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[\(text)]") }
  }

  @Test("a double is the nearest one to the text, bit for bit, on 30,000 random numbers")
  func nearestDouble() throws {
    var random = SeededGenerator(seed: 20_240_601)
    for _ in 0..<30_000 {
      let text = Self.randomNumber(using: &random)
      let expected = try #require(Double(text))
      let value = try JSONValue(parsing: text).doubleValue
      if expected.isFinite {
        #expect(value?.bitPattern == expected.bitPattern, "\(text)")
      } else {
        #expect(value == nil, "\(text)")
      }
    }
  }

  @Test("every written double reads back as the same double, on 20,000 random bit patterns")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: random.next())
      guard double.isFinite else { continue }
      let text = JSONValue.number(.double(double)).text()
      let value = try JSONValue(parsing: text)
      #expect(value.doubleValue?.bitPattern == double.bitPattern, "\(text)")
      guard case .number(.double) = value else {
        Issue.record("\(text) did not stay a double")
        return
      }
    }
  }

  @Test("long texts of one number are read exactly")
  func longTexts() throws {
    let zeros = String(repeating: "0", count: 2_000)
    #expect(try JSONValue(parsing: "0.\(zeros)1e2001").doubleValue == 1)
    #expect(try JSONValue(parsing: "1\(zeros)e-2000").doubleValue == 1)
    #expect(try JSONValue(parsing: "1.\(zeros)").integerValue == 1)
    #expect(try JSONValue(parsing: "0.1\(zeros)").doubleValue == 0.1)
    #expect(try JSONValue(parsing: "1\(zeros)") == .number(.big("1\(zeros)")))
  }

  @Test("an exponent of any length is not cut off")
  func longExponents() throws {
    let zeros = String(repeating: "0", count: 99_999)
    #expect(try JSONValue(parsing: "0.\(zeros)1e1000000").doubleValue == nil)
    #expect(try JSONValue(parsing: "0.\(zeros)1e10000000000000000000000").doubleValue == nil)
    #expect(try JSONValue(parsing: "1e-99999999999999999999999999").doubleValue == 0)
    #expect(try JSONValue(parsing: "0e99999999999999999999999999").doubleValue == 0)
    #expect(try JSONValue(parsing: "1e0000000000000000000000000002").doubleValue == 100)
  }

  private static func randomNumber(using random: inout SeededGenerator) -> String {
    var text = Bool.random(using: &random) ? "-" : ""
    let digits = { (count: Int, random: inout SeededGenerator) in
      String((0..<count).map { _ in Character("\(Int.random(in: 0...9, using: &random))") })
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      text += "0"
    } else {
      text += "\(Int.random(in: 1...9, using: &random))"
      text += digits(Int.random(in: 0...18, using: &random), &random)
    }
    if Int.random(in: 0..<4, using: &random) > 0 {
      text += "." + digits(Int.random(in: 1...20, using: &random), &random)
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: text += "e\(Int.random(in: -30...30, using: &random))"
    case 1: text += "E\(Int.random(in: -340...330, using: &random))"
    case 2: text += "e+\(Int.random(in: 0...25, using: &random))"
    default: break
    }
    return text
  }
}
