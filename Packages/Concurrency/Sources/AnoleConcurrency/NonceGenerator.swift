// SPDX-License-Identifier: Apache-2.0

/// Makes nonces: 16 characters out of `0123456789ABCDEF`.
///
/// One generator never repeats a nonce (before 2^64 calls); two generators with seeds from the system meet
/// with the probability of a chance among 2^64. Nonces tell requests apart, they are not secrets. A process
/// that forks without replacing its program must make a new generator in the child.
///
/// Any thread may call it; a call takes one short lock and makes one string.
public final class NonceGenerator: Sendable {
  private let generator: Lock<SplitMix64>

  /// Makes a generator with a seed from the system's source of randomness.
  public init() {
    generator = Lock(.seededBySystem())
  }

  /// Makes a generator with a known sequence, for tests.
  public init(seed: UInt64) {
    generator = Lock(SplitMix64(seed: seed))
  }

  /// A nonce that this generator has not given before.
  public func next() -> String {
    let bits = generator.withLock { $0.next() }
    return String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - 4 * index)) & 15
        buffer[index] = digit < 10 ? 48 + digit : 55 + digit
      }
      return 16
    }
  }
}
