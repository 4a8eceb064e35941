// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import CAnoleSHA256
import Testing

/// A row of the table in the evaluation specification, 2.3.
struct WorkedValue: Sendable, CustomTestStringConvertible {
  let key: String
  let suffix: HashSuffix
  let firstBytes: String
  let value: Double

  init(_ key: String, _ suffix: HashSuffix, _ firstBytes: String, _ value: Double) {
    self.key = key
    self.suffix = suffix
    self.firstBytes = firstBytes
    self.value = value
  }

  var testDescription: String { "\(key.prefix(40)) + \(text(suffix.bytes))" }
}

let workedValues: [WorkedValue] = [
  WorkedValue("visitor1", HashSuffix(id: 1), "29f5802259c2e15a", 0.16390229071272303),
  WorkedValue("visitor1", HashSuffix(id: 2), "d320bc1bd0224b7d", 0.8247182433989418),
  WorkedValue("visitor1", HashSuffix(id: 102374), "44b85556b3ff4876", 0.26843770376944776),
  WorkedValue(
    "visitor1", HashSuffix(id: 102374, respoolTime: 1_735_689_600_000),
    "5bd345f0141e2d42", 0.35869252311032856),
  WorkedValue("visitor2", HashSuffix(id: 102374), "b6e72965ac8aa4e0", 0.714464747736694),
  WorkedValue("Visitor1", HashSuffix(id: 102374), "38932d56546a45cf", 0.22099574430141286),
  WorkedValue("", HashSuffix(id: 1), "6b86b273ff34fce1", 0.4200240643687784),
  WorkedValue("", HashSuffix(id: 0), "5feceb66ffc86f38", 0.3747088552916311),
  WorkedValue("0", HashSuffix(id: 0), "f1534392279bddbf", 0.9426767570326855),
  WorkedValue("a", HashSuffix(id: 1), "f55ff16f66f43360", 0.9584952256181658),
  WorkedValue("a1", HashSuffix(id: 1), "ea1ff066194e9ce5", 0.914549851347426),
  WorkedValue("a", HashSuffix(id: 11), "ea1ff066194e9ce5", 0.914549851347426),
  WorkedValue("0123456789abcdef", HashSuffix(id: 10), "d16d333c2caa5cac", 0.8180725118551577),
  WorkedValue("0123456789abcdef", HashSuffix(id: 11), "90b7d77a86702f06", 0.5653052019246736),
  WorkedValue("0123456789abcdef", HashSuffix(id: 224511), "ea4cfdfa56fb772b", 0.915237306230649),
  WorkedValue(
    "0123456789abcdef", HashSuffix(id: 224511, respoolTime: 1_700_000_000_000),
    "a35da823b1a76907", 0.6381478392737826),
  WorkedValue(
    "0123456789abcdef", HashSuffix(id: 224511, respoolTime: 0),
    "ea4cfdfa56fb772b", 0.915237306230649),
  WorkedValue("q7w8e9r0t1y2u3i4", HashSuffix(id: 187211), "c817f45c4daa6bbf", 0.7816155171728184),
  WorkedValue(
    "q7w8e9r0t1y2u3i4", HashSuffix(id: 187211, respoolTime: 1_758_000_000_123),
    "17926c8fcfbffcec", 0.09207800398849027),
  WorkedValue(
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301", HashSuffix(id: 301),
    "92ccc10761128b8a", 0.573436798383293),
  WorkedValue("anna@mail.example", HashSuffix(id: 301), "28e7dbbcbb8f4e58", 0.15978787763338895),
  WorkedValue("björn@mail.example", HashSuffix(id: 301), "74b418dc354366c7", 0.4558730638139089),
  WorkedValue("\u{E9}", HashSuffix(id: 7), "bed6370ca31dfe47", 0.7454561620571596),
  WorkedValue("e\u{301}", HashSuffix(id: 7), "78184feacba07092", 0.4691209743720053),
  WorkedValue("日本語ユーザー", HashSuffix(id: 9001), "bdd8f141ada9cfb6", 0.7415915284488286),
  WorkedValue("😀", HashSuffix(id: 9001), "1288e0e19811eef0", 0.07240109927813142),
  WorkedValue("👩‍👩‍👧‍👦", HashSuffix(id: 9001), "a135912b6d3c8b18", 0.6297236186048726),
  WorkedValue(
    "пользователь", HashSuffix(id: 9001, respoolTime: 1_712_345_678_901),
    "b2283da68641c27c", 0.695926526217824),
  WorkedValue(
    String(repeating: "x", count: 255), HashSuffix(id: 55),
    "db65a90d13e36a4a", 0.8570199639251662),
  WorkedValue(
    String(repeating: "\u{E9}", count: 255), HashSuffix(id: 55),
    "7af06f079cbe6be3", 0.48023122726294226),
  WorkedValue(" padded ", HashSuffix(id: 12), "ac7a922feea1faca", 0.6737452857038376),
  WorkedValue("line\nbreak", HashSuffix(id: 12), "babb65bf2f6082b1", 0.7294219581375518),
  WorkedValue("user", HashSuffix(id: 2_147_483_648), "0cd4ded46a5923f0", 0.05012314496920972),
  WorkedValue(
    "user", HashSuffix(id: 9_007_199_254_740_991),
    "b232916565905e33", 0.6960841057348843),
  WorkedValue(
    "user", HashSuffix(id: 55, respoolTime: 170),
    "2db2dcc9f67bd4c4", 0.17851047449811058),
  WorkedValue(
    "user5", HashSuffix(id: 5, respoolTime: 170),
    "2db2dcc9f67bd4c4", 0.17851047449811058),
  WorkedValue("visitor1", HashSuffix(group: "ME-GROUP-A"), "8aef2586d13b24ac", 0.542711587347395),
  WorkedValue("visitor2", HashSuffix(group: "ME-GROUP-A"), "7cb61190c7d1dc20", 0.4871531465976839),
  WorkedValue("visitor1", HashSuffix(group: "checkout"), "47d81a064485d4dc", 0.2806411996175691),
  WorkedValue("", HashSuffix(group: "checkout"), "c7761e58969f7edd", 0.7791460958748058),
  WorkedValue("\u{E9}", HashSuffix(group: "Größe"), "a5117b55e5420505", 0.6447980007844835),
  WorkedValue(
    "0123456789abcdef", HashSuffix(group: "ME-GROUP-CHECKOUT"),
    "0560a158b0cd7db0", 0.0210057107477066),
  WorkedValue("acme", HashSuffix(group: "by company"), "a875e26f9f347bbf", 0.6580487749590292),
  WorkedValue("日本語", HashSuffix(group: "组"), "64674b8e4dd96de0", 0.3922011587545506),
]

/// Field report 4: letters outside ASCII, composed and decomposed, for container 42.
let fieldReportValues: [WorkedValue] = [
  WorkedValue("visitor1", HashSuffix(id: 42), "058548be99d076c7", 0.021565004857451924),
  WorkedValue("\u{E9}t\u{E9}", HashSuffix(id: 42), "4eb29082c2ef52ac", 0.30741217796724857),
  WorkedValue("e\u{301}te\u{301}", HashSuffix(id: 42), "a00a65e2ea9e74bc", 0.6251586607928575),
]

@Suite("Worked values")
struct WorkedValueTests {
  @Test("the table has every row of the specification")
  func complete() {
    #expect(workedValues.count == 44)
  }

  @Test(
    "the first digest bytes and the value are those of the specification",
    arguments: workedValues + fieldReportValues)
  func matches(_ row: WorkedValue) {
    let bits = bucketBits(Array(row.key.utf8), row.suffix.bytes)
    #expect(hexadecimal(bits) == row.firstBytes)
    #expect(BucketHash.value(bits: bits).bitPattern == row.value.bitPattern)
    let value = BucketHash.value(key: row.key, suffix: row.suffix)
    #expect(value.bitPattern == row.value.bitPattern)
  }

  @Test("the portable implementation gives the same", arguments: workedValues + fieldReportValues)
  func matchesPortably(_ row: WorkedValue) {
    let key = Array(row.key.utf8)
    let suffix = row.suffix.bytes
    let bits = anole_bucket_bits_portable(key, key.count, suffix, suffix.count)
    #expect(hexadecimal(bits) == row.firstBytes)
  }

  @Test("equal strings of different bytes are different keys")
  func noNormalisation() {
    let composed = "\u{E9}t\u{E9}"
    let decomposed = "e\u{301}te\u{301}"
    let suffix = HashSuffix(id: 42)
    #expect(composed == decomposed)
    #expect(
      BucketHash.value(key: composed, suffix: suffix)
        != BucketHash.value(key: decomposed, suffix: suffix))
  }
}
