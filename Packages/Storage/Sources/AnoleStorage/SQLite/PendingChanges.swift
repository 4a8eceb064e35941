// SPDX-License-Identifier: Apache-2.0

/// What the disk does not have yet: the changes of a time when it could not be written.
struct PendingChanges {
  enum ReceiptChange {
    case remove
    case release
    case discard(DropReason)
  }

  var records = RecordOverlay()
  var outbox = MemoryOutbox()
  var receipts: [(change: ReceiptChange, receipts: [(id: Int64, claim: Int64)])] = []

  /// Whether there is anything that could go to disk now.
  ///
  /// Items go together and only when none of them is leased: what is released must come before what was
  /// appended after it.
  func isWaiting(at now: Int64) -> Bool {
    !records.isEmpty || !receipts.isEmpty || !outbox.dropped.isEmpty || hasMovableItems(at: now)
  }

  func hasMovableItems(at now: Int64) -> Bool {
    !outbox.isEmpty && !outbox.hasLeases(at: now)
  }

  /// Brings everything that can go to disk there, in one transaction.
  ///
  /// Removals go first: they make room.
  func flush(to engine: SQLiteEngine, now: Int64) throws(StorageFailure) {
    try engine.transaction { () throws(StorageFailure) in
      try engine.probe()
      for (change, receipts) in receipts { try engine.apply(change, to: receipts) }
      try engine.apply(records)
      for (reason, count) in outbox.dropped { try engine.addDrops(count, reason: reason) }
      guard hasMovableItems(at: now) else { return }
      // Counted anew, so that the limits hold over both.
      engine.totals = nil
      try engine.appendWithinTransaction(outbox.items, now: now)
    }
    engine.totals = nil
  }

  /// Forgets what ``flush(to:now:)`` brought to disk.
  mutating func forgetFlushed(now: Int64) {
    records = RecordOverlay()
    receipts = []
    outbox.dropped = [:]
    if hasMovableItems(at: now) { outbox.clear() }
  }
}

extension SQLiteEngine {
  func apply(
    _ change: PendingChanges.ReceiptChange, to receipts: [(id: Int64, claim: Int64)]
  ) throws(StorageFailure) {
    switch change {
    case .remove: _ = try remove(receipts)
    case .release: try release(receipts)
    case .discard(let reason):
      let removed = try remove(receipts)
      if removed > 0 { try addDrops(removed, reason: reason) }
    }
  }
}
