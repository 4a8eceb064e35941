// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Decides for each operation whether disk or memory serves it.
///
/// It lives inside the lock of one ``SQLiteStorage``. Everything goes to disk while that works. After a
/// failure, changes are kept in `pending` and the disk is left alone for the retry interval; then the next
/// operation tries to bring `pending` to disk, in one transaction.
struct SQLiteStorageCore {
  private enum Mode {
    case healthy
    /// The disk failed. Next: `healthy`, when `pending` was brought there after `retryAt`.
    case degraded(retryAt: Duration)
  }

  /// How often it is checked that the open file is still the one at its path.
  private static let identityInterval = Duration.seconds(1)

  private let configuration: SQLiteStorage.Configuration
  private var engine: SQLiteEngine?
  private var pending = PendingChanges()
  private var mode = Mode.healthy
  private var reports: [StorageReport] = []
  private var nextIdentityCheck = Duration.zero
  private var hasReportedUnreadable = false
  private var hasReportedLimit = false

  init(_ configuration: SQLiteStorage.Configuration) {
    self.configuration = configuration
  }

  private var now: Int64 { configuration.wallClock.milliseconds }
  private var limits: StorageLimits { configuration.limits }

  private var isHealthy: Bool {
    if case .healthy = mode { return true }
    return false
  }

  mutating func takeReports() -> [StorageReport] {
    defer { reports = [] }
    return reports
  }

  mutating func close() {
    if case .degraded = mode { mode = .degraded(retryAt: .zero) }
    settle(now: now)
    engine = nil
  }

  // MARK: Records

  mutating func read(namespace: String, key: String) -> Record? {
    settle(now: now)
    let place = pending.records.isEmpty ? nil : RecordKey(namespace, key)
    // Taken before, because the disk must not be read inside an access to `pending`.
    let disk = onDiskIfReadable { engine throws(StorageFailure) in
      try engine.read(namespace: namespace, key: key)
    }
    guard let place else { return disk ?? nil }
    return pending.records.read(place) { disk ?? nil }
  }

  mutating func apply(_ changes: [RecordChange]) -> WriteOutcome {
    guard !changes.isEmpty else { return .durable }
    let accepted = acceptable(changes)
    let now = now
    settle(now: now)
    if onDisk({ engine throws(StorageFailure) in try engine.apply(accepted, now: now) }) != nil {
      return .durable
    }
    hold(accepted, now: now)
    return .memory
  }

  private mutating func acceptable(_ changes: [RecordChange]) -> [RecordChange] {
    let (accepted, refusal) = changes.withoutOversized()
    if let refusal { reports.append(refusal) }
    return accepted
  }

  /// Keeps changes in memory until the disk takes them.
  private mutating func hold(_ changes: [RecordChange], now: Int64) {
    let isOverLimit = pending.records.apply(changes, limit: limits.memoryRecordBytes, now: now)
    guard isOverLimit, !hasReportedLimit else { return }
    hasReportedLimit = true
    reports.append(.memoryLimit(limits.memoryRecordBytes))
  }

  mutating func removeAll(namespace: [UInt8]) -> WriteOutcome {
    settle(now: now)
    if onDisk({ engine throws(StorageFailure) in try engine.removeAll(namespace: namespace) })
      != nil
    {
      return .durable
    }
    pending.records.removeAll(namespace: namespace)
    return .memory
  }

  mutating func removeRecords(olderThan age: Duration) -> WriteOutcome {
    let limit = now.subtractingWithoutOverflow(age)
    settle(now: now)
    if onDisk({ engine throws(StorageFailure) in try engine.removeRecords(writtenBefore: limit) })
      != nil
    {
      return .durable
    }
    pending.records.remove(writtenBefore: limit)
    return .memory
  }

  mutating func keys(namespace: [UInt8]) -> [[UInt8]] {
    settle(now: now)
    let disk = onDiskIfReadable { engine throws(StorageFailure) in
      try engine.keys(namespace: namespace)
    }
    return pending.records.keys(namespace: namespace) { disk ?? [] }
  }

  // MARK: Outbox

  mutating func append(_ items: [OutboxItem], applying changes: [RecordChange]) -> WriteOutcome {
    guard !items.isEmpty else { return apply(changes) }
    let accepted = acceptable(changes)
    let now = now
    settle(now: now)
    // What waits in memory is older and must stay before these.
    if pending.outbox.isEmpty,
      onDisk({ engine throws(StorageFailure) in
        try engine.append(items, applying: accepted, now: now)
      }) != nil
    {
      return .durable
    }
    pending.outbox.append(items, limits: limits, now: now)
    hold(accepted, now: now)
    return .memory
  }

  mutating func claim(upTo count: Int, bytes: Int, lease: Int64) -> OutboxClaim {
    let now = now
    settle(now: now)
    let token = Int64.random(in: 1...Int64.max)
    let items = onDisk { engine throws(StorageFailure) in
      try engine.claim(upTo: count, bytes: bytes, lease: lease, token: token, now: now)
    }
    if let items, !items.isEmpty { return OutboxClaim(items: items, expiresAt: now + lease) }
    guard !pending.outbox.isEmpty else { return OutboxClaim(items: [], expiresAt: now + lease) }
    // Older items of a group may be on a disk that can be read only; then the group has to wait.
    let barred = onDiskIfReadable { engine throws(StorageFailure) in try engine.groups() }
    pending.outbox.expire(limits: limits, now: now)
    let taken = pending.outbox.claim(
      upTo: count, bytes: bytes, lease: lease, now: now, barred: barred ?? [])
    return OutboxClaim(items: taken.map(OutboxClaim.Item.init(memory:)), expiresAt: now + lease)
  }

  mutating func change(
    _ receipts: [OutboxReceipt], _ change: PendingChanges.ReceiptChange
  ) -> WriteOutcome {
    let onDisk = receipts.compactMap(\.onDisk)
    applyInMemory(change, receipts.compactMap(\.inMemory))
    settle(now: now)
    guard !onDisk.isEmpty else { return isHealthy ? .durable : .memory }
    let isDone: Void? = self.onDisk { engine throws(StorageFailure) in
      try engine.transaction { () throws(StorageFailure) in try engine.apply(change, to: onDisk) }
    }
    if isDone != nil { return .durable }
    pending.receipts.append((change, onDisk))
    return .memory
  }

  mutating func statistics() -> OutboxStatistics {
    settle(now: now)
    let disk = onDiskIfReadable { engine throws(StorageFailure) in try engine.statistics() }
    var statistics = disk ?? OutboxStatistics()
    statistics.count += pending.outbox.count
    statistics.bytes += pending.outbox.bytes
    let ages = [statistics.oldestAcceptedAt, pending.outbox.oldestAcceptedAt].compactMap { $0 }
    statistics.oldestAcceptedAt = ages.min()
    statistics.dropped.merge(pending.outbox.dropped) { $0 + $1 }
    return statistics
  }

  private mutating func applyInMemory(
    _ change: PendingChanges.ReceiptChange, _ receipts: [(id: Int64, claim: Int64)]
  ) {
    guard !receipts.isEmpty else { return }
    switch change {
    case .remove: pending.outbox.remove(receipts)
    case .release: pending.outbox.release(receipts)
    case .discard(let reason):
      let removed = pending.outbox.remove(receipts)
      if removed > 0 { pending.outbox.dropped[reason, default: 0] += removed }
    }
  }

  // MARK: Disk and memory

  /// Brings to disk what waits in memory, if it is time to try.
  private mutating func settle(now: Int64) {
    if case .degraded(let retryAt) = mode {
      guard configuration.time.now >= retryAt else { return }
    } else if !pending.isWaiting(at: now) {
      return
    }
    let wasDegraded = !isHealthy
    let pending = pending
    let flushed: Void? = attempt { engine throws(StorageFailure) in
      try pending.flush(to: engine, now: now)
    }
    guard flushed != nil else { return }
    self.pending.forgetFlushed(now: now)
    mode = .healthy
    hasReportedLimit = false
    guard wasDegraded else { return }
    reports.append(
      StorageReport(
        code: .recovered, message: "the store can be written again; what was in memory is on disk"))
  }

  /// Runs work on the disk; `nil` when the disk fails or is left alone.
  private mutating func onDisk<R>(
    _ work: (SQLiteEngine) throws(StorageFailure) -> R
  ) -> R? {
    isHealthy ? attempt(work) : nil
  }

  /// Runs work that only reads, also on a disk that cannot be written.
  private mutating func onDiskIfReadable<R>(
    _ work: (SQLiteEngine) throws(StorageFailure) -> R
  ) -> R? {
    if isHealthy { return attempt(work) }
    // That the disk fails is known and reported already.
    return engine.flatMap { try? work($0) }
  }

  /// Runs work; sets a damaged file aside and runs it again on a new one; notes other failures.
  private mutating func attempt<R>(_ work: (SQLiteEngine) throws(StorageFailure) -> R) -> R? {
    do throws(StorageFailure) {
      switch try attemptOnce(work) {
      case .done(let result): return result
      case .damaged(let identity, let message):
        return try work(try reopen(suspect: identity.map { ($0, message) }))
      }
    } catch {
      degrade(error)
      return nil
    }
  }

  private enum Attempt<R> {
    case done(R)
    /// The file has to be opened again; if there is an identity, that file has to be set aside.
    case damaged(StorageFolder.Identity?, message: String)
  }

  // A function of its own, so that nothing holds the engine any more when it is opened again.
  private mutating func attemptOnce<R>(
    _ work: (SQLiteEngine) throws(StorageFailure) -> R
  ) throws(StorageFailure) -> Attempt<R> {
    let engine = try openEngine()
    do throws(StorageFailure) {
      let result = try work(engine)
      noteUnreadable(engine)
      return .done(result)
    } catch {
      switch error.kind {
      case .damaged: return .damaged(engine.identity, message: error.message)
      case .moved: return .damaged(nil, message: error.message)
      case .busy, .unavailable, .newer: throw error
      }
    }
  }

  private mutating func openEngine() throws(StorageFailure) -> SQLiteEngine {
    let time = configuration.time.now
    if let engine, time < nextIdentityCheck { return engine }
    nextIdentityCheck = time + Self.identityInterval
    guard let known = engine?.identity else { return try reopen(suspect: nil) }
    let folder = try StorageFolder(preparing: configuration.folder)
    if let engine, folder.identity() == known { return engine }
    let opened = try reopen(suspect: nil)
    reports.append(
      StorageReport(
        code: .replaced,
        message: "\(StorageFolder.fileName) was removed or replaced while it was open; "
          + "the store goes on with what is there now"))
    return opened
  }

  private mutating func reopen(
    suspect: (identity: StorageFolder.Identity, message: String)?
  ) throws(StorageFailure) -> SQLiteEngine {
    // Closed first: a connection that lives on would hold locks on the file that is set aside.
    engine = nil
    let (opened, report) = try SQLiteOpener(configuration: configuration).open(suspect: suspect)
    if let report { reports.append(report) }
    engine = opened
    return opened
  }

  private mutating func noteUnreadable(_ engine: SQLiteEngine) {
    guard engine.unreadableCount > 0 else { return }
    engine.unreadableCount = 0
    guard !hasReportedUnreadable else { return }
    hasReportedUnreadable = true
    reports.append(
      StorageReport(
        code: .unreadable,
        message:
          "stored bytes have changed on disk; what could not be read was removed. Check the disk"))
  }

  private mutating func degrade(_ failure: StorageFailure) {
    let isFirst = isHealthy
    // Also after a failed try: the disk gets its rest.
    mode = .degraded(retryAt: configuration.time.now + configuration.retryInterval)
    guard isFirst else { return }
    let code: StorageReport.Code = failure.kind == .newer ? .newerSchema : .degraded
    reports.append(
      StorageReport(
        code: code,
        message: "\(failure.message); changes are held in memory until it can be written"))
  }
}
