// SPDX-License-Identifier: Apache-2.0

/// What an outbox holds.
struct OutboxTotals {
  var count: Int
  var bytes: Int
  /// SQLite's number for the state of the file; another one means that another process wrote.
  var dataVersion: Int64
  /// Appends since the number was last compared.
  var appendsSinceCheck = 0
}

extension SQLiteEngine {
  /// Appends items; in one transaction if there are several or the limits are near.
  func append(_ items: [OutboxItem], now: Int64) throws(StorageFailure) {
    let bytes = items.reduce(0) { $0 + $1.body.count }
    let totals = try currentTotals(appending: items.count)
    let fits =
      totals.count + items.count <= limits.outboxCount
      && totals.bytes + bytes <= limits.outboxBytes
      && items.allSatisfy { $0.body.count <= limits.largestItem }
    guard !(fits && items.count == 1) else {
      do {
        try insert(items[0])
      } catch {
        self.totals = nil
        throw error
      }
      add(count: 1, bytes: bytes)
      return
    }
    try transaction { () throws(StorageFailure) in
      try appendWithinTransaction(items, now: now, fits: fits)
    }
  }

  /// Appends items and makes changes to records in one transaction.
  func append(
    _ items: [OutboxItem], applying changes: [RecordChange], now: Int64
  ) throws(StorageFailure) {
    guard !changes.isEmpty else { return try append(items, now: now) }
    try transaction { () throws(StorageFailure) in
      for change in changes { try apply(change, now: now) }
      try appendWithinTransaction(items, now: now)
    }
  }

  /// Appends items and drops the oldest until the limits hold again.
  func appendWithinTransaction(
    _ items: [OutboxItem], now: Int64, fits: Bool = false
  ) throws(StorageFailure) {
    if totals == nil { _ = try currentTotals(appending: items.count) }
    var refused = 0
    for item in items {
      guard item.body.count <= limits.largestItem else {
        refused += 1
        continue
      }
      try insert(item)
      add(count: 1, bytes: item.body.count)
    }
    if refused > 0 { try addDrops(refused, reason: .bytes) }
    if !fits { try evict(now: now) }
  }

  func claim(
    upTo count: Int, bytes: Int, lease: Int64, token: Int64, now: Int64
  ) throws(StorageFailure) -> [OutboxClaim.Item] {
    try transaction { () throws(StorageFailure) in
      try expire(now: now)
      let (items, unreadable) = try available(upTo: count, bytes: bytes, token: token, now: now)
      for item in unreadable { try drop(id: item.id, size: item.size) }
      if !unreadable.isEmpty { try addDrops(unreadable.count, reason: .unreadable) }
      let statement = try query(.leaseItem)
      for item in items {
        statement.bind(1, item.id)
        statement.bind(2, now + lease)
        statement.bind(3, token)
        if let group = item.item.content.group {
          statement.bind(4, utf8: group)
        } else {
          statement.bindNull(4)
        }
        try statement.run()
      }
      unreadableCount += unreadable.count
      return items.map(\.item)
    }
  }

  /// Removes items that their claim still holds; within a transaction.
  ///
  /// Returns how many.
  func remove(_ receipts: [(id: Int64, claim: Int64)]) throws(StorageFailure) -> Int {
    var removed = 0
    for receipt in receipts {
      guard let size = try heldSize(receipt) else { continue }
      try drop(id: receipt.id, size: size)
      removed += 1
    }
    return removed
  }

  /// Ends the lease of items that their claim still holds; within a transaction.
  func release(_ receipts: [(id: Int64, claim: Int64)]) throws(StorageFailure) {
    let statement = try query(.endLease)
    for receipt in receipts {
      statement.bind(1, receipt.id)
      statement.bind(2, receipt.claim)
      try statement.run()
    }
  }

  func addDrops(_ count: Int, reason: DropReason) throws(StorageFailure) {
    let statement = try query(.addDrop)
    statement.bind(1, utf8: reason.name)
    statement.bind(2, Int64(count))
    try statement.run()
  }

  /// The groups that have items on disk.
  func groups() throws(StorageFailure) -> Set<[UInt8]> {
    let statement = try query(.groups)
    defer { statement.reset() }
    var groups: Set<[UInt8]> = []
    while try statement.step() { groups.insert(statement.bytes(0)) }
    return groups
  }

  func statistics() throws(StorageFailure) -> OutboxStatistics {
    var statistics = OutboxStatistics()
    let totals = try query(.totals)
    defer { totals.reset() }
    if try totals.step() {
      statistics.count = Int(totals.integer(0))
      statistics.bytes = Int(totals.integer(1))
      statistics.oldestAcceptedAt = totals.isNull(2) ? nil : totals.integer(2)
    }
    let drops = try query(.drops)
    defer { drops.reset() }
    while try drops.step() {
      let reason = DropReason(String(decoding: drops.bytes(0), as: UTF8.self))
      statistics.dropped[reason] = Int(drops.integer(1))
    }
    return statistics
  }

  // MARK: Rows

  private func insert(_ item: OutboxItem) throws(StorageFailure) {
    let statement = try query(.appendItem)
    statement.bind(1, item.acceptedAt)
    statement.bind(2, Self.checksum(item))
    if let group = item.group { statement.bind(3, utf8: group) } else { statement.bindNull(3) }
    try item.body.withUnsafeBufferPointer { bytes throws(StorageFailure) in
      statement.bind(4, borrowing: bytes)
      try statement.run()
    }
  }

  private func available(
    upTo count: Int, bytes: Int, token: Int64, now: Int64
  ) throws(StorageFailure) -> (
    items: [(id: Int64, item: OutboxClaim.Item)], unreadable: [(id: Int64, size: Int)]
  ) {
    let statement = try query(.availableItems)
    statement.bind(1, now)
    statement.bind(2, Lease.latestEnd(at: now))
    defer { statement.reset() }
    var budget = ClaimBudget(count: count, bytes: bytes)
    var items: [(id: Int64, item: OutboxClaim.Item)] = []
    var unreadable: [(id: Int64, size: Int)] = []
    let claim = String(token)
    while count > 0, try statement.step() {
      let id = statement.integer(0)
      let item = OutboxItem(
        body: statement.bytes(4),
        group: statement.isNull(3) ? nil : String(decoding: statement.bytes(3), as: UTF8.self),
        acceptedAt: statement.integer(1))
      guard Self.checksum(item) == statement.integer(2) else {
        unreadable.append((id, item.body.count))
        continue
      }
      guard budget.take(item.body.count) else { break }
      let receipt = OutboxReceipt(item: "d\(id)", claim: claim)
      items.append((id, OutboxClaim.Item(receipt: receipt, content: item)))
      if items.count == count { break }
    }
    return (items, unreadable)
  }

  /// Drops the items at the front that are too old, up to the first that is not.
  private func expire(now: Int64) throws(StorageFailure) {
    let limit = limits.oldestAcceptable(at: now)
    var victims: [(id: Int64, size: Int)] = []
    try eachFromOldest(now: now) { row in
      guard row.acceptedAt < limit else { return false }
      if !row.isLeased { victims.append((row.id, row.size)) }
      return true
    }
    for victim in victims { try drop(id: victim.id, size: victim.size) }
    if !victims.isEmpty { try addDrops(victims.count, reason: .age) }
  }

  /// Drops the oldest items that are not leased until the limits hold.
  private func evict(now: Int64) throws(StorageFailure) {
    guard var totals, totals.count > limits.outboxCount || totals.bytes > limits.outboxBytes else {
      return
    }
    var victims: [(id: Int64, size: Int)] = []
    var dropped: [DropReason: Int] = [:]
    try eachFromOldest(now: now) { row in
      let isOverCount = totals.count > limits.outboxCount
      guard isOverCount || totals.bytes > limits.outboxBytes else { return false }
      if row.isLeased { return true }
      victims.append((row.id, row.size))
      dropped[isOverCount ? .count : .bytes, default: 0] += 1
      totals.count -= 1
      totals.bytes -= row.size
      return true
    }
    for victim in victims { try drop(id: victim.id, size: victim.size) }
    for (reason, count) in dropped { try addDrops(count, reason: reason) }
  }

  private struct Row {
    let id: Int64
    let acceptedAt: Int64
    let isLeased: Bool
    let size: Int
  }

  /// Visits items in order until the visitor returns `false`.
  private func eachFromOldest(
    now: Int64, _ visit: (Row) -> Bool
  ) throws(StorageFailure) {
    let statement = try query(.oldestItems)
    statement.bind(1, now)
    statement.bind(2, Lease.latestEnd(at: now))
    defer { statement.reset() }
    while try statement.step() {
      let row = Row(
        id: statement.integer(0), acceptedAt: statement.integer(1),
        isLeased: statement.integer(2) != 0, size: Int(statement.integer(3)))
      guard visit(row) else { return }
    }
  }

  /// The size of an item that its claim still holds; `nil` when it does not.
  private func heldSize(_ receipt: (id: Int64, claim: Int64)) throws(StorageFailure) -> Int? {
    let statement = try query(.itemSize)
    statement.bind(1, receipt.id)
    statement.bind(2, receipt.claim)
    defer { statement.reset() }
    return try statement.step() ? Int(statement.integer(0)) : nil
  }

  /// Removes an item and its lease, active or not: SQLite may use the number again.
  private func drop(id: Int64, size: Int) throws(StorageFailure) {
    for removal in [SQLiteQuery.dropLease, .dropItem] {
      let statement = try query(removal)
      statement.bind(1, id)
      try statement.run()
    }
    add(count: -1, bytes: -size)
  }

  // MARK: Totals

  private func add(count: Int, bytes: Int) {
    totals?.count += count
    totals?.bytes += bytes
  }

  /// What the outbox holds; counted again only if another process wrote and a hundredth of the limit was
  /// appended since that was last looked at.
  private func currentTotals(appending count: Int) throws(StorageFailure) -> OutboxTotals {
    if var known = totals {
      known.appendsSinceCheck += count
      guard known.appendsSinceCheck > limits.outboxCount / 100 else {
        totals = known
        return known
      }
      known.appendsSinceCheck = 0
      if try dataVersion() == known.dataVersion {
        totals = known
        return known
      }
    }
    // The version is read first: what is written in between is counted again, not missed.
    let version = try dataVersion()
    let statement = try query(.totals)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StorageFailure(kind: .damaged, message: "the outbox cannot be counted")
    }
    let counted = OutboxTotals(
      count: Int(statement.integer(0)), bytes: Int(statement.integer(1)), dataVersion: version)
    totals = counted
    return counted
  }

  private func dataVersion() throws(StorageFailure) -> Int64 {
    let statement = try query(.dataVersion)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  static func checksum(_ item: OutboxItem) -> Int64 {
    var sum = Checksum()
    sum.add(item.acceptedAt)
    if let group = item.group { sum.add(utf8: group) } else { sum.add(-1) }
    sum.add(item.body)
    return sum.value
  }
}
