// SPDX-License-Identifier: Apache-2.0

/// The operations of a store on an open file.
///
/// Each is atomic, and each throws when the disk did not do it.
///
/// Not `Sendable`: an engine lives inside the lock of one ``SQLiteStorage``.
final class SQLiteEngine {
  /// Which file is open.
  let identity: StorageFolder.Identity

  let connection: SQLiteConnection
  let limits: StorageLimits
  /// Rows that were removed because their bytes had changed, since this was last asked.
  var unreadableCount = 0
  /// What the outbox holds, as far as this process knows; `nil` when it has to be counted.
  var totals: OutboxTotals?

  init(connection: SQLiteConnection, identity: StorageFolder.Identity, limits: StorageLimits) {
    self.connection = connection
    self.identity = identity
    self.limits = limits
  }

  func query(_ query: SQLiteQuery) throws(StorageFailure) -> SQLiteStatement {
    try connection.statement(query.rawValue) { query.text }
  }

  /// Runs work in a transaction that is undone if the work fails.
  func transaction<R>(_ work: () throws(StorageFailure) -> R) throws(StorageFailure) -> R {
    try query(.begin).run()
    do {
      let result = try work()
      try query(.commit).run()
      return result
    } catch {
      totals = nil
      // The failure that counts is the first; SQLite has often undone the transaction by itself.
      if connection.isInTransaction { try? query(.rollback).run() }
      throw error
    }
  }

  /// Writes a page that is always there, to learn whether the disk can be written.
  func probe() throws(StorageFailure) {
    try connection.execute("PRAGMA application_id=\(SQLiteSchema.applicationID)")
  }
}

// MARK: - Records

extension SQLiteEngine {
  func read(namespace: String, key: String) throws(StorageFailure) -> Record? {
    let statement = try query(.readRecord)
    statement.bind(1, utf8: namespace)
    statement.bind(2, utf8: key)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    // Large values are not in the row that the query gives.
    let value =
      statement.isNull(0)
      ? try connection.bytes(table: "records", column: "value", row: statement.integer(3))
      : statement.bytes(0)
    let record = Record(value: value, writtenAt: statement.integer(1))
    let sum = Self.checksum(namespace: namespace, key: key, record)
    if sum == statement.integer(2) { return record }
    statement.reset()
    // It may be impossible to remove it now; then the next reader finds it unreadable too.
    try? remove(namespace: namespace, key: key)
    unreadableCount += 1
    return nil
  }

  func apply(_ changes: [RecordChange], now: Int64) throws(StorageFailure) {
    if changes.count == 1 { return try apply(changes[0], now: now) }
    try transaction { () throws(StorageFailure) in
      for change in changes { try apply(change, now: now) }
    }
  }

  func apply(_ change: RecordChange, now: Int64) throws(StorageFailure) {
    switch change {
    case .remove(let namespace, let key):
      try remove(namespace: namespace, key: key)
    case .write(let namespace, let key, let value):
      try write(Record(value: value, writtenAt: now), namespace: namespace, key: key)
    }
  }

  func write(_ record: Record, namespace: String, key: String) throws(StorageFailure) {
    let statement = try query(.writeRecord)
    statement.bind(1, utf8: namespace)
    statement.bind(2, utf8: key)
    statement.bind(3, record.writtenAt)
    statement.bind(4, Self.checksum(namespace: namespace, key: key, record))
    statement.bind(5, record.value)
    try statement.run()
  }

  func remove(namespace: String, key: String) throws(StorageFailure) {
    let statement = try query(.removeRecord)
    statement.bind(1, utf8: namespace)
    statement.bind(2, utf8: key)
    try statement.run()
  }

  func removeAll(namespace: [UInt8]) throws(StorageFailure) {
    let statement = try query(.removeNamespace)
    statement.bind(1, namespace)
    try statement.run()
  }

  func removeRecords(writtenBefore limit: Int64) throws(StorageFailure) {
    let statement = try query(.removeRecords)
    statement.bind(1, limit)
    try statement.run()
  }

  func keys(namespace: [UInt8]) throws(StorageFailure) -> [(key: [UInt8], writtenAt: Int64)] {
    let statement = try query(.keys)
    statement.bind(1, namespace)
    defer { statement.reset() }
    var keys: [(key: [UInt8], writtenAt: Int64)] = []
    while try statement.step() { keys.append((statement.bytes(0), statement.integer(1))) }
    return keys
  }

  /// Brings changes that were held in memory to the disk; within a transaction.
  func apply(_ overlay: RecordOverlay) throws(StorageFailure) {
    if overlay.clearsEverything { try query(.removeAllRecords).run() }
    for namespace in overlay.clearedNamespaces { try removeAll(namespace: namespace) }
    if overlay.cutoff > .min { try removeRecords(writtenBefore: overlay.cutoff) }
    for (place, record) in overlay.entries {
      let namespace = String(decoding: place.namespace, as: UTF8.self)
      let key = String(decoding: place.key, as: UTF8.self)
      if let record {
        try write(record, namespace: namespace, key: key)
      } else {
        try remove(namespace: namespace, key: key)
      }
    }
  }

  static func checksum(namespace: String, key: String, _ record: Record) -> Int64 {
    var sum = Checksum()
    sum.add(utf8: namespace)
    sum.add(utf8: key)
    sum.add(record.writtenAt)
    sum.add(record.value)
    return sum.value
  }
}
