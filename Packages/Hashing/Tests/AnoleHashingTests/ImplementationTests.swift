// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import CAnoleSHA256
import Foundation
import Testing

/// Lengths on both sides of every place where the number of blocks or the path changes.
let boundaryLengths = [54, 55, 56, 63, 64, 65, 119, 120, 128]

/// What the operating system says about the processor; `nil` where it does not say.
private let processorFlags: Set<Substring>? = {
  guard let file = FileManager.default.contents(atPath: "/proc/cpuinfo") else { return nil }
  let line = text(Array(file)).split(separator: "\n").first {
    $0.hasPrefix("flags") || $0.hasPrefix("Features")
  }
  return line.map { Set($0.split(separator: " ")) }
}()

@Suite("Implementations")
struct ImplementationTests {
  @Test(
    "the SHA instructions are used where the processor has them",
    .enabled(if: processorFlags != nil, "this system does not list the processor's flags"))
  func usesInstructions() throws {
    let flags = try #require(processorFlags)
    let present = flags.isSuperset(of: ["sha_ni", "sse4_1", "ssse3"]) || flags.contains("sha2")
    #expect((anole_sha256_uses_instructions() == 1) == present)
  }

  @Test("the chosen and the portable digest agree on every length from 0 to 300")
  func digestsAgree() {
    var generator = SeededGenerator(seed: 1)
    for length in 0...300 {
      let message = generator.bytes(length)
      let expected = digest([message], portable: true)
      #expect(digest([message], portable: false) == expected, "length \(length)")
      #expect(SHA256.digest(of: message) == expected, "length \(length)")
    }
  }

  @Test("the digest does not depend on how the message is cut", arguments: boundaryLengths)
  func piecesAgree(_ length: Int) {
    var generator = SeededGenerator(seed: UInt64(length))
    let message = generator.bytes(length)
    let expected = digest([message], portable: true)
    for cut in 0...length {
      let pieces = [Array(message[..<cut]), [], Array(message[cut...])]
      #expect(digest(pieces, portable: false) == expected, "cut at \(cut)")
      #expect(digest(pieces, portable: true) == expected, "cut at \(cut)")
    }
  }

  @Test("bucket bits are the first digest bytes, for keys and suffixes of all small lengths")
  func bucketsAgree() {
    var generator = SeededGenerator(seed: 2)
    for keyLength in 0...70 {
      for suffixLength in 0...70 {
        checkBucket(generator.bytes(keyLength), generator.bytes(suffixLength))
      }
    }
  }

  @Test("bucket bits are the first digest bytes at block boundaries", arguments: boundaryLengths)
  func bucketsAgreeAtBoundaries(_ length: Int) {
    var generator = SeededGenerator(seed: UInt64(length))
    for suffixLength in 0...length {
      checkBucket(generator.bytes(length - suffixLength), generator.bytes(suffixLength))
    }
  }

  @Test("a pair is two single hashes")
  func pairs() {
    var generator = SeededGenerator(seed: 3)
    for keyLength in 0...70 {
      for _ in 0..<20 {
        let key = generator.bytes(keyLength)
        let first = generator.bytes(Int.random(in: 0...60, using: &generator))
        let second = generator.bytes(Int.random(in: 0...60, using: &generator))
        let values = key.withUnsafeBufferPointer { key in
          first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in
              BucketHash.values(key: key, first: first, second: second)
            }
          }
        }
        #expect(values.first == BucketHash.value(bits: portableBucketBits(key, first)))
        #expect(values.second == BucketHash.value(bits: portableBucketBits(key, second)))
      }
    }
  }

  @Test("empty buffers without an address are empty messages")
  func emptyBuffers() {
    let empty = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    let expected: UInt64 = 0xe3b0_c442_98fc_1c14  // FIPS 180-4, the empty message
    #expect(BucketHash.bits(key: empty, suffix: empty) == expected)
    let values = BucketHash.values(key: empty, first: empty, second: empty)
    #expect(values.first == BucketHash.value(bits: expected))
    #expect(values.second == values.first)
    #expect(anole_bucket_bits_portable(nil, 0, nil, 0) == expected)
  }

  @Test("many tasks at once get the same values as one")
  func concurrency() async {
    let suffix = HashSuffix(id: 102374, respoolTime: 1_735_689_600_000)
    let codes = (0..<500).map { "visitor\($0)" }
    let expected = codes.map { BucketHash.value(key: $0, suffix: suffix) }
    await withTaskGroup(of: [Double].self) { group in
      for _ in 0..<8 {
        group.addTask { codes.map { BucketHash.value(key: $0, suffix: suffix) } }
      }
      for await values in group {
        #expect(values == expected)
      }
    }
  }

  private func checkBucket(_ key: [UInt8], _ suffix: [UInt8]) {
    let expected = digest([key + suffix], portable: true).prefix(8)
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let bits = bucketBits(key, suffix)
    let portable = portableBucketBits(key, suffix)
    if bits != expected || portable != expected {
      Issue.record("key of \(key.count), suffix of \(suffix.count) bytes")
    }
  }
}
