// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency

/// Records and an outbox in an SQLite file that several processes may share.
///
/// Making one does no I/O; the file is opened at the first operation. The methods are synchronous: each runs
/// on the caller's thread for as long as the disk takes. It waits for other processes for at most
/// ``Configuration/busyTimeout``. Where that must not happen, such as on a main thread, call them through
/// an actor or a queue. An operation never fails: while the disk cannot be written, changes are held in
/// memory, and they go to disk with the first operation after it can be again.
///
/// Any thread may call it; operations of one object run one after another. They hold its lock while they
/// work on the disk, which is the purpose of that lock: it is what serialises the connection.
public final class SQLiteStorage: StateStore {
  /// What survives what.
  public enum Durability: Sendable, Hashable {
    /// Whatever is reported as durable survives the end of the process and of the power.
    case full
    /// It survives the end of the process; a loss of power may take the last changes, never half of one.
    case normal

    var pragma: String {
      switch self {
      case .full: "FULL"
      case .normal: "NORMAL"
      }
    }
  }

  /// Where and how a store is kept.
  public struct Configuration: Sendable {
    /// The path of the folder; made for the owner only if it is not there.
    ///
    /// One folder is one store.
    public var folder: String
    /// What survives what; `.full` by default.
    public var durability = Durability.full
    /// How much is kept.
    public var limits = StorageLimits()
    /// The size that the file may grow to, in bytes; at least 64 KiB, 256 MiB by default.
    public var largestFile = 256 << 20
    /// How long an operation waits for another process; 2 seconds by default, at most a minute.
    public var busyTimeout = Duration.seconds(2)
    /// After a failure, how long the disk is left alone before it is tried again; 1 second by default.
    public var retryInterval = Duration.seconds(1)
    /// The time of day, for ages and leases.
    public var wallClock = WallClock.system
    /// The time for the retry interval.
    public var time = TimeSource.continuous
    /// Called with what the owner should know, on the thread of the call that met it, under no lock.
    public var report: @Sendable (StorageReport) -> Void = { _ in }

    /// Makes a configuration with the defaults.
    public init(folder: String) {
      self.folder = folder
    }

    var busyMilliseconds: Int32 {
      Int32(clamping: min(60_000, max(0, busyTimeout.wholeMilliseconds)))
    }
  }

  /// The version of the loaded SQLite, such as `3.40.1`.
  public static var libraryVersion: String { SQLiteConnection.libraryVersion }

  private let core: Lock<SQLiteStorageCore>
  private let configuration: Configuration

  /// Makes a store; nothing is opened yet.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    core = Lock(SQLiteStorageCore(configuration))
  }

  /// Brings what is held in memory to disk, if possible, and closes the file.
  ///
  /// A later operation opens it again.
  public func close() {
    perform { $0.close() }
  }

  private func perform<R: Sendable>(_ work: @Sendable (inout SQLiteStorageCore) -> R) -> R {
    let (result, reports) = core.withLock { core in
      let result = work(&core)
      return (result, core.takeReports())
    }
    for report in reports { configuration.report(report) }
    return result
  }
}

// MARK: - Records

extension SQLiteStorage {
  /// Reads a record.
  public func read(namespace: String, key: String) -> Record? {
    perform { $0.read(namespace: namespace, key: key) }
  }

  /// Makes several changes in order, all or none of which survive a crash.
  @discardableResult
  public func apply(_ changes: [RecordChange]) -> WriteOutcome {
    perform { $0.apply(changes) }
  }

  /// Writes one value in place of what was there.
  @discardableResult
  public func write(_ value: [UInt8], namespace: String, key: String) -> WriteOutcome {
    apply([.write(namespace: namespace, key: key, value: value)])
  }

  /// Removes one record, if it is there.
  @discardableResult
  public func remove(namespace: String, key: String) -> WriteOutcome {
    apply([.remove(namespace: namespace, key: key)])
  }

  /// Removes all records of a namespace.
  @discardableResult
  public func removeAll(namespace: String) -> WriteOutcome {
    perform { $0.removeAll(namespace: Array(namespace.utf8)) }
  }

  /// Removes the records of all namespaces that were written longer ago than a span.
  @discardableResult
  public func removeRecords(olderThan age: Duration) -> WriteOutcome {
    perform { $0.removeRecords(olderThan: age) }
  }

  /// The keys of a namespace in the order of their UTF-8 bytes.
  public func keys(namespace: String) -> [String] {
    let keys = perform { $0.keys(namespace: Array(namespace.utf8)) }
    return keys.map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - Outbox

extension SQLiteStorage {
  /// Appends items in order, in one transaction.
  @discardableResult
  public func append(_ items: [OutboxItem]) -> WriteOutcome {
    append(items, applying: [])
  }

  /// Appends items in order and makes changes to records, in one transaction.
  @discardableResult
  public func append(_ items: [OutboxItem], applying changes: [RecordChange]) -> WriteOutcome {
    perform { $0.append(items, applying: changes) }
  }

  /// Takes items from the front for a time.
  public func claim(upTo count: Int, bytes: Int, lease: Duration) -> OutboxClaim {
    perform { $0.claim(upTo: count, bytes: bytes, lease: Lease.length(lease)) }
  }

  /// Removes delivered items; receipts whose item was meanwhile claimed again are ignored.
  @discardableResult
  public func acknowledge(_ receipts: [OutboxReceipt]) -> WriteOutcome {
    perform { $0.change(receipts, .remove) }
  }

  /// Gives items back before their lease ends, to the places they had.
  @discardableResult
  public func release(_ receipts: [OutboxReceipt]) -> WriteOutcome {
    perform { $0.change(receipts, .release) }
  }

  /// Removes items that shall never be delivered, and counts them under a reason.
  @discardableResult
  public func discard(_ receipts: [OutboxReceipt], reason: DropReason) -> WriteOutcome {
    perform { $0.change(receipts, .discard(reason)) }
  }

  /// What is queued and what was dropped, by all processes; O(number of items).
  public func statistics() -> OutboxStatistics {
    perform { $0.statistics() }
  }
}
