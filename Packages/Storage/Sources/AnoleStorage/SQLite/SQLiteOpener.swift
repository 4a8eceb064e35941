// SPDX-License-Identifier: Apache-2.0

/// Opens a store's file: makes it, checks it, brings its schema up to date, or sets it aside.
struct SQLiteOpener {
  let configuration: SQLiteStorage.Configuration

  /// A file up to this size is checked whole when it is opened, which takes about 0.3 ms a MiB.
  ///
  /// In a larger one damage is found when it is met.
  static let checkedSize = 16 << 20

  /// Opens the file.
  ///
  /// - Parameter suspect: A file that was found damaged while it was open: it is set aside if it is still
  ///   there, unless another process has already done so.
  /// - Returns: The engine, and a report for a file that was set aside.
  func open(
    suspect: (identity: StorageFolder.Identity, message: String)? = nil
  ) throws(StorageFailure) -> (engine: SQLiteEngine, report: StorageReport?) {
    let folder = try StorageFolder(preparing: configuration.folder)
    return try folder.locked(timeout: configuration.busyMilliseconds) { () throws(StorageFailure) in
      var report: StorageReport?
      if let suspect, folder.identity() == suspect.identity {
        report = try setAside(folder, because: suspect.message)
      } else if !folder.hasOnlyFiles {
        report = try setAside(folder, because: "a folder, a link or a device lies in its place")
      }
      do throws(StorageFailure) {
        return (try openFile(in: folder), report)
      } catch {
        guard error.kind == .damaged else { throw error }
        report = try setAside(folder, because: error.message)
        return (try openFile(in: folder), report)
      }
    }
  }

  private func setAside(
    _ folder: StorageFolder, because reason: String
  ) throws(StorageFailure) -> StorageReport {
    let name = try folder.setAside()
    return StorageReport(
      code: .setAside,
      message:
        "\(StorageFolder.fileName) was not usable: \(reason). It is now \(name), and an empty "
        + "store took its place")
  }

  private func openFile(in folder: StorageFolder) throws(StorageFailure) -> SQLiteEngine {
    try folder.makeFile()
    guard let identity = folder.identity() else {
      throw StorageFailure(kind: .unavailable, message: "the file of the store vanished")
    }
    let connection = try SQLiteConnection(
      path: folder.file, busyTimeout: configuration.busyMilliseconds,
      statementCount: SQLiteQuery.allCases.count)
    // Few pages are asked for twice, and those that are lie in the system's cache as well: more memory
    // than this only makes opening slower. What a transaction changes has 2 MiB before it is written out.
    try connection.execute("PRAGMA cache_size=-128")
    try connection.execute("PRAGMA cache_spill=512")
    let isCurrent = try check(connection, size: folder.fileSize())
    try configure(connection)
    // A file that needs nothing is not written to: that would cost a sync.
    if !isCurrent { try SQLiteSchema.migrate(connection) }
    return SQLiteEngine(
      connection: connection, identity: identity, limits: configuration.limits)
  }

  /// Checks that the file is one that can be used.
  ///
  /// - Returns: Whether it has the current schema.
  private func check(
    _ connection: SQLiteConnection, size: Int
  ) throws(StorageFailure) -> Bool {
    try connection.execute("PRAGMA cell_size_check=ON")
    switch try SQLiteSchema.content(of: connection) {
    case .foreign:
      throw StorageFailure(kind: .damaged, message: "it is a database of another program")
    case .empty:
      return false
    case .ours(let version) where !SQLiteSchema.believableVersions.contains(version):
      throw StorageFailure(kind: .damaged, message: "it claims to have schema \(version)")
    case .ours(let version) where version > SQLiteSchema.version:
      throw StorageFailure(
        kind: .newer,
        message:
          "the store has schema \(version), this library reads up to \(SQLiteSchema.version); "
          + "update it or choose another folder")
    case .ours(let version):
      let isCurrent = version == SQLiteSchema.version
      guard size <= Self.checkedSize else { return isCurrent }
      let verdict = try connection.text("PRAGMA quick_check(1)")
      guard verdict == "ok" else {
        throw StorageFailure(kind: .damaged, message: verdict ?? "it cannot be checked")
      }
      return isCurrent
    }
  }

  private func configure(_ connection: SQLiteConnection) throws(StorageFailure) {
    let mode = try connection.text("PRAGMA journal_mode=WAL")
    guard mode == "wal" else {
      throw StorageFailure(kind: .unavailable, message: "the file system cannot do WAL")
    }
    try connection.execute("PRAGMA synchronous=\(configuration.durability.pragma)")
    // The log is cut back to this size after it was written into the file.
    try connection.execute("PRAGMA journal_size_limit=\(4 << 20)")
    try connection.execute("PRAGMA temp_store=MEMORY")
    let pageSize = try connection.text("PRAGMA page_size").flatMap { Int($0) } ?? 4_096
    let pages = max(16, configuration.largestFile / pageSize)
    try connection.execute("PRAGMA max_page_count=\(pages)")
  }
}
