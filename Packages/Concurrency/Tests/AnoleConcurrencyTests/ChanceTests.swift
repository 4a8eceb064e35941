// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Testing

@Suite("Chance")
struct ChanceTests {
  @Test("a million nonces differ and are 16 hexadecimal digits in capitals")
  func nonces() {
    let generator = NonceGenerator()
    let allowed = Set("0123456789ABCDEF".utf8)
    var seen = Set<String>(minimumCapacity: 1_000_000)
    var isWellFormed = true
    for _ in 0..<1_000_000 {
      let nonce = generator.next()
      isWellFormed =
        isWellFormed && nonce.utf8.count == 16 && nonce.utf8.allSatisfy(allowed.contains)
      seen.insert(nonce)
    }
    #expect(isWellFormed)
    #expect(seen.count == 1_000_000)
  }

  @Test("nonces of eight tasks from one generator differ")
  func parallelNonces() async {
    let generator = NonceGenerator()
    let all = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<5_000).map { _ in generator.next() } }
      }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(all.count == 40_000)
  }

  // The first outputs of the reference implementation for seed 1234567, from
  // https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
  @Test("the generator gives the published sequence")
  func published() {
    var generator = SplitMix64(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect((0..<5).map { _ in generator.next() } == expected)
    #expect(NonceGenerator(seed: 1_234_567).next() == "599ED017FB08FC85")
  }

  @Test("equal seeds repeat, other seeds and unseeded generators do not")
  func seeds() {
    #expect(NonceGenerator(seed: 1).next() == NonceGenerator(seed: 1).next())
    #expect(NonceGenerator(seed: 1).next() != NonceGenerator(seed: 2).next())
    #expect(NonceGenerator().next() != NonceGenerator().next())
    #expect(RandomSource(seed: 1).next() == RandomSource(seed: 1).next())
    #expect(RandomSource().next() != RandomSource().next())
  }

  @Test("random numbers lie in 0..<1 and are spread evenly")
  func spread() {
    let random = RandomSource(seed: 42)
    var buckets = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 {
      let number = random.next()
      guard (0..<1).contains(number) else {
        Issue.record("\(number) is outside 0..<1")
        return
      }
      buckets[Int(number * 10)] += 1
    }
    #expect(buckets.allSatisfy { (9_500...10_500).contains($0) })
  }

  @Test("durations with jitter stay within their bounds")
  func durations() {
    let random = RandomSource(seed: 7)
    for _ in 0..<1_000 {
      let duration = random.duration(in: .seconds(1)...(.seconds(2)))
      #expect(duration >= .seconds(1))
      #expect(duration <= .seconds(2))
    }
    #expect(random.duration(in: .seconds(3)...(.seconds(3))) == .seconds(3))
  }
}
