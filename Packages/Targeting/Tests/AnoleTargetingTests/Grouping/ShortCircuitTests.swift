// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleTargeting

struct ShortCircuitCase: Sendable, CustomTestStringConvertible {
  let operands: [Bool]
  let operators: [Bool]
  /// The operands that have to be asked for, in this order.
  let asked: [Int]
  let expected: Bool

  init(_ operands: [Bool], _ operators: [Bool], asked: [Int], _ expected: Bool) {
    self.operands = operands
    self.operators = operators
    self.asked = asked
    self.expected = expected
  }

  var testDescription: String { "\(operands) joined by \(operators)" }
}

private let shortCircuitCases: [ShortCircuitCase] = [
  ShortCircuitCase([], [], asked: [], true),
  ShortCircuitCase([false], [], asked: [0], false),
  ShortCircuitCase([true, false], [true], asked: [0], true),
  ShortCircuitCase([false, true], [true], asked: [0, 1], true),
  ShortCircuitCase([false, true], [false], asked: [0], false),
  ShortCircuitCase([true, true], [false], asked: [0, 1], true),
  ShortCircuitCase([true, true, false], [false, true], asked: [0, 1], true),
  ShortCircuitCase([false, true, true], [false, true], asked: [0, 2], true),
  ShortCircuitCase([false, true, true, true], [false, false, true], asked: [0], false),
  ShortCircuitCase([true, false, true], [false, false], asked: [0, 1], false),
  ShortCircuitCase([false, true, true, false], [true, false, true], asked: [0, 1, 2], true),
]

@Suite("Short-circuiting (4.1)")
struct ShortCircuitTests {
  @Test(
    "only the operands that decide are asked for, from left to right", arguments: shortCircuitCases)
  func asks(_ row: ShortCircuitCase) {
    var asked: [Int] = []
    let result = BooleanChain.evaluate(
      count: row.operands.count,
      joinsWithOr: { row.operators[$0] },
      operand: { position in
        asked.append(position)
        return row.operands[position]
      })
    #expect(asked == row.asked)
    #expect(result == row.expected)
  }
}
