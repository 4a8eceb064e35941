// SPDX-License-Identifier: Apache-2.0

/// The tables, and how a file gets from one version of them to the next.
enum SQLiteSchema {
  /// Marks the file as ours in its header: "ANOL".
  static let applicationID: Int64 = 0x414e_4f4c

  /// The statements that lead from version N to N + 1, in order.
  ///
  /// Never change one that was released; append.
  static let steps: [String] = [
    """
    CREATE TABLE records(
      id INTEGER PRIMARY KEY, space BLOB NOT NULL, key BLOB NOT NULL, written INTEGER NOT NULL,
      sum INTEGER NOT NULL, value BLOB NOT NULL, UNIQUE(space, key));
    """,
    """
    CREATE TABLE outbox(
      id INTEGER PRIMARY KEY, accepted INTEGER NOT NULL, sum INTEGER NOT NULL, grp BLOB,
      body BLOB NOT NULL);
    CREATE TABLE leases(
      id INTEGER PRIMARY KEY, ends INTEGER NOT NULL, claim INTEGER NOT NULL, grp BLOB);
    """,
    """
    CREATE TABLE drops(reason BLOB PRIMARY KEY NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
    """,
  ]

  /// The version that this library writes.
  static var version: Int { steps.count }

  /// Versions further away than this come from damage, not from a newer library.
  static let believableVersions = 0...(version + 100)

  /// What a file turned out to be.
  enum Content {
    case empty
    case ours(version: Int)
    case foreign
  }

  static func content(of connection: SQLiteConnection) throws(StorageFailure) -> Content {
    let id = try connection.text("PRAGMA application_id")
    let version = try connection.text("PRAGMA user_version")
    if id == "\(applicationID)" { return .ours(version: version.flatMap { Int($0) } ?? 0) }
    let objects = try connection.text("SELECT count(*) FROM sqlite_master")
    return id == "0" && version == "0" && objects == "0" ? .empty : .foreign
  }

  /// Brings a file of ours, or an empty one, to the current version; all or nothing.
  static func migrate(_ connection: SQLiteConnection) throws(StorageFailure) {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have done it between the look at the file and the lock on it.
      let version = try connection.text("PRAGMA user_version").flatMap { Int($0) } ?? 0
      for step in steps.dropFirst(version) { try connection.execute(step) }
      try connection.execute("PRAGMA application_id=\(applicationID)")
      try connection.execute("PRAGMA user_version=\(self.version)")
      try connection.execute("COMMIT")
    } catch {
      // The failure that counts is the first; without the transaction there is nothing to undo.
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }
}

/// The statements that are prepared once.
enum SQLiteQuery: Int, CaseIterable {
  /// From this size on, in bytes, values are read in one piece, not as part of a row.
  static let largeValue = 64 << 10

  case begin
  case commit
  case rollback
  case dataVersion
  case readRecord
  case writeRecord
  case removeRecord
  case removeNamespace
  case removeRecords
  case removeAllRecords
  case keys
  case appendItem
  case availableItems
  case oldestItems
  case leaseItem
  case itemSize
  case endLease
  case dropLease
  case dropItem
  case groups
  case totals
  case addDrop
  case drops

  var text: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .dataVersion: "PRAGMA data_version"
    case .readRecord:
      """
      SELECT CASE WHEN length(value) < \(Self.largeValue) THEN value END, written, sum, id
      FROM records WHERE space = ?1 AND key = ?2
      """
    case .writeRecord:
      """
      INSERT INTO records(space, key, written, sum, value) VALUES(?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(space, key) DO UPDATE
      SET written = excluded.written, sum = excluded.sum, value = excluded.value
      """
    case .removeRecord: "DELETE FROM records WHERE space = ?1 AND key = ?2"
    case .removeNamespace: "DELETE FROM records WHERE space = ?1"
    case .removeRecords: "DELETE FROM records WHERE written < ?1"
    case .removeAllRecords: "DELETE FROM records"
    case .keys: "SELECT key, written FROM records WHERE space = ?1 ORDER BY key"
    case .appendItem: "INSERT INTO outbox(accepted, sum, grp, body) VALUES(?1, ?2, ?3, ?4)"
    case .availableItems:
      """
      SELECT id, accepted, sum, grp, body FROM outbox
      WHERE id NOT IN (SELECT id FROM leases WHERE ends > ?1 AND ends <= ?2)
      AND (grp IS NULL OR grp NOT IN (
        SELECT grp FROM leases WHERE ends > ?1 AND ends <= ?2 AND grp IS NOT NULL))
      ORDER BY id
      """
    case .oldestItems:
      """
      SELECT id, accepted, id IN (SELECT id FROM leases WHERE ends > ?1 AND ends <= ?2), length(body)
      FROM outbox ORDER BY id
      """
    case .leaseItem:
      "INSERT OR REPLACE INTO leases(id, ends, claim, grp) VALUES(?1, ?2, ?3, ?4)"
    case .itemSize:
      """
      SELECT length(body) FROM leases JOIN outbox USING(id) WHERE leases.id = ?1 AND claim = ?2
      """
    case .endLease: "DELETE FROM leases WHERE id = ?1 AND claim = ?2"
    case .dropLease: "DELETE FROM leases WHERE id = ?1"
    case .dropItem: "DELETE FROM outbox WHERE id = ?1"
    case .groups: "SELECT DISTINCT grp FROM outbox WHERE grp IS NOT NULL"
    case .totals: "SELECT count(*), coalesce(sum(length(body)), 0), min(accepted) FROM outbox"
    case .addDrop:
      """
      INSERT INTO drops(reason, count) VALUES(?1, ?2)
      ON CONFLICT(reason) DO UPDATE SET count = count + excluded.count
      """
    case .drops: "SELECT reason, count FROM drops"
    }
  }
}
