// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency

/// Records and an outbox that live as long as this object.
///
/// It behaves as ``SQLiteStorage`` does, except that nothing is durable and nothing is shared with other
/// processes. Any thread may call it; a call takes one short lock.
public final class InMemoryStorage: StateStore {
  private struct State {
    var records = MemoryRecords()
    var outbox = MemoryOutbox()
    var hasReportedLimit = false
  }

  private let state = Lock(State())
  private let limits: StorageLimits
  private let wallClock: WallClock
  private let report: @Sendable (StorageReport) -> Void

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - limits: How much it keeps.
  ///   - wallClock: The time of day, for ages and leases.
  ///   - report: Called with what the owner should know, on the thread of the call that met it.
  public init(
    limits: StorageLimits = StorageLimits(),
    wallClock: WallClock = .system,
    report: @escaping @Sendable (StorageReport) -> Void = { _ in }
  ) {
    self.limits = limits
    self.wallClock = wallClock
    self.report = report
  }

  /// Reads a record.
  public func read(namespace: String, key: String) -> Record? {
    let place = RecordKey(namespace, key)
    return state.withLock { $0.records.read(place) }
  }

  /// Makes several changes in order, which others see all at once.
  @discardableResult
  public func apply(_ changes: [RecordChange]) -> WriteOutcome {
    append([], applying: changes)
  }

  /// Appends items in order and makes changes to records, which others see all at once.
  @discardableResult
  public func append(_ items: [OutboxItem], applying changes: [RecordChange]) -> WriteOutcome {
    let (accepted, refusal) = changes.withoutOversized()
    let now = wallClock.milliseconds
    let isFirstDrop = state.withLock { state in
      state.outbox.append(items, limits: limits, now: now)
      let dropped = state.records.apply(accepted, limit: limits.memoryRecordBytes, now: now)
      guard dropped > 0, !state.hasReportedLimit else { return false }
      state.hasReportedLimit = true
      return true
    }
    if let refusal { report(refusal) }
    if isFirstDrop { report(.memoryLimit(limits.memoryRecordBytes)) }
    return .memory
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
    state.withLock { $0.records.removeAll(namespace: Array(namespace.utf8)) }
    return .memory
  }

  /// Removes the records of all namespaces that were written longer ago than a span.
  @discardableResult
  public func removeRecords(olderThan age: Duration) -> WriteOutcome {
    let limit = wallClock.milliseconds.subtractingWithoutOverflow(age)
    state.withLock { $0.records.remove(writtenBefore: limit) }
    return .memory
  }

  /// The keys of a namespace in the order of their UTF-8 bytes.
  public func keys(namespace: String) -> [String] {
    let keys = state.withLock { $0.records.keys(namespace: Array(namespace.utf8)) }
    return keys.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends items in order.
  @discardableResult
  public func append(_ items: [OutboxItem]) -> WriteOutcome {
    append(items, applying: [])
  }

  /// Takes items from the front for a time.
  public func claim(upTo count: Int, bytes: Int, lease: Duration) -> OutboxClaim {
    let now = wallClock.milliseconds
    let length = Lease.length(lease)
    let taken = state.withLock { state in
      state.outbox.expire(limits: limits, now: now)
      return state.outbox.claim(upTo: count, bytes: bytes, lease: length, now: now)
    }
    return OutboxClaim(items: taken.map(OutboxClaim.Item.init(memory:)), expiresAt: now + length)
  }

  /// Removes delivered items.
  @discardableResult
  public func acknowledge(_ receipts: [OutboxReceipt]) -> WriteOutcome {
    let receipts = receipts.compactMap(\.inMemory)
    state.withLock { state in _ = state.outbox.remove(receipts) }
    return .memory
  }

  /// Gives items back before their lease ends, to the places they had.
  @discardableResult
  public func release(_ receipts: [OutboxReceipt]) -> WriteOutcome {
    let receipts = receipts.compactMap(\.inMemory)
    state.withLock { $0.outbox.release(receipts) }
    return .memory
  }

  /// Removes items that shall never be delivered, and counts them under a reason.
  @discardableResult
  public func discard(_ receipts: [OutboxReceipt], reason: DropReason) -> WriteOutcome {
    let receipts = receipts.compactMap(\.inMemory)
    state.withLock { state in
      let removed = state.outbox.remove(receipts)
      if removed > 0 { state.outbox.dropped[reason, default: 0] += removed }
    }
    return .memory
  }

  /// What is queued and what was dropped.
  public func statistics() -> OutboxStatistics {
    state.withLock { state in
      OutboxStatistics(
        count: state.outbox.count,
        bytes: state.outbox.bytes,
        oldestAcceptedAt: state.outbox.oldestAcceptedAt,
        dropped: state.outbox.dropped)
    }
  }
}

extension OutboxClaim.Item {
  init(memory taken: (id: Int64, claim: Int64, item: OutboxItem)) {
    self.init(
      receipt: OutboxReceipt(item: "m\(taken.id)", claim: String(taken.claim)), content: taken.item)
  }
}

extension OutboxReceipt {
  /// The numbers of an item held in memory; `nil` for other items.
  var inMemory: (id: Int64, claim: Int64)? { numbers(after: "m") }

  /// The numbers of an item on disk; `nil` for other items.
  var onDisk: (id: Int64, claim: Int64)? { numbers(after: "d") }

  private func numbers(after prefix: Character) -> (id: Int64, claim: Int64)? {
    guard item.first == prefix, let id = Int64(item.dropFirst()), let claim = Int64(claim) else {
      return nil
    }
    return (id, claim)
  }
}

extension Int64 {
  /// This time minus a span, in milliseconds; the earliest time there is when it would be earlier still.
  func subtractingWithoutOverflow(_ span: Duration) -> Int64 {
    let (time, overflow) = subtractingReportingOverflow(span.wholeMilliseconds)
    return overflow ? (span < .zero ? .max : .min) : time
  }
}

extension [RecordChange] {
  /// The changes without values that are too large, and a report if there were any.
  ///
  /// A write that is refused becomes a removal, so that no reader takes the former value for the new one.
  func withoutOversized() -> (accepted: [RecordChange], refusal: StorageReport?) {
    var refused = 0
    let accepted = map { change -> RecordChange in
      guard case .write(let namespace, let key, let value) = change,
        value.count > StorageLimits.largestValue
          || namespace.utf8.count > StorageLimits.largestKey
          || key.utf8.count > StorageLimits.largestKey
      else { return change }
      refused += 1
      return .remove(namespace: namespace, key: key)
    }
    guard refused > 0 else { return (self, nil) }
    let message =
      "\(refused) records are larger than \(StorageLimits.largestValue) bytes, or their keys than "
      + "\(StorageLimits.largestKey), and were not written; split them"
    return (accepted, StorageReport(code: .tooLarge, message: message))
  }
}

extension StorageReport {
  static func memoryLimit(_ bytes: Int) -> StorageReport {
    StorageReport(
      code: .memoryLimit,
      message:
        "records in memory passed \(bytes) bytes and were dropped; raise the limit of the store")
  }
}
