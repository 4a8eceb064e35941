// SPDX-License-Identifier: Apache-2.0

/// The SplitMix64 generator: a counter with a fixed step, mixed by a bijection of 64 bits.
///
/// Because of that construction no output repeats before all 2^64 have been given. It is fast and well
/// distributed; it is not a generator for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; equal seeds give equal sequences.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A generator with a seed from the system's source of randomness.
  static func seededBySystem() -> SplitMix64 {
    var system = SystemRandomNumberGenerator()
    return SplitMix64(seed: system.next())
  }
}
