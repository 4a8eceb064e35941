// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleModelsTesting
import Testing

private struct DecimalCase: Sendable, CustomTestStringConvertible {
  let value: Double
  let text: String?
  init(_ value: Double, _ text: String?) {
    self.value = value
    self.text = text
  }
  var testDescription: String { "\(value)" }
}

private let decimalCases: [DecimalCase] = [
  DecimalCase(0, "0"), DecimalCase(-0.0, "0"), DecimalCase(10, "10"), DecimalCase(-5.25, "-5.25"),
  DecimalCase(0.1, "0.1"), DecimalCase(1e6, "1000000"), DecimalCase(1.5e-7, "0.00000015"),
  DecimalCase(-2.5e-8, "-0.000000025"), DecimalCase(1e16, "10000000000000000"),
  DecimalCase(1.25e20, "125000000000000000000"), DecimalCase(123_456.789, "123456.789"),
  DecimalCase(1.234_567_890_123_456_7e16, "12345678901234568"), DecimalCase(.nan, nil),
  DecimalCase(.infinity, nil), DecimalCase(-.infinity, nil),
]

@Suite("Plain decimals")
struct PlainDecimalTests {
  @Test("are the shortest form without exponent", arguments: decimalCases)
  fileprivate func text(_ row: DecimalCase) {
    #expect(PlainDecimal.text(row.value) == row.text)
  }

  @Test("read back to the same number, over the whole range")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let text = try #require(PlainDecimal.text(value))
      #expect(!text.contains("e") && Double(text) == value)
    }
  }
}
