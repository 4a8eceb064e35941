// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import Testing

struct SplitCase: Sendable, CustomTestStringConvertible {
  let value: Double
  let expositions: [Double]
  let expected: Int?
  init(_ value: Double, _ expositions: [Double], _ expected: Int?) {
    self.value = value
    self.expositions = expositions
    self.expected = expected
  }
  var testDescription: String { "\(value) in \(expositions)" }
}

/// Evaluation specification 2.2, worked out by hand.
let splitCases: [SplitCase] = [
  // Upper bounds are inclusive.
  SplitCase(0.25, [0.25, 0.75], 0),
  SplitCase(0.25.nextUp, [0.25, 0.75], 1),
  SplitCase(0.25.nextDown, [0.25, 0.75], 0),
  SplitCase(0.5, [0.5, 0.5], 0),
  SplitCase(0.75, [0.25, 0.25, 0.25, 0.25], 2),
  // The ends of the range.
  SplitCase(0, [0.5, 0.5], 0),
  SplitCase(1, [0.5, 0.5], 1),
  SplitCase(1, [1], 0),
  SplitCase(1, [1, 0], 0),
  // A leading share of 0 takes only the value 0.
  SplitCase(0, [0, 1], 0),
  SplitCase(Double.leastNonzeroMagnitude, [0, 1], 1),
  SplitCase(0.3, [0, 0, 0.5, 0.5], 2),
  // A share of 0 in between takes nothing.
  SplitCase(0.5, [0.5, 0, 0.5], 0),
  SplitCase(0.5.nextUp, [0.5, 0, 0.5], 2),
  // Shares that sum to less than 1 leave a rest without a variation.
  SplitCase(0.3, [0.1, 0.2], 1),
  SplitCase(0.31, [0.1, 0.2], nil),
  SplitCase(1, [0.5, 0.25], nil),
  SplitCase(0.75, [0.5, 0.25], 1),
  // 0.1 ten times is 0.9999999999999999 in doubles: the very end falls out.
  SplitCase(1, [Double](repeating: 0.1, count: 10), nil),
  SplitCase(1.0.nextDown, [Double](repeating: 0.1, count: 10), 9),
  // Sums above 1: the later shares are out of reach.
  SplitCase(1, [0.8, 0.8], 1),
  SplitCase(0.7, [0.8, 0.8], 0),
  // No shares.
  SplitCase(0, [], nil),
  SplitCase(0.5, [], nil),
]

struct PartitionCase: Sendable, CustomTestStringConvertible {
  let value: Double
  let count: Int
  let expected: Int
  init(_ value: Double, _ count: Int, _ expected: Int) {
    self.value = value
    self.count = count
    self.expected = expected
  }
  var testDescription: String { "\(value) of \(count)" }
}

/// Evaluation specification 2.2, worked out by hand.
let partitionCases: [PartitionCase] = [
  PartitionCase(0, 1, 0),
  PartitionCase(0.999, 1, 0),
  PartitionCase(1, 1, 0),
  PartitionCase(0, 4, 0),
  PartitionCase(0.25.nextDown, 4, 0),
  PartitionCase(0.25, 4, 1),
  PartitionCase(0.5, 4, 2),
  PartitionCase(0.75, 4, 3),
  PartitionCase(1.0.nextDown, 4, 3),
  PartitionCase(1, 4, 3),
  PartitionCase(1.0.nextDown, 3, 2),
  PartitionCase(1, 3, 2),
  PartitionCase(1.0 / 3.0, 3, 1),
  PartitionCase(0.9999999999999999, Int.max, Int(0.9999999999999999 * 0x1p63)),
  PartitionCase(1, Int.max, Int.max - 1),
]

@Suite("Splits")
struct SplitTests {
  @Test("the first share whose running sum reaches the value", arguments: splitCases)
  func index(_ row: SplitCase) {
    #expect(Split.index(of: row.value, in: row.expositions) == row.expected)
  }

  @Test("the members of an equal partition, the value 1 in the last", arguments: partitionCases)
  func partition(_ row: PartitionCase) {
    #expect(Split.partition(of: row.value, into: row.count) == row.expected)
  }

  @Test("the largest hashes round up to 1, the smallest is 0")
  func scaling() {
    #expect(BucketHash.value(bits: 0) == 0)
    #expect(BucketHash.value(bits: 1) == 0x1p-64)
    #expect(BucketHash.value(bits: 1 << 63) == 0.5)
    #expect(BucketHash.value(bits: .max) == 1)
    #expect(BucketHash.value(bits: .max - 1023) == 1)
    #expect(BucketHash.value(bits: .max - 1024) == 1.0.nextDown)
  }

  #if os(Linux) || os(macOS)
    @Test("a partition into nothing is a programming mistake")
    func emptyPartition() async {
      await #expect(processExitsWith: .failure) {
        _ = Split.partition(of: 0.5, into: 0)
      }
    }
  #endif
}
