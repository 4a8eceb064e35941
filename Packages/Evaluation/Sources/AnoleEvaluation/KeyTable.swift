// SPDX-License-Identifier: Apache-2.0

import AnoleModels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds the position of a flag by its key: open addressing over one arena of bytes.
///
/// Keys are compared byte by byte. Seeded hashing is not needed: keys come from the project's own
/// data file, and a lookup walks at most the whole table.
struct KeyTable: Sendable {
  private struct Slot {
    var hash: UInt32
    var length: UInt32
    var offset: UInt32
    /// The position of the flag plus one; 0 for a free slot.
    var value: UInt32
  }

  private var slots: [Slot]
  private let mask: Int
  private var arena: [UInt8] = []

  /// A table with room for some keys.
  init(capacity: Int) {
    var size = 8
    while size < capacity * 2 { size *= 2 }
    slots = [Slot](
      repeating: Slot(hash: 0, length: 0, offset: 0, value: 0), count: size)
    mask = size - 1
    arena.reserveCapacity(capacity * 20)
  }

  /// Stores the position for a key, replacing an earlier one.
  mutating func set(_ key: String, _ value: Int) {
    key.withContiguousBytes { bytes in
      let hash = Self.hash(bytes)
      var position = Int(hash) & mask
      while slots[position].value != 0 {
        if matches(slots[position], hash, bytes) {
          slots[position].value = UInt32(value + 1)
          return
        }
        position = (position + 1) & mask
      }
      slots[position] = Slot(
        hash: hash, length: UInt32(bytes.count), offset: UInt32(arena.count),
        value: UInt32(value + 1))
      arena.append(contentsOf: bytes)
    }
  }

  /// The position stored for a key.
  @inline(__always)
  func find(_ key: String) -> Int? {
    key.withContiguousBytes { bytes in
      let hash = Self.hash(bytes)
      var position = Int(hash) & mask
      while slots[position].value != 0 {
        if matches(slots[position], hash, bytes) { return Int(slots[position].value) - 1 }
        position = (position + 1) & mask
      }
      return nil
    }
  }

  @inline(__always)
  private func matches(_ slot: Slot, _ hash: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard slot.hash == hash, Int(slot.length) == bytes.count else { return false }
    guard let base = bytes.baseAddress else { return true }
    return arena.withUnsafeBufferPointer { arena in
      guard let start = arena.baseAddress else { return bytes.isEmpty }
      return memcmp(start + Int(slot.offset), base, bytes.count) == 0
    }
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: ByteHash.hash(bytes))
  }
}
