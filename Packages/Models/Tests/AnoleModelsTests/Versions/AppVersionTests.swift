// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

struct AppVersionCase: Sendable, CustomTestStringConvertible {
  let text: String
  let expected: [UInt64]?
  init(_ text: String, _ expected: [UInt64]?) {
    self.text = text
    self.expected = expected
  }
  var testDescription: String { text.debugDescription }
}

/// By hand from the specification of evaluation, section 6.1.
private let appVersionCases: [AppVersionCase] = [
  AppVersionCase("1.2.3", [1, 2, 3]),
  AppVersionCase("1.2", [1, 2, 0]),
  AppVersionCase("1", [1, 0, 0]),
  AppVersionCase("1.2.3.4", [1, 2, 3]),
  AppVersionCase("1.2.3.4.5.6", [1, 2, 3]),
  AppVersionCase("01.002.0003", [1, 2, 3]),
  AppVersionCase("0", [0, 0, 0]),
  AppVersionCase("1.10.0", [1, 10, 0]),
  AppVersionCase("1.2.3-rc.1", [1, 2, 3]),
  AppVersionCase("1.2.3+build.5", [1, 2, 3]),
  AppVersionCase("1.2-beta", [1, 2, 0]),
  AppVersionCase("1.2.3-rc+b", [1, 2, 3]),
  AppVersionCase("1+2.3", [1, 0, 0]),
  AppVersionCase("18446744073709551615.0.0", [.max, 0, 0]),
  AppVersionCase("99999999999999999999999.1", [.max, 1, 0]),
  AppVersionCase("", nil),
  AppVersionCase("1..2", nil),
  AppVersionCase("1.2.", nil),
  AppVersionCase(".1", nil),
  AppVersionCase(".", nil),
  AppVersionCase("v1", nil),
  AppVersionCase("1.x", nil),
  AppVersionCase("1.2.x", nil),
  AppVersionCase("-1.2", nil),
  AppVersionCase("+1.2", nil),
  AppVersionCase("1.-2", nil),
  AppVersionCase("-", nil),
  AppVersionCase(" 1.2", nil),
  AppVersionCase("1.2 ", nil),
  AppVersionCase("1_0.2", nil),
  AppVersionCase("\u{661}.\u{662}", nil),
  AppVersionCase("1\u{301}.2", nil),
]

@Suite("Application versions")
struct AppVersionTests {
  @Test("three components count, the rest is cut off", arguments: appVersionCases)
  func reading(_ row: AppVersionCase) {
    #expect(AppVersion(row.text).map { [$0.major, $0.minor, $0.patch] } == row.expected)
  }

  @Test("components compare as numbers, from left to right")
  func ordering() throws {
    let texts = ["0.9.9", "1", "1.0.1", "1.9.9", "1.10", "1.10.1", "2.0", "10"]
    let versions = try texts.map { try #require(AppVersion($0)) }
    for (low, left) in versions.enumerated() {
      for (high, right) in versions.enumerated() {
        #expect((left < right) == (low < high))
        #expect((left == right) == (low == high))
      }
    }
    #expect(AppVersion("1.2") == AppVersion("1.2.0"))
    #expect(AppVersion("1.2.3.4") == AppVersion("1.2.3"))
    #expect(AppVersion("1.2.3-rc.1") == AppVersion("1.2.3"))
  }

  @Test("major and minor read as one decimal number")
  func majorMinor() {
    #expect(AppVersion("12.10")?.majorMinor == 12.1)
    #expect(AppVersion("12.9")?.majorMinor == 12.9)
    #expect(AppVersion("12")?.majorMinor == 12)
    #expect(AppVersion("12.4.7")?.majorMinor == 12.4)
    #expect(AppVersion("0.5")?.majorMinor == 0.5)
  }
}
