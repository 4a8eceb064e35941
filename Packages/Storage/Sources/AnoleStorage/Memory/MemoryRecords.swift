// SPDX-License-Identifier: Apache-2.0

/// Records in memory.
///
/// A pure value without clock or lock.
struct MemoryRecords {
  private var spaces: [[UInt8]: [[UInt8]: Record]] = [:]
  private var bytes = 0

  func read(_ place: RecordKey) -> Record? {
    spaces[place.namespace]?[place.key]
  }

  /// Makes changes in order.
  ///
  /// - Returns: How many records were dropped to stay within the limit.
  mutating func apply(_ changes: [RecordChange], limit: Int, now: Int64) -> Int {
    for change in changes {
      let place = change.place
      remove(place)
      guard case .write(_, _, let value) = change else { continue }
      spaces[place.namespace, default: [:]][place.key] = Record(value: value, writtenAt: now)
      bytes += Self.cost(place.key, value)
    }
    return evict(limit: limit)
  }

  mutating func removeAll(namespace: [UInt8]) {
    for (key, record) in spaces[namespace] ?? [:] { bytes -= Self.cost(key, record.value) }
    spaces[namespace] = nil
  }

  mutating func remove(writtenBefore limit: Int64) {
    for (namespace, records) in spaces {
      for (key, record) in records where record.writtenAt < limit {
        bytes -= Self.cost(key, record.value)
        spaces[namespace]?[key] = nil
      }
    }
  }

  func keys(namespace: [UInt8]) -> [[UInt8]] {
    (spaces[namespace] ?? [:]).keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private mutating func remove(_ place: RecordKey) {
    guard let old = spaces[place.namespace]?.removeValue(forKey: place.key) else { return }
    bytes -= Self.cost(place.key, old.value)
  }

  /// Drops the oldest records until a tenth of the limit is free, so that this is rarely done.
  private mutating func evict(limit: Int) -> Int {
    guard bytes > limit else { return 0 }
    let all = spaces.flatMap { space in
      space.value.map { (space: space.key, key: $0.key, writtenAt: $0.value.writtenAt) }
    }
    var dropped = 0
    for victim in all.sorted(by: { $0.writtenAt < $1.writtenAt }) where bytes > limit / 10 * 9 {
      guard let old = spaces[victim.space]?.removeValue(forKey: victim.key) else { continue }
      bytes -= Self.cost(victim.key, old.value)
      dropped += 1
    }
    return dropped
  }

  /// What a record takes in memory; the constant stands for the headers of two arrays and the table.
  static func cost(_ key: [UInt8], _ value: [UInt8]) -> Int {
    key.count + value.count + 128
  }
}

/// Changes to records that the disk does not have yet, seen as a layer above it.
struct RecordOverlay {
  private(set) var entries: [RecordKey: Record?] = [:]
  private(set) var clearedNamespaces: Set<[UInt8]> = []
  private(set) var clearsEverything = false
  /// Records on disk that were written before this time are removed.
  private(set) var cutoff = Int64.min
  private var bytes = 0

  var isEmpty: Bool {
    entries.isEmpty && clearedNamespaces.isEmpty && !clearsEverything && cutoff == .min
  }

  /// Makes changes in order.
  ///
  /// - Returns: Whether all records had to be dropped to stay within the limit.
  mutating func apply(_ changes: [RecordChange], limit: Int, now: Int64) -> Bool {
    for change in changes {
      switch change {
      case .write(_, _, let value): set(change.place, Record(value: value, writtenAt: now))
      case .remove: set(change.place, nil)
      }
    }
    guard bytes > limit else { return false }
    // Dropping single entries would show older values of the disk again; an empty store is never wrong.
    self = RecordOverlay()
    clearsEverything = true
    return true
  }

  mutating func removeAll(namespace: [UInt8]) {
    for place in entries.keys where place.namespace == namespace { forget(place) }
    clearedNamespaces.insert(namespace)
  }

  mutating func remove(writtenBefore limit: Int64) {
    cutoff = max(cutoff, limit)
    for (place, record) in entries where (record?.writtenAt ?? .max) < limit { set(place, nil) }
  }

  /// What a reader sees, given what the disk has.
  func read(_ place: RecordKey, disk: () -> Record?) -> Record? {
    if let entry = entries[place] { return entry }
    guard !hides(namespace: place.namespace), let record = disk() else { return nil }
    return record.writtenAt < cutoff ? nil : record
  }

  /// The keys that a reader sees, given those of the disk and when their records were written.
  func keys(namespace: [UInt8], disk: () -> [(key: [UInt8], writtenAt: Int64)]) -> [[UInt8]] {
    var keys: Set<[UInt8]> = []
    if !hides(namespace: namespace) {
      for entry in disk() where entry.writtenAt >= cutoff { keys.insert(entry.key) }
    }
    for (place, record) in entries where place.namespace == namespace {
      if record == nil { keys.remove(place.key) } else { keys.insert(place.key) }
    }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func hides(namespace: [UInt8]) -> Bool {
    clearsEverything || clearedNamespaces.contains(namespace)
  }

  private mutating func set(_ place: RecordKey, _ record: Record?) {
    forget(place)
    entries[place] = .some(record)
    bytes += cost(place, record)
  }

  private mutating func forget(_ place: RecordKey) {
    guard let old = entries.removeValue(forKey: place) else { return }
    bytes -= cost(place, old)
  }

  private func cost(_ place: RecordKey, _ record: Record?) -> Int {
    place.namespace.count + MemoryRecords.cost(place.key, record?.value ?? [])
  }
}
