// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Reads a whole store in one transaction, checking every row.
struct StoreReader {
  private(set) var faults: [String] = []
  private(set) var spaces: [String: StorageInspection.Space] = [:]
  private(set) var entries: [String: [StorageInspection.Entry]] = [:]
  private(set) var outbox = OutboxStatistics()
  private(set) var damagedItems = 0

  private let connection: SQLiteConnection
  private let wanted: Set<String>
  private static let faultLimit = 20

  init(_ file: String, reading wanted: Set<String>, busyTimeout: Duration) throws(StorageFailure) {
    connection = try SQLiteConnection(
      path: file, busyTimeout: Int32(clamping: busyTimeout.wholeMilliseconds), statementCount: 0)
    self.wanted = wanted
    try connection.execute("PRAGMA query_only=ON")
  }

  mutating func read() throws(StorageFailure) {
    let version: Int
    switch try SQLiteSchema.content(of: connection) {
    case .foreign:
      throw StorageFailure(kind: .damaged, message: "it is a database of another program")
    case .empty: return
    case .ours(let found): version = found
    }
    guard SQLiteSchema.believableVersions.contains(version) else {
      throw StorageFailure(kind: .damaged, message: "it claims to have schema \(version)")
    }
    guard version <= SQLiteSchema.version else {
      throw StorageFailure(
        kind: .newer,
        message:
          "the store has schema \(version), this library reads up to \(SQLiteSchema.version)")
    }
    let verdicts = try connection.texts("PRAGMA integrity_check(\(Self.faultLimit))")
    faults = verdicts == ["ok"] ? [] : verdicts
    try connection.execute("BEGIN")
    // Each table came with a version of the schema.
    if version >= 1 { try readRecords() }
    if version >= 2 { try readItems() }
    if version >= 3 { try readDrops() }
    try connection.execute("COMMIT")
  }

  private mutating func readRecords() throws(StorageFailure) {
    var spaces = spaces
    var entries = entries
    let sql = "SELECT space, key, value, written, sum FROM records ORDER BY space, key"
    try connection.eachRow(of: sql) { row in
      let name = String(decoding: row.bytes(0), as: UTF8.self)
      let key = String(decoding: row.bytes(1), as: UTF8.self)
      let record = Record(value: row.bytes(2), writtenAt: row.integer(3))
      let sum = SQLiteEngine.checksum(namespace: name, key: key, record)
      let isIntact = sum == row.integer(4)
      spaces[name, default: StorageInspection.Space(name: name)].add(record, isIntact: isIntact)
      guard isIntact, wanted.contains(name) else { return }
      entries[name, default: []].append(StorageInspection.Entry(key: key, record: record))
    }
    self.spaces = spaces
    self.entries = entries
  }

  private mutating func readItems() throws(StorageFailure) {
    var outbox = outbox
    var damagedItems = 0
    try connection.eachRow(of: "SELECT accepted, sum, grp, body FROM outbox ORDER BY id") { row in
      let item = OutboxItem(
        body: row.bytes(3),
        group: row.isNull(2) ? nil : String(decoding: row.bytes(2), as: UTF8.self),
        acceptedAt: row.integer(0))
      outbox.count += 1
      outbox.bytes += item.body.count
      outbox.oldestAcceptedAt = min(outbox.oldestAcceptedAt ?? .max, item.acceptedAt)
      if SQLiteEngine.checksum(item) != row.integer(1) { damagedItems += 1 }
    }
    self.outbox = outbox
    self.damagedItems = damagedItems
  }

  private mutating func readDrops() throws(StorageFailure) {
    var dropped: [DropReason: Int] = [:]
    try connection.eachRow(of: "SELECT reason, count FROM drops") { row in
      dropped[DropReason(String(decoding: row.bytes(0), as: UTF8.self))] = Int(row.integer(1))
    }
    outbox.dropped = dropped
  }
}

extension StorageInspection.Space {
  fileprivate mutating func add(_ record: Record, isIntact: Bool) {
    oldestWrittenAt = count == 0 ? record.writtenAt : min(oldestWrittenAt, record.writtenAt)
    newestWrittenAt = count == 0 ? record.writtenAt : max(newestWrittenAt, record.writtenAt)
    count += 1
    bytes += record.value.count
    if !isIntact { damagedCount += 1 }
  }
}
