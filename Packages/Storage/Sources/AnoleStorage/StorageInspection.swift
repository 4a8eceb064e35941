// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// What lies in the store of a folder, read without taking part in it.
///
/// Unlike ``SQLiteStorage`` it makes no folder and no file, sets nothing aside and removes no record that
/// cannot be read, so that people can look first. Other processes may use the store meanwhile: all numbers
/// are those of one moment. SQLite itself may bring its log into the file.
public struct StorageInspection: Sendable, Hashable {
  /// The records of one namespace.
  public struct Space: Sendable, Hashable {
    /// The namespace.
    public let name: String
    /// How many records there are.
    public var count = 0
    /// The bytes of their values.
    public var bytes = 0
    /// When the oldest was written: milliseconds since the epoch.
    public var oldestWrittenAt: Int64 = 0
    /// When the newest was written: milliseconds since the epoch.
    public var newestWrittenAt: Int64 = 0
    /// How many of them are not as they were written; a store would drop those when it meets them.
    public var damagedCount = 0
  }

  /// A record with its key.
  public struct Entry: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The value and its time.
    public let record: Record
  }

  /// The bytes of the file and of SQLite's files beside it.
  public let bytesOnDisk: Int
  /// The namespaces, in the order of their UTF-8 bytes.
  public let spaces: [Space]
  /// What waits in the outbox and what was ever dropped from it.
  public let outbox: OutboxStatistics
  /// How many items of the outbox are not as they were written.
  public let damagedItems: Int
  /// What SQLite finds wrong with the file itself, at most twenty sentences; empty if it is whole.
  public let faults: [String]
  /// Files of former stores that were set aside as damaged, by name.
  public let filesSetAside: [String]
  private let entries: [String: [Entry]]

  /// Whether nothing is damaged.
  public var isIntact: Bool {
    faults.isEmpty && damagedItems == 0 && spaces.allSatisfy { $0.damagedCount == 0 }
  }

  /// The undamaged records of a namespace that was asked for, in the order of the keys' UTF-8 bytes.
  public func entries(of namespace: String) -> [Entry] { entries[namespace] ?? [] }

  /// Looks into the store of a folder; O(its size), on the calling thread.
  ///
  /// - Parameters:
  ///   - folder: The folder of ``SQLiteStorage/Configuration/folder``.
  ///   - namespaces: Those whose values are kept for ``entries(of:)``.
  ///   - busyTimeout: How long to wait for other processes.
  /// - Throws: ``StorageInspectionError``.
  public init(
    folder: String, reading namespaces: Set<String> = [], busyTimeout: Duration = .seconds(2)
  ) throws(StorageInspectionError) {
    guard let place = StorageFolder(existing: folder), StorageFolder.kind(place.file) != .missing
    else {
      throw StorageInspectionError(code: .missing, message: "there is no store in the folder")
    }
    do throws(StorageFailure) {
      guard place.hasOnlyFiles else {
        throw StorageFailure(
          kind: .damaged, message: "a folder, a link or a device lies in the place of its file")
      }
      bytesOnDisk = place.bytesOnDisk()
      filesSetAside = place.namesSetAside
      var reader = try StoreReader(place.file, reading: namespaces, busyTimeout: busyTimeout)
      try reader.read()
      faults = reader.faults
      spaces = reader.spaces.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      entries = reader.entries
      outbox = reader.outbox
      damagedItems = reader.damagedItems
    } catch {
      throw StorageInspectionError(error)
    }
  }
}

/// Why a store cannot be looked into or removed.
public struct StorageInspectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case missing, damaged, newerSchema, busy, unavailable }
    private let kind: Kind

    /// There is no store in the folder.
    public static let missing = Code(kind: .missing)
    /// The file is no store, or so damaged that nothing can be read.
    public static let damaged = Code(kind: .damaged)
    /// The store was made by a newer version of this library.
    public static let newerSchema = Code(kind: .newerSchema)
    /// Another process held the file for too long.
    public static let busy = Code(kind: .busy)
    /// The file cannot be opened or read.
    public static let unavailable = Code(kind: .unavailable)

    /// The name of the code.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// What happened; without keys, values or other text of users.
  public let message: String

  /// The code and the message.
  public var description: String { "\(code): \(message)" }

  init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  init(_ failure: StorageFailure) {
    let code: Code =
      switch failure.kind {
      case .busy: .busy
      case .unavailable: .unavailable
      case .damaged: .damaged
      case .newer: .newerSchema
      case .moved: .missing
      }
    self.init(code: code, message: failure.message)
  }
}

extension SQLiteStorage {
  /// Removes the store of a folder with all that is in it, also what was set aside.
  ///
  /// The folder goes too if nothing else lies in it. A store that is open meanwhile, in this process or
  /// another one, notices within about a second, reports ``StorageReport/Code/replaced`` and begins anew.
  ///
  /// - Parameters:
  ///   - folder: The folder of ``Configuration/folder``.
  ///   - busyTimeout: How long to wait for a process that opens the store.
  /// - Throws: ``StorageInspectionError``.
  public static func removeStore(
    in folder: String, busyTimeout: Duration = .seconds(2)
  ) throws(StorageInspectionError) {
    guard let place = StorageFolder(existing: folder), StorageFolder.kind(place.file) != .missing
    else {
      throw StorageInspectionError(code: .missing, message: "there is no store in the folder")
    }
    do throws(StorageFailure) {
      let timeout = Int32(clamping: busyTimeout.wholeMilliseconds)
      try place.locked(timeout: timeout) { () throws(StorageFailure) in
        try place.removeFiles()
      }
    } catch {
      throw StorageInspectionError(error)
    }
  }
}
