// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Testing

/// What a store must do, written as plainly as possible.
struct StoreModel {
  struct Entry {
    let item: OutboxItem
    var leaseEnd: Int64?
    var receipt: OutboxReceipt?
  }

  var records: [String: Record] = [:]
  var entries: [Entry] = []
  var dropped: [DropReason: Int] = [:]
  let limits: StorageLimits

  mutating func append(_ items: [OutboxItem], now: Int64) {
    for item in items {
      if item.body.count > limits.outboxBytes {
        dropped[.bytes, default: 0] += 1
      } else {
        entries.append(Entry(item: item))
      }
    }
    while true {
      let isOverCount = entries.count > limits.outboxCount
      guard isOverCount || entries.reduce(0, { $0 + $1.item.body.count }) > limits.outboxBytes,
        let victim = entries.firstIndex(where: { !isLeased($0, now) })
      else { return }
      entries.remove(at: victim)
      dropped[isOverCount ? .count : .bytes, default: 0] += 1
    }
  }

  /// Makes the claim that a store made; gives the items that it should have.
  mutating func claim(
    count: Int, bytes: Int, lease: Int64, receipts: [OutboxReceipt], now: Int64
  ) -> [OutboxItem] {
    let oldest = now - limits.outboxAge.components.seconds * 1_000
    let front = entries.prefix { $0.item.acceptedAt < oldest }
    let kept = front.filter { isLeased($0, now) }
    dropped[.age, default: 0] += front.count - kept.count
    entries.replaceSubrange(0..<front.count, with: kept)
    let barred = entries.filter { isLeased($0, now) }.compactMap(\.item.group)
    var taken: [OutboxItem] = []
    var size = 0
    for index in entries.indices where !isLeased(entries[index], now) {
      let item = entries[index].item
      if let group = item.group, barred.contains(group) { continue }
      if taken.count == count || !taken.isEmpty && size + item.body.count > bytes { break }
      entries[index].leaseEnd = now + lease
      entries[index].receipt = taken.count < receipts.count ? receipts[taken.count] : nil
      taken.append(item)
      size += item.body.count
    }
    return taken
  }

  mutating func remove(_ receipts: [OutboxReceipt]) -> Int {
    let before = entries.count
    entries.removeAll { $0.receipt.map(receipts.contains) ?? false }
    return before - entries.count
  }

  mutating func release(_ receipts: [OutboxReceipt]) {
    for index in entries.indices where entries[index].receipt.map(receipts.contains) ?? false {
      entries[index].leaseEnd = nil
      entries[index].receipt = nil
    }
  }

  var statistics: OutboxStatistics {
    OutboxStatistics(
      count: entries.count, bytes: entries.reduce(0) { $0 + $1.item.body.count },
      oldestAcceptedAt: entries.map(\.item.acceptedAt).min(),
      dropped: dropped.filter { $0.value > 0 })
  }

  private func isLeased(_ entry: Entry, _ now: Int64) -> Bool {
    entry.leaseEnd.map { $0 > now } ?? false
  }
}

@Suite("Model")
struct ModelTests {
  @Test("50,000 random operations give what the model gives", arguments: StoreKind.allCases)
  func random(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let wall = ManualWallClock()
    let reports = Reports()
    let limits = StorageLimits(outboxCount: 40, outboxBytes: 900, outboxAge: .seconds(100))
    let store = kind.make(in: folder, wall: wall, limits: limits, reports: reports)
    var model = StoreModel(limits: limits)
    var dice = Dice(seed: 20_260_729)
    var claims: [[OutboxReceipt]] = []
    for step in 0..<(TestRun.isSanitized ? 5_000 : 50_000) {
      let now = wall.milliseconds
      switch dice.roll(12) {
      case 0...2:
        let items = (0...dice.roll(4)).map { _ in
          OutboxItem(
            body: Array(
              repeating: UInt8(dice.roll(256)), count: dice.roll(60) == 0 ? 901 : dice.roll(60)),
            group: dice.roll(3) == 0 ? nil : "g\(dice.roll(6))",
            acceptedAt: now - Int64(dice.roll(3_000)))
        }
        await store.append(items)
        model.append(items, now: now)
      case 3, 4:
        let (count, bytes, lease) = (dice.roll(8), dice.roll(200), Int64(dice.roll(20_000)))
        let claim = await store.claim(upTo: count, bytes: bytes, lease: .milliseconds(lease))
        let receipts = claim.receipts
        let expected = model.claim(
          count: count, bytes: bytes, lease: lease, receipts: receipts, now: now)
        try #require(claim.items.map(\.content) == expected, "step \(step)")
        if !receipts.isEmpty { claims.append(receipts) }
      case 5, 6, 7:
        guard !claims.isEmpty else { break }
        let receipts = claims.remove(at: dice.roll(claims.count))
        let some = Array(receipts.prefix(1 + dice.roll(receipts.count)))
        switch dice.roll(4) {
        case 0:
          await store.release(some)
          model.release(some)
        case 1:
          let reason = DropReason("reason \(dice.roll(2))")
          await store.discard(some, reason: reason)
          model.dropped[reason, default: 0] += model.remove(some)
        default:
          await store.acknowledge(some)
          _ = model.remove(some)
        }
      case 8:
        wall.advance(by: .milliseconds(dice.roll(4_000)))
      case 9:
        let key = "k\(dice.roll(20))"
        let value = Array(repeating: UInt8(dice.roll(256)), count: dice.roll(100))
        await store.write(value, namespace: "n", key: key)
        model.records[key] = Record(value: value, writtenAt: now)
      case 10:
        let key = "k\(dice.roll(20))"
        if dice.roll(3) == 0 {
          await store.remove(namespace: "n", key: key)
          model.records[key] = nil
        }
        try #require(
          await store.read(namespace: "n", key: key) == model.records[key], "step \(step)")
      default:
        if dice.roll(100) == 0, let store = store as? SQLiteStorage { store.close() }
        if dice.roll(50) == 0 {
          await store.removeRecords(olderThan: .seconds(5))
          model.records = model.records.filter { $0.value.writtenAt >= now - 5_000 }
        }
        try #require(await store.statistics() == model.statistics, "step \(step)")
        try #require(
          await store.keys(namespace: "n") == model.records.keys.sorted(), "step \(step)")
      }
    }
    #expect(reports.all.isEmpty)
  }
}
