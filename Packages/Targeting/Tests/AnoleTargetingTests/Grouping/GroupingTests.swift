// SPDX-License-Identifier: Apache-2.0

import AnoleTargeting
import Testing

/// Bits of a number as operands or operators.
private func bits(_ number: Int, _ count: Int) -> [Bool] {
  (0..<count).map { number >> $0 & 1 == 1 }
}

private func conditions(_ operands: [Bool]) -> [String] {
  operands.map { $0 ? Fixture.yes : Fixture.no }
}

private func groups(_ operands: [Bool]) -> [String] {
  conditions(operands).map { Fixture.group([$0]) }
}

/// A formula of the specification in Swift's own precedence.
private struct Formula: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let operators: [Bool]
  let value: @Sendable (Bool, Bool, Bool, Bool) -> Bool
}

private let formulas: [Formula] = [
  Formula(testDescription: "a AND b AND c OR d", operators: [false, false, true]) { a, b, c, d in
    (a && b) && (c || d)
  },
  Formula(testDescription: "a OR b AND c OR d", operators: [true, false, true]) { a, b, c, d in
    a || ((b && c) || d)
  },
  Formula(testDescription: "a AND b OR c AND d", operators: [false, true, false]) { a, b, c, d in
    (a && b) || (c && d)
  },
]

@Suite("Grouping rule (4.1)")
struct GroupingTests {
  @Test("the three examples of the specification hold at both levels", arguments: formulas)
  private func examples(_ formula: Formula) throws {
    for number in 0..<16 {
      let x = bits(number, 4)
      let expected = formula.value(x[0], x[1], x[2], x[3])
      let flat = Fixture.tree(conditions(x), operators: formula.operators)
      let deep = Fixture.tree(groups: groups(x), operators: formula.operators)
      #expect(try Fixture.index(trees: [flat]).answer() == expected, "\(x)")
      #expect(try Fixture.index(trees: [deep]).answer() == expected, "\(x)")
    }
  }

  @Test(
    "every combination of up to five operands agrees with the recursive wording", arguments: 0...5)
  func allCombinations(_ count: Int) throws {
    let joints = max(count - 1, 0)
    var trees: [String] = []
    var expected: [Bool] = []
    for number in 0..<(1 << count) {
      for operatorNumber in 0..<(1 << joints) {
        let operands = bits(number, count)
        let operators = bits(operatorNumber, joints)
        trees.append(Fixture.tree(conditions(operands), operators: operators))
        trees.append(Fixture.tree(groups: groups(operands), operators: operators))
        let answer = grouped(operands[...], operators[...])
        expected += [answer, answer]
      }
    }
    let index = try Fixture.index(trees: trees)
    let subject = Fixture.subject()
    for position in 0..<index.count {
      let isMatch = index.matches(segmentAt: position, subject)
      #expect(isMatch == expected[position], "\(trees[position])")
      #expect(index.explain(segmentAt: position, subject).isMatch == isMatch)
    }
  }

  @Test("both levels together agree with the recursive wording")
  func bothLevels() throws {
    for number in 0..<512 {
      let operands = bits(number, 4)
      let inner = [bits(number >> 4, 1), bits(number >> 5, 1)]
      let outer = bits(number >> 6, 1)
      let tree = Fixture.tree(
        groups: [
          Fixture.group(conditions(Array(operands[..<2])), operators: inner[0]),
          Fixture.group(conditions(Array(operands[2...])), operators: inner[1]),
        ], operators: outer)
      let values = [
        grouped(operands[..<2], inner[0][...]), grouped(operands[2...], inner[1][...]),
      ]
      #expect(try Fixture.index(trees: [tree]).answer() == grouped(values[...], outer[...]))
    }
  }

  @Test("surplus operators are ignored")
  func surplusOperators() throws {
    let flat = Fixture.tree([Fixture.no], operators: [true, true, true])
    let deep = Fixture.tree(groups: groups([false, false]), operators: [true, true, true])
    #expect(try !Fixture.index(trees: [flat]).answer())
    #expect(try !Fixture.index(trees: [deep]).answer())
    #expect(try Fixture.index(trees: [Fixture.tree([], operators: [false])]).answer())
  }

  @Test("a missing operator is AND, whichever it is")
  func missingOperators() throws {
    for count in 2...4 {
      for number in 0..<(1 << count) {
        for present in 0..<(count - 1) {
          let operands = bits(number, count)
          let operators = [Bool](repeating: true, count: present)
          let expected = grouped(operands[...], operators[...])
          let flat = Fixture.tree(conditions(operands), operators: operators)
          let deep = Fixture.tree(groups: groups(operands), operators: operators)
          #expect(try Fixture.index(trees: [flat]).answer() == expected)
          #expect(try Fixture.index(trees: [deep]).answer() == expected)
        }
      }
    }
  }

  @Test(
    "an empty tree is true",
    arguments: [
      "null", "{}", #"{"firstLevel":[]}"#, #"{"firstLevel":null}"#,
      #"{"firstLevel":[],"firstLevelOrOperators":[true]}"#,
    ])
  func emptyTree(_ tree: String) throws {
    #expect(try Fixture.index(trees: [tree]).answer())
  }

  @Test("a segment without conditionsData is true")
  func noTree() throws {
    #expect(try Fixture.index(segments: [#"{"id":1}"#]).answer())
  }

  @Test(
    "an empty group is true and joins like any operand",
    arguments: [#"{}"#, #"{"conditions":[]}"#, #"{"conditions":null,"orOperators":null}"#])
  func emptyGroup(_ group: String) throws {
    let no = Fixture.group([Fixture.no])
    #expect(try Fixture.index(trees: [Fixture.tree(groups: [group])]).answer())
    #expect(
      try Fixture.index(trees: [Fixture.tree(groups: [no, group], operators: [true])]).answer())
    #expect(
      try !Fixture.index(trees: [Fixture.tree(groups: [group, no], operators: [false])]).answer())
  }

  @Test("the last of two equal keys counts")
  func duplicateKeys() throws {
    let no = Fixture.group([Fixture.no])
    let yes = Fixture.group([Fixture.yes])
    let tree = #"{"firstLevel":[\#(no)],"firstLevel":[\#(yes)]}"#
    let group = #"{"conditions":[\#(Fixture.no)],"conditions":[\#(Fixture.yes)]}"#
    for tree in [tree, Fixture.tree(groups: [group])] {
      let index = try Fixture.index(trees: [tree])
      #expect(index.answer())
      let trace = index.explain(segmentAt: 0, Fixture.subject())
      #expect(trace.groups.count == 1 && trace.groups.first?.conditions.count == 1)
    }
  }
}
