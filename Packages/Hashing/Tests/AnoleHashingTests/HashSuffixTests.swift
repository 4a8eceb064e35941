// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import Testing

struct SuffixCase: Sendable, CustomTestStringConvertible {
  let suffix: HashSuffix
  let expected: String
  init(_ suffix: HashSuffix, _ expected: String) {
    self.suffix = suffix
    self.expected = expected
  }
  var testDescription: String { expected.debugDescription }
}

let suffixCases: [SuffixCase] = [
  SuffixCase(HashSuffix(id: 0), "0"),
  SuffixCase(HashSuffix(id: 7), "7"),
  SuffixCase(HashSuffix(id: 102374), "102374"),
  SuffixCase(HashSuffix(id: 102374, respoolTime: nil), "102374"),
  SuffixCase(HashSuffix(id: 102374, respoolTime: 0), "102374"),
  SuffixCase(HashSuffix(id: 102374, respoolTime: 1), "1023741"),
  SuffixCase(HashSuffix(id: 5, respoolTime: 1_735_689_600_000), "51735689600000"),
  SuffixCase(HashSuffix(id: -5, respoolTime: -17), "-5-17"),
  SuffixCase(HashSuffix(id: .max, respoolTime: .max), "92233720368547758079223372036854775807"),
  SuffixCase(HashSuffix(id: .min, respoolTime: .min), "-9223372036854775808-9223372036854775808"),
  SuffixCase(HashSuffix(group: ""), ""),
  SuffixCase(HashSuffix(group: " ME group "), " ME group "),
  SuffixCase(HashSuffix(group: "Größe"), "Größe"),
]

@Suite("Hash suffixes")
struct HashSuffixTests {
  @Test("are decimal numbers without a separator, or the group's name", arguments: suffixCases)
  func bytes(_ row: SuffixCase) {
    #expect(row.suffix.bytes == Array(row.expected.utf8))
  }

  @Test("are equal by bytes, so canonically equal names differ")
  func equality() {
    #expect(HashSuffix(id: 12) == HashSuffix(group: "12"))
    #expect(HashSuffix(group: "\u{E9}") != HashSuffix(group: "e\u{301}"))
    #expect(Set([HashSuffix(id: 1), HashSuffix(id: 1, respoolTime: 0)]).count == 1)
  }
}
