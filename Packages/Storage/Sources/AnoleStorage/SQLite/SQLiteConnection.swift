// SPDX-License-Identifier: Apache-2.0

import CAnoleSQLite
import CAnoleSQLiteSystem

/// The only file that sees SQLite's C interface.
///
/// A connection and its statements are not `Sendable`: they live inside one `Lock`, and the compiler proves
/// that they never leave it. SQLite is therefore opened without mutexes of its own.
final class SQLiteConnection {
  private let handle: OpaquePointer
  private var statements: [OpaquePointer?]

  /// Opens a file that exists.
  ///
  /// - Parameters:
  ///   - path: The file; no part of the path may be a symbolic link.
  ///   - busyTimeout: How long to wait for other processes, in milliseconds.
  ///   - statementCount: How many prepared statements are kept.
  init(path: String, busyTimeout: Int32, statementCount: Int) throws(StorageFailure) {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let status = sqlite3_open_v2(path, &opened, flags, nil)
    guard status == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw Self.failure(status, message: String(cString: sqlite3_errstr(status)))
    }
    handle = opened
    statements = Array(repeating: nil, count: statementCount)
    sqlite3_busy_timeout(handle, busyTimeout)
    anole_sqlite_harden(handle)
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs statements that give no rows, or whose rows do not matter.
  func execute(_ sql: String) throws(StorageFailure) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status) }
  }

  /// Runs a query and gives the first column of its first row, as text.
  func text(_ sql: String) throws(StorageFailure) -> String? {
    let statement = try prepare(sql, isKept: false)
    defer { sqlite3_finalize(statement) }
    let status = sqlite3_step(statement)
    guard status == SQLITE_ROW else {
      if status == SQLITE_DONE { return nil }
      throw failure(status)
    }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  /// Runs a query and gives the first column of its rows, as texts.
  func texts(_ sql: String) throws(StorageFailure) -> [String] {
    var texts: [String] = []
    try eachRow(of: sql) { row in
      texts.append(String(decoding: row.bytes(0), as: UTF8.self))
    }
    return texts
  }

  /// Runs a query once and visits its rows; each is valid during the visit.
  func eachRow(of sql: String, _ visit: (SQLiteStatement) -> Void) throws(StorageFailure) {
    let statement = SQLiteStatement(pointer: try prepare(sql, isKept: false))
    defer { sqlite3_finalize(statement.pointer) }
    while try statement.step() { visit(statement) }
  }

  /// The version of the loaded library.
  static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// A prepared statement, made at its first use and kept.
  func statement(_ index: Int, _ sql: () -> String) throws(StorageFailure) -> SQLiteStatement {
    if let kept = statements[index] { return SQLiteStatement(pointer: kept) }
    let prepared = try prepare(sql(), isKept: true)
    statements[index] = prepared
    return SQLiteStatement(pointer: prepared)
  }

  /// Reads a blob straight into the array that is returned.
  ///
  /// A column that is read by a query is put together in memory of SQLite's own first, which for a large
  /// value costs as much again as reading it.
  ///
  /// - Parameter row: The row's id; it must be in the snapshot of a statement that is still running.
  func bytes(table: String, column: String, row: Int64) throws(StorageFailure) -> [UInt8] {
    var opened: OpaquePointer?
    var status = sqlite3_blob_open(handle, "main", table, column, row, 0, &opened)
    defer { sqlite3_blob_close(opened) }
    guard status == SQLITE_OK else { throw failure(status) }
    let count = sqlite3_blob_bytes(opened)
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      status = anole_sqlite_read_blob(opened, buffer.baseAddress, count)
      filled = status == SQLITE_OK ? Int(count) : 0
    }
    guard status == SQLITE_OK else { throw failure(status) }
    return bytes
  }

  private func prepare(_ sql: String, isKept: Bool) throws(StorageFailure) -> OpaquePointer {
    var prepared: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let status = sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
    guard status == SQLITE_OK, let prepared else { throw failure(status) }
    return prepared
  }

  private func failure(_ status: Int32) -> StorageFailure {
    Self.failure(status, message: String(cString: sqlite3_errmsg(handle)))
  }

  fileprivate static func failure(_ status: Int32, message: String) -> StorageFailure {
    let kind: StorageFailure.Kind
    switch status & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED:
      kind = .busy
    case SQLITE_READONLY where status == SQLITE_READONLY | (4 << 8):
      kind = .moved
    case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH,
      SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_NOLFS, SQLITE_PROTOCOL, SQLITE_TOOBIG:
      kind = .unavailable
    default:
      // Corrupt, not a database, or without the tables and columns that our schema has.
      kind = .damaged
    }
    return StorageFailure(kind: kind, message: "\(message) (SQLite code \(status))")
  }
}

/// A prepared statement of a connection; valid as long as the connection is.
struct SQLiteStatement {
  fileprivate let pointer: OpaquePointer

  // Binding fails only for an index that is not there or for want of memory; both show in `step`, which
  // then works on NULL and hits a NOT NULL column. The indices are covered by the tests.

  func bind(_ index: Int32, _ value: Int64) {
    sqlite3_bind_int64(pointer, index, value)
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      _ = anole_sqlite_bind_bytes(pointer, index, buffer.baseAddress, Int64(buffer.count))
    }
  }

  func bind(_ index: Int32, utf8 text: String) {
    var text = text
    text.withUTF8 { buffer in
      _ = anole_sqlite_bind_bytes(pointer, index, buffer.baseAddress, Int64(buffer.count))
    }
  }

  /// Binds bytes without copying them; they must stay where they are until the statement has run.
  func bind(_ index: Int32, borrowing bytes: UnsafeBufferPointer<UInt8>) {
    anole_sqlite_bind_borrowed(pointer, index, bytes.baseAddress, Int64(bytes.count))
  }

  func bindNull(_ index: Int32) {
    sqlite3_bind_null(pointer, index)
  }

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws(StorageFailure) -> Bool {
    let status = sqlite3_step(pointer)
    if status == SQLITE_ROW { return true }
    if status == SQLITE_DONE { return false }
    let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer)))
    throw SQLiteConnection.failure(status, message: message)
  }

  /// Runs a statement that gives no rows, and makes it ready for the next use.
  func run() throws(StorageFailure) {
    defer { reset() }
    while try step() {}
  }

  /// Makes the statement ready for the next use.
  func reset() {
    sqlite3_reset(pointer)
  }

  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(pointer, column)
  }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(pointer, column) else { return [] }
    let count = Int(sqlite3_column_bytes(pointer, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
