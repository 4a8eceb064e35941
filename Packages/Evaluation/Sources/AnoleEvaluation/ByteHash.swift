// SPDX-License-Identifier: Apache-2.0

/// A quick hash for the tables of this package; not stable across versions, not for bucketing.
enum ByteHash {
  /// Multiplies and folds eight bytes at a time.
  ///
  /// - Parameter seed: makes the result unpredictable where the bytes come from strangers.
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64 = 0) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var state = (UInt64(bytes.count) ^ seed) &* factor
    var index = 0
    while index + 8 <= bytes.count {
      state = fold(state ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self), factor)
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    return fold(state ^ rest, factor)
  }

  /// The two halves of the full product, which mixes every bit into every other.
  @inline(__always)
  private static func fold(_ value: UInt64, _ factor: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
