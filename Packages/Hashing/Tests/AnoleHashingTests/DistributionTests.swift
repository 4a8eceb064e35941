// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import Testing

#if THREAD_SANITIZER
  private let population = 100_000
#else
  private let population = 1_000_000
#endif

@Suite("Distribution")
struct DistributionTests {
  @Test("ten equal shares each get a tenth of the visitors, within 0.2 percentage points")
  func equalShares() {
    let suffix = HashSuffix(id: 102374)
    let expositions = [Double](repeating: 0.1, count: 10)
    var split = [Int](repeating: 0, count: 10)
    var partition = split
    for number in 0..<population {
      let value = BucketHash.value(key: "visitor-\(number)", suffix: suffix)
      if let index = Split.index(of: value, in: expositions) { split[index] += 1 }
      partition[Split.partition(of: value, into: 10)] += 1
    }
    #expect(split.reduce(0, +) == population)
    for count in split + partition {
      // Four standard deviations of the smaller population are 0.38 points.
      let tolerance = population == 1_000_000 ? 0.002 : 0.004
      #expect(abs(Double(count) / Double(population) - 0.1) < tolerance)
    }
  }

  @Test("raising an exposition from 0.10 to 0.50 moves nobody who was in")
  func growth() {
    let admission = HashSuffix(id: 7)
    let choice = HashSuffix(id: 8)
    var before = 0
    var after = 0
    for number in 0..<population / 4 {
      let key = "visitor-\(number)"
      let value = BucketHash.value(key: key, suffix: admission)
      let wasIn = Split.index(of: value, in: [0.1]) != nil
      let isIn = Split.index(of: value, in: [0.5]) != nil
      before += wasIn ? 1 : 0
      after += isIn ? 1 : 0
      if wasIn {
        let variation = Split.index(
          of: BucketHash.value(key: key, suffix: choice), in: [0.5, 0.5])
        if !isIn || variation == nil { Issue.record("\(key) was moved out") }
      }
    }
    #expect(abs(Double(before) / Double(population / 4) - 0.1) < 0.005)
    #expect(abs(Double(after) / Double(population / 4) - 0.5) < 0.01)
  }

  @Test("two suffixes place the same visitors independently")
  func independence() {
    let first = HashSuffix(id: 102374)
    let second = HashSuffix(id: 102375)
    var counts = [0, 0, 0, 0]
    for number in 0..<100_000 {
      let key = "visitor-\(number)"
      let a = Split.partition(of: BucketHash.value(key: key, suffix: first), into: 2)
      let b = Split.partition(of: BucketHash.value(key: key, suffix: second), into: 2)
      counts[2 * a + b] += 1
    }
    for count in counts { #expect(abs(Double(count) / 100_000 - 0.25) < 0.01) }
  }
}
