// SPDX-License-Identifier: Apache-2.0

/// Numbers by chance, for jitter and sampling; not for secrets.
///
/// Any thread may call it; a call takes one short lock.
public final class RandomSource: Sendable {
  private let generator: Lock<SplitMix64>

  /// Makes a source with a seed from the system's source of randomness.
  public init() {
    generator = Lock(.seededBySystem())
  }

  /// Makes a source with a known sequence, for tests.
  public init(seed: UInt64) {
    generator = Lock(SplitMix64(seed: seed))
  }

  /// A number from 0 up to, but not including, 1; a multiple of 2^-53, all equally likely.
  public func next() -> Double {
    Double(generator.withLock { $0.next() } >> 11) * 0x1p-53
  }

  /// A span between two bounds, for a wait with jitter.
  ///
  /// - Parameter range: The bounds; a range with equal bounds gives that value.
  public func duration(in range: ClosedRange<Duration>) -> Duration {
    range.lowerBound + (range.upperBound - range.lowerBound) * next()
  }
}
