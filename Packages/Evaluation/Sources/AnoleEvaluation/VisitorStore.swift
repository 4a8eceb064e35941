// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// The records of many visitors in one process, in flat memory.
///
/// A visitor of whom only assignments are known takes some 90 bytes. The store holds at most
/// ``limit`` visitors: when it is full, the tenth that was seen longest ago is forgotten, which
/// changes no decision (they follow from the visitor code), only conditions on past assignments.
/// Hand exposures to tracking before that.
///
/// A plain value without lock: the owner guards it, or keeps one store a thread or shard.
public struct VisitorStore: Sendable {
  /// A visitor code that was seen.
  private struct Entry {
    let codeOffset: UInt32
    let codeLength: UInt32
    /// A position in ``records``; two codes of one person share it (section 5.3).
    var record: UInt32
  }

  /// The greatest number of visitor codes kept.
  public let limit: Int

  private var entries: [Entry] = []
  private var records: [VisitorRecord] = []
  private var lastSeen: [Timestamp] = []
  private var codes: [UInt8] = []
  /// Open addressing: position in ``entries`` plus one, 0 for a free slot.
  private var slots: [UInt32]

  private let seed: UInt64

  private static let smallestTable = 16
  /// Codes take up to 1,020 bytes, and their offsets have 32 bits.
  private static let greatestLimit = 4_000_000

  /// An empty store.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of visitor codes to keep, 10 to 4,000,000 (beyond that, use
  ///     several stores); default 1,000,000, some 90 MB.
  ///   - seed: a number strangers cannot guess; it keeps visitor codes from being chosen so that
  ///     look-ups get slow.
  public init(limit: Int = 1_000_000, seed: UInt64) {
    self.limit = min(max(limit, 10), Self.greatestLimit)
    self.seed = seed
    slots = [UInt32](repeating: 0, count: Self.smallestTable)
  }

  /// How many visitor codes are kept.
  public var count: Int { entries.count }

  /// The record of a visitor; nil if the visitor was not seen.
  public func record(of visitorCode: String) -> VisitorRecord? {
    guard let entry = visitorCode.withContiguousBytes({ find($0, hash: hash($0)) }) else {
      return nil
    }
    return records[Int(entries[entry].record)]
  }

  /// Reads and changes the record of a visitor, who is added if not yet seen.
  ///
  /// - Parameters:
  ///   - visitorCode: 1 to 255 Unicode scalars; the record of an invalid code is not kept.
  ///   - now: the caller's time; it starts the visit of a new visitor.
  ///   - body: gets the record.
  public mutating func withRecord<Result, Failure: Error>(
    of visitorCode: String, at now: Timestamp,
    _ body: (inout VisitorRecord) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard VisitorCode.isValid(visitorCode) else {
      var stranger = VisitorRecord(visitStart: now)
      return try body(&stranger)
    }
    let position = position(of: visitorCode, at: now)
    lastSeen[position] = now
    return try body(&records[position])
  }

  /// Lets a user's code share the record of an anonymous visitor from now on; what was kept under
  /// the user's code is lost (section 5.3).
  ///
  /// Either code is added if not yet seen; invalid codes are not linked. A link counts as seeing
  /// the visitor.
  public mutating func link(_ userCode: String, to visitorCode: String, at now: Timestamp) {
    guard VisitorCode.isValid(userCode), VisitorCode.isValid(visitorCode) else { return }
    let shared = position(of: visitorCode, at: now)
    lastSeen[shared] = now
    let record = records[shared]
    userCode.withContiguousBytes { bytes in
      let hash = hash(bytes)
      if let entry = find(bytes, hash: hash) {
        entries[entry].record = UInt32(shared)
        return
      }
      var target = shared
      if entries.count >= limit {
        // Making room moves the records, and may forget the visitor if all were seen at once.
        makeRoom()
        target = position(of: visitorCode, at: now)
        records[target] = record
      }
      insert(bytes, hash: hash, record: UInt32(target))
    }
  }

  /// Forgets the visitors that were last seen before a time.
  public mutating func removeVisitors(lastSeenBefore time: Timestamp) {
    let lastSeen = lastSeen
    keepRecords { lastSeen[$0] >= time }
  }

  /// Builds the store anew from the records that `isKept` accepts by their position.
  private mutating func keepRecords(_ isKept: (Int) -> Bool) {
    let old = self
    entries = []
    records = []
    lastSeen = []
    codes = []
    slots = [UInt32](repeating: 0, count: Self.smallestTable)
    var moved: [UInt32: UInt32] = [:]
    for entry in old.entries where isKept(Int(entry.record)) {
      let record = moved[entry.record] ?? UInt32(records.count)
      if Int(record) == records.count {
        records.append(old.records[Int(entry.record)])
        lastSeen.append(old.lastSeen[Int(entry.record)])
        moved[entry.record] = record
      }
      let start = Int(entry.codeOffset)
      old.codes[start..<start + Int(entry.codeLength)].withUnsafeBufferPointer {
        insert($0, hash: hash($0), record: record)
      }
    }
  }

  // MARK: - Table

  /// The position of a visitor's record, made if need be.
  private mutating func position(of visitorCode: String, at now: Timestamp) -> Int {
    visitorCode.withContiguousBytes { bytes in
      let hash = hash(bytes)
      if let entry = find(bytes, hash: hash) { return Int(entries[entry].record) }
      if entries.count >= limit { makeRoom() }
      records.append(VisitorRecord(visitStart: now))
      lastSeen.append(now)
      insert(bytes, hash: hash, record: UInt32(records.count - 1))
      return records.count - 1
    }
  }

  /// Forgets a tenth of the visitors: those seen longest ago, and of those seen at the same time
  /// the ones that came first.
  private mutating func makeRoom() {
    let byAge = Set(entries.map { Int($0.record) }).sorted {
      (lastSeen[$0], $0) < (lastSeen[$1], $1)
    }
    let forgotten = Set(byAge.prefix(max(byAge.count / 10, 1)))
    keepRecords { !forgotten.contains($0) }
  }

  private func find(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = Int(slots[slot]) - 1
      if matches(entries[entry], bytes) { return entry }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func matches(_ entry: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard Int(entry.codeLength) == bytes.count else { return false }
    let start = Int(entry.codeOffset)
    return codes.withUnsafeBufferPointer { codes in
      for offset in 0..<bytes.count where codes[start + offset] != bytes[offset] { return false }
      return true
    }
  }

  private mutating func insert(
    _ bytes: UnsafeBufferPointer<UInt8>, hash: UInt64, record: UInt32
  ) {
    if (entries.count + 1) * 2 > slots.count { grow() }
    entries.append(
      Entry(
        codeOffset: UInt32(codes.count), codeLength: UInt32(bytes.count),
        record: record))
    codes.append(contentsOf: bytes)
    occupy(hash, UInt32(entries.count))
  }

  private mutating func occupy(_ hash: UInt64, _ value: UInt32) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = value
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for position in entries.indices {
      let start = Int(entries[position].codeOffset)
      let end = start + Int(entries[position].codeLength)
      let hash = codes[start..<end].withUnsafeBufferPointer(hash)
      occupy(hash, UInt32(position + 1))
    }
  }

  /// Visitor codes come from strangers, who must not be able to make them collide.
  private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    ByteHash.hash(bytes, seed: seed)
  }
}
