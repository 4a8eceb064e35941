// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The codes of the visitors that wait to be tracked: a set in the order of first insertion.
///
/// A pure value. Codes are the same if their bytes are: a composed and a decomposed é are two.
///
/// Every read that is tracked asks it whether the visitor waits already, and most do. So a code is
/// hashed once a call, by the caller, who need not hold a lock for that; the hash is kept, so that
/// neither growth nor a look-up touches the texts of other visitors.
struct VisitorQueue: Sendable {
  /// A code with its hash, which strangers cannot predict.
  struct Key: Sendable {
    let code: String
    fileprivate let hash: UInt

    init(_ code: String) {
      self.code = code
      hash = UInt(bitPattern: ExactText(code).hashValue)
    }
  }

  /// What became of an insertion.
  enum Insertion: Sendable, Hashable {
    case inserted
    /// The code waits already.
    case present
    /// There is no room.
    case full
  }

  private struct Entry: Sendable {
    /// The code; nil if it was taken out.
    var code: String?
    let hash: UInt
  }

  private struct Slot: Sendable {
    /// The upper half of the hash.
    var tag: UInt32 = 0
    /// A position in ``entries`` plus one; 0 if the slot is free.
    var entry: UInt32 = 0
  }

  private static let smallestTable = 16

  private var entries: [Entry] = []
  /// Open addressing; at most half of them are taken.
  private var slots: [Slot] = []

  /// How many codes wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The codes in their order.
  var codes: [String] { entries.compactMap(\.code) }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  /// Adds a code, unless it waits already or there are as many as a limit allows.
  mutating func insert(_ key: Key, limit: Int = .max) -> Insertion {
    if find(key) != nil { return .present }
    guard count < limit else { return .full }
    if (entries.count + 1) * 2 > slots.count { grow() }
    entries.append(Entry(code: key.code, hash: key.hash))
    occupy(key.hash, entries.count)
    count += 1
    return .inserted
  }

  /// Takes a code out, if it is there.
  mutating func remove(_ key: Key) {
    guard let position = find(key) else { return }
    // The slot stays, and leads to an entry without code, until the table is built anew.
    entries[position].code = nil
    count -= 1
    if isEmpty { self = VisitorQueue() }
  }

  /// Takes the whole queue out.
  mutating func takeAll() -> VisitorQueue {
    defer { self = VisitorQueue() }
    return self
  }

  // MARK: - Table

  @inline(__always)
  private static func tag(of hash: UInt) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64(hash) >> 32)
  }

  private func find(_ key: Key) -> Int? {
    guard !slots.isEmpty else { return nil }
    let mask = slots.count - 1
    let tag = Self.tag(of: key.hash)
    var position = Int(truncatingIfNeeded: key.hash) & mask
    while slots[position].entry != 0 {
      if slots[position].tag == tag {
        let entry = Int(slots[position].entry) - 1
        if let code = entries[entry].code, code.hasSameBytes(as: key.code) { return entry }
      }
      position = (position + 1) & mask
    }
    return nil
  }

  private mutating func occupy(_ hash: UInt, _ entry: Int) {
    let mask = slots.count - 1
    var position = Int(truncatingIfNeeded: hash) & mask
    while slots[position].entry != 0 { position = (position + 1) & mask }
    slots[position] = Slot(tag: Self.tag(of: hash), entry: UInt32(entry))
  }

  /// Builds the table anew, for twice the codes that wait, and forgets those that were taken out.
  private mutating func grow() {
    if count < entries.count { entries.removeAll { $0.code == nil } }
    var size = Self.smallestTable
    while size < (count + 1) * 4 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    for (position, entry) in entries.enumerated() { occupy(entry.hash, position + 1) }
  }
}
