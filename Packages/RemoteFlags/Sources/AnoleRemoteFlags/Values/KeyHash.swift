// SPDX-License-Identifier: Apache-2.0

/// A fast hash of short texts, keyed by a number that nobody outside knows.
///
/// Eight bytes at a time are mixed by a multiplication to 128 bits whose halves are folded. Without the
/// seed nobody can choose keys that meet; it is no hash for signatures. Swift's `Hasher` takes several
/// times as long on keys of this length.
struct KeyHash: Sendable {
  private let seed: UInt64

  /// Makes a hash with a seed from the system's source of randomness.
  init() {
    seed = UInt64.random(in: .min ... .max)
  }

  func callAsFunction(_ key: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(key)
    var state = seed ^ (UInt64(truncatingIfNeeded: bytes.count) &* 0x9e37_79b9_7f4a_7c15)
    var offset = 0
    while bytes.count - offset >= 8 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      state = Self.fold(state ^ word, 0xa076_1d64_78bd_642f)
      offset += 8
    }
    state = Self.fold(state ^ Self.rest(bytes, from: offset), 0xe703_7ed1_a0b4_28db)
    return UInt32(truncatingIfNeeded: Self.fold(state, 0x8ebc_6af0_9c88_c6e3))
  }

  /// What is left behind the whole words: up to seven bytes.
  private static func rest(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
    let count = bytes.count - offset
    if count >= 4 {
      let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
      return UInt64(first) | UInt64(last) << 32
    }
    guard count > 0 else { return 0 }
    let (first, middle) = (UInt64(bytes[offset]), UInt64(bytes[offset + count / 2]))
    return first | middle << 8 | UInt64(bytes[bytes.count - 1]) << 16
  }

  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
