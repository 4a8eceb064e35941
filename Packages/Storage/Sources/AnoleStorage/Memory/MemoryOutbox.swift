// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// The queue of an outbox in memory: the whole of ``InMemoryStorage``'s, and what ``SQLiteStorage`` holds
/// while it cannot write.
///
/// A pure value without clock or lock. Entries keep their place; a removed one leaves a gap that is closed
/// when all before it are gone.
struct MemoryOutbox {
  struct Entry {
    let item: OutboxItem
    let group: [UInt8]?
    /// When the lease ends, in milliseconds since the epoch; 0 when there is none.
    var leaseEnd: Int64 = 0
    var claim: Int64 = 0
  }

  private(set) var count = 0
  private(set) var bytes = 0
  var dropped: [DropReason: Int] = [:]

  /// The entries; the number of the first is `firstID`.
  private var entries: [Entry?] = []
  private var firstID: Int64 = 1
  /// Entries before this index are gaps.
  private var head = 0
  private var leased: Set<Int64> = []
  private var lastClaim: Int64 = 0

  var isEmpty: Bool { count == 0 }

  var items: [OutboxItem] { entries[head...].compactMap { $0?.item } }

  var oldestAcceptedAt: Int64? { entries[head...].lazy.compactMap { $0?.item.acceptedAt }.min() }

  func hasLeases(at now: Int64) -> Bool {
    leased.contains { entry($0)?.isLeased(at: now) ?? false }
  }

  mutating func append(_ items: [OutboxItem], limits: StorageLimits, now: Int64) {
    for item in items {
      guard item.body.count <= limits.largestItem else {
        dropped[.bytes, default: 0] += 1
        continue
      }
      entries.append(Entry(item: item, group: item.group.map { Array($0.utf8) }))
      count += 1
      bytes += item.body.count
    }
    evict(limits: limits, now: now)
  }

  /// Leases items from the front.
  ///
  /// - Parameter barred: Groups none of whose items may be given out.
  mutating func claim(
    upTo limit: Int, bytes byteLimit: Int, lease: Int64, now: Int64, barred: Set<[UInt8]> = []
  ) -> [(id: Int64, claim: Int64, item: OutboxItem)] {
    var barred = barred
    for id in leased {
      guard let entry = entry(id), entry.isLeased(at: now), let group = entry.group else {
        continue
      }
      barred.insert(group)
    }
    var budget = ClaimBudget(count: limit, bytes: byteLimit)
    var taken: [(id: Int64, claim: Int64, item: OutboxItem)] = []
    lastClaim += 1
    for index in head..<entries.count {
      guard var entry = entries[index], !entry.isLeased(at: now) else { continue }
      if let group = entry.group, barred.contains(group) { continue }
      guard budget.take(entry.item.body.count) else { break }
      entry.leaseEnd = now + lease
      entry.claim = lastClaim
      entries[index] = entry
      let id = firstID + Int64(index)
      leased.insert(id)
      taken.append((id, lastClaim, entry.item))
    }
    return taken
  }

  /// Removes entries that their claim still holds; returns how many.
  @discardableResult
  mutating func remove(_ receipts: [(id: Int64, claim: Int64)]) -> Int {
    var removed = 0
    for receipt in receipts where entry(receipt.id)?.claim == receipt.claim {
      remove(at: Int(receipt.id - firstID))
      removed += 1
    }
    compact()
    return removed
  }

  mutating func release(_ receipts: [(id: Int64, claim: Int64)]) {
    for receipt in receipts where entry(receipt.id)?.claim == receipt.claim {
      let index = Int(receipt.id - firstID)
      entries[index]?.leaseEnd = 0
      entries[index]?.claim = 0
      leased.remove(receipt.id)
    }
  }

  /// Drops the items at the front that are too old, up to the first that is not.
  mutating func expire(limits: StorageLimits, now: Int64) {
    let limit = limits.oldestAcceptable(at: now)
    for index in head..<entries.count {
      guard let entry = entries[index] else { continue }
      guard entry.item.acceptedAt < limit else { break }
      if entry.isLeased(at: now) { continue }
      remove(at: index)
      dropped[.age, default: 0] += 1
    }
    compact()
  }

  /// Forgets the items and the counters, because they are kept elsewhere now.
  mutating func clear() {
    firstID += Int64(entries.count)
    entries = []
    head = 0
    leased = []
    count = 0
    bytes = 0
    dropped = [:]
  }

  private func entry(_ id: Int64) -> Entry? {
    guard id >= firstID, id - firstID < Int64(entries.count) else { return nil }
    return entries[Int(id - firstID)]
  }

  private mutating func evict(limits: StorageLimits, now: Int64) {
    var index = head
    while index < entries.count, count > limits.outboxCount || bytes > limits.outboxBytes {
      if let entry = entries[index], !entry.isLeased(at: now) {
        let reason: DropReason = count > limits.outboxCount ? .count : .bytes
        remove(at: index)
        dropped[reason, default: 0] += 1
      }
      index += 1
    }
    compact()
  }

  private mutating func remove(at index: Int) {
    guard let entry = entries[index] else { return }
    entries[index] = nil
    leased.remove(firstID + Int64(index))
    count -= 1
    bytes -= entry.item.body.count
  }

  private mutating func compact() {
    while head < entries.count, entries[head] == nil { head += 1 }
    // Moving the rest costs as much as there is, so it waits until half of the array is gaps.
    guard head == entries.count || (head > 1_024 && head > entries.count / 2) else { return }
    entries.removeFirst(head)
    firstID += Int64(head)
    head = 0
  }
}

extension MemoryOutbox.Entry {
  func isLeased(at now: Int64) -> Bool { Lease.isActive(until: leaseEnd, at: now) }
}

/// The rule when a lease counts, the same in memory and on disk.
enum Lease {
  static let longest = OutboxClaim.longestLease.wholeMilliseconds

  /// How far the clocks of two who use one outbox may be apart, in milliseconds.
  ///
  /// It covers the wait for the lock of the file, at most a minute, since a claim takes the time
  /// before it waits.
  static let skew: Int64 = 120_000

  /// The latest end that a lease made by now can have.
  ///
  /// One that ends later was made before the clock was set back; it has ended.
  static func latestEnd(at now: Int64) -> Int64 { now + longest + skew }

  static func isActive(until end: Int64, at now: Int64) -> Bool {
    end > now && end <= latestEnd(at: now)
  }

  /// A lease's length in milliseconds within its bounds.
  static func length(_ lease: Duration) -> Int64 {
    min(max(0, lease.wholeMilliseconds), longest)
  }
}

/// What a claim may still take.
struct ClaimBudget {
  private var count: Int
  private var bytes: Int
  private var isFirst = true

  init(count: Int, bytes: Int) {
    self.count = count
    self.bytes = max(0, bytes)
  }

  /// Whether an item of a size fits; if it does, it is counted.
  mutating func take(_ size: Int) -> Bool {
    guard count > 0, isFirst || size <= bytes else { return false }
    isFirst = false
    count -= 1
    bytes -= size
    return true
  }
}
