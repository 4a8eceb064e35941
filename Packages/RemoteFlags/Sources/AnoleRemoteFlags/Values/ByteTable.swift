// SPDX-License-Identifier: Apache-2.0

import AnoleModels

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Values under keys that are found by their bytes, built once and never changed.
///
/// A look-up hashes the key's bytes and allocates nothing. Each table has a hash of its own, so that nobody
/// can choose keys that all meet in one place.
struct ByteTable<Value: Sendable>: Sendable {
  private struct Slot {
    let hash: UInt32
    let index: UInt32
  }

  private static var free: Slot { Slot(hash: 0, index: .max) }

  /// The values, in the order of their keys' bytes.
  let values: [Value]
  /// All keys, one after another.
  private let bytes: [UInt8]
  /// Where each key starts, and where the last one ends.
  private let bounds: [Int]
  /// A power of two of places, at most half of them taken.
  private let slots: [Slot]
  private let hash = KeyHash()

  /// Makes a table; of two equal keys the later one counts.
  init(_ pairs: [(key: String, value: Value)]) {
    var latest: [ExactText: Value] = [:]
    for pair in pairs { latest[ExactText(pair.key)] = pair.value }
    self.init(latest)
  }

  /// Makes a table of what was gathered by key.
  init(_ latest: [ExactText: Value]) {
    let sorted = latest.sorted { $0.key.text.precedesByBytes($1.key.text) }
    values = sorted.map(\.value)
    var bytes: [UInt8] = []
    var bounds = [0]
    for entry in sorted {
      bytes += Array(entry.key.text.utf8)
      bounds.append(bytes.count)
    }
    self.bytes = bytes
    self.bounds = bounds
    slots = Self.slots(bytes: bytes, bounds: bounds, hash)
  }

  private static func slots(bytes: [UInt8], bounds: [Int], _ hash: KeyHash) -> [Slot] {
    let count = bounds.count - 1
    guard count > 0 else { return [] }
    var size = 4
    while size < 2 * count { size *= 2 }
    var slots = [Slot](repeating: free, count: size)
    bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<count {
        let hash = hash(UnsafeBufferPointer(rebasing: bytes[bounds[index]..<bounds[index + 1]]))
        var place = Int(truncatingIfNeeded: hash) & (size - 1)
        while slots[place].index != .max { place = (place + 1) & (size - 1) }
        slots[place] = Slot(hash: hash, index: UInt32(truncatingIfNeeded: index))
      }
    }
    return slots
  }

  var count: Int { values.count }

  /// A key as text.
  func key(at index: Int) -> String {
    String(decoding: bytes[bounds[index]..<bounds[index + 1]], as: UTF8.self)
  }

  /// The value of a key; nil if there is none.
  subscript(key: String) -> Value? {
    guard let index = index(of: key) else { return nil }
    return values[index]
  }

  /// The place of a key in `values`; nil if there is none.
  func index(of key: String) -> Int? {
    guard !slots.isEmpty else { return nil }
    var key = key
    return key.withUTF8 { index(of: $0) }
  }

  private func index(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = hash(key)
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot.index == .max { return nil }
      let index = Int(slot.index)
      if slot.hash == hash, isKey(at: index, key) { return index }
      place = (place + 1) & mask
    }
  }

  private func isKey(at index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = bounds[index]
    guard bounds[index + 1] - start == key.count else { return false }
    guard let wanted = key.baseAddress else { return true }
    return bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return key.isEmpty }
      return memcmp(base + start, wanted, key.count) == 0
    }
  }
}

extension ByteTable: Equatable where Value: Equatable {
  /// Whether keys and values are the same; both sides are in the order of their keys.
  static func == (left: ByteTable, right: ByteTable) -> Bool {
    left.bytes == right.bytes && left.bounds == right.bounds && left.values == right.values
  }
}
