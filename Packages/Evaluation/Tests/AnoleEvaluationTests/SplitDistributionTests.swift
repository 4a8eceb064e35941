// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Testing

@Suite("Splits of many visitors")
struct SplitDistributionTests {
  private static let now = Timestamp(milliseconds: 1_760_000_000_000)

  private static func tenWays(exposition: Double = 1, respoolTime: Int? = nil) throws -> Snapshot {
    let entries = (0..<10).map { FileText.entry("v\($0)", $0 + 1, 0.1) }
    return try FileText.snapshot(
      FileText.flag(
        FileText.rule(
          1, exposition: exposition, respoolTime: respoolTime,
          entries.joined(separator: ","))))
  }

  /// The variation ids of visitors 0 to `count`; 0 for those who get the default.
  private static func variations(_ snapshot: Snapshot, of count: Int) throws -> [Int] {
    let record = VisitorRecord(visitStart: now)
    let moment = Moment(now: now)
    return try (0..<count).map { number in
      let decision = try snapshot.decide(
        "flag", visitorCode: "visitor-\(number)", record: record, at: moment)
      return Int(decision.variationID ?? 0)
    }
  }

  private static func shares(_ variations: [Int]) -> [Double] {
    var counts = [Int](repeating: 0, count: 11)
    for variation in variations { counts[variation] += 1 }
    return counts.map { Double($0) / Double(variations.count) }
  }

  @Test("a million visitors split ten ways differ from a tenth by less than 0.2 points")
  func tenths() throws {
    let shares = Self.shares(try Self.variations(try Self.tenWays(), of: 1_000_000))
    #expect(shares[0] == 0)
    for share in shares.dropFirst() { #expect(abs(share - 0.1) < 0.002, "\(share)") }
  }

  @Test("raising the exposition from 0.10 to 0.50 moves nobody who was in")
  func exposition() throws {
    let before = try Self.variations(try Self.tenWays(exposition: 0.1), of: 100_000)
    let after = try Self.variations(try Self.tenWays(exposition: 0.5), of: 100_000)
    #expect(zip(before, after).allSatisfy { $0 == 0 || $0 == $1 })
    #expect(abs(Self.shares(before)[0] - 0.9) < 0.005)
    #expect(abs(Self.shares(after)[0] - 0.5) < 0.005)
  }

  @Test("a changed respool time deals all visitors out anew, independently of before")
  func respoolTime() throws {
    let before = try Self.variations(
      try Self.tenWays(exposition: 0.5, respoolTime: 1_758_000_000_000), of: 100_000)
    let after = try Self.variations(
      try Self.tenWays(exposition: 0.5, respoolTime: 1_758_000_000_001), of: 100_000)
    let stayedIn = zip(before, after).filter { $0 > 0 && $1 > 0 }
    #expect(abs(Double(stayedIn.count) / 100_000 - 0.25) < 0.005)
    let same = stayedIn.filter { $0 == $1 }
    #expect(abs(Double(same.count) / Double(stayedIn.count) - 0.1) < 0.01)
  }
}
