// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleStorage

@Suite("Disks that fail")
struct DegradationTests {
  /// Takes the store's folder away, and gives it back, as a disk that is pulled out.
  private struct Plug {
    let folder: TemporaryFolder
    private var hidden: String { folder.path + "/hidden" }

    func pull() throws {
      try FileManager.default.moveItem(atPath: folder.store, toPath: hidden)
      try Data().write(to: URL(fileURLWithPath: folder.store))
    }

    func insert() throws {
      try FileManager.default.removeItem(atPath: folder.store)
      try FileManager.default.moveItem(atPath: hidden, toPath: folder.store)
    }
  }

  @Test("while the disk is gone, memory serves; one report; all is on disk when it is back")
  func pulled() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let plug = Plug(folder: fixture.folder)
    store.apply([
      .write(namespace: "n", key: "a", value: [1]), .write(namespace: "n", key: "b", value: [1]),
      .write(namespace: "gone", key: "a", value: [1]),
    ])
    store.append(["1", "2", "3"].map { item($0) })
    let held = store.claim(upTo: 2, bytes: 99, lease: .seconds(600))
    store.close()
    try plug.pull()
    #expect(store.write([2], namespace: "n", key: "a") == .memory)
    #expect(store.remove(namespace: "n", key: "b") == .memory)
    #expect(store.removeAll(namespace: "gone") == .memory)
    #expect(store.append([item("4")]) == .memory)
    #expect(store.acknowledge([held.items[0].receipt]) == .memory)
    #expect(store.release([held.items[1].receipt]) == .memory)
    #expect(store.read(namespace: "n", key: "a")?.value == [2])
    #expect(store.keys(namespace: "n") == ["a"])
    #expect(store.statistics().count == 1)
    for _ in 0..<5 {
      fixture.passRetryInterval()
      #expect(store.write([3], namespace: "n", key: "c") == .memory)
    }
    #expect(fixture.reports.codes == [.degraded])
    try plug.insert()
    #expect(store.write([4], namespace: "n", key: "d") == .memory)
    fixture.passRetryInterval()
    #expect(store.write([5], namespace: "n", key: "e") == .durable)
    #expect(fixture.reports.codes == [.degraded, .recovered])
    let other = try Fixture(fixture.folder)
    #expect(other.store.keys(namespace: "n") == ["a", "c", "d", "e"])
    #expect(other.store.read(namespace: "n", key: "a")?.value == [2])
    #expect(other.store.keys(namespace: "gone").isEmpty)
    #expect(other.store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["2", "3", "4"])
    #expect(other.reports.all.isEmpty)
  }

  @Test("items claimed from memory are delivered once, and order holds, when the disk comes back")
  func claimedFromMemory() throws {
    let fixture = try Fixture()
    let store = fixture.store
    let plug = Plug(folder: fixture.folder)
    store.append([item("0", group: "g")])
    store.close()
    try plug.pull()
    store.append([item("1"), item("2"), item("3", group: "g")])
    let claim = store.claim(upTo: 2, bytes: 99, lease: .seconds(60))
    #expect(claim.texts == ["1", "2"])
    try plug.insert()
    fixture.passRetryInterval()
    store.append([item("4")])
    // Records go to disk at once; items wait for those that are out, to stay in order behind them.
    #expect(store.write([1], namespace: "n", key: "k") == .durable)
    store.acknowledge([claim.items[0].receipt])
    store.release([claim.items[1].receipt])
    #expect(store.append([item("5")]) == .durable)
    #expect(
      store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["0", "2", "3", "4", "5"])
    #expect(fixture.reports.codes == [.degraded, .recovered])
  }

  @Test("a group with older items on a disk that can only be read is not overtaken from memory")
  func barredGroup() throws {
    let fixture = try Fixture { $0.busyTimeout = .zero }
    fixture.store.append([item("1", group: "g")])
    let other = try SQLiteConnection(
      path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute("BEGIN IMMEDIATE")
    #expect(fixture.store.append([item("2", group: "g"), item("3", group: "h")]) == .memory)
    let claim = fixture.store.claim(upTo: 9, bytes: 99, lease: .seconds(9))
    #expect(claim.texts == ["3"])
    fixture.store.acknowledge(claim.receipts)
    try other.execute("COMMIT")
    fixture.passRetryInterval()
    #expect(fixture.store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["1", "2"])
  }

  @Test("a file that another process has locked is waited for with a bound")
  func busy() throws {
    let fixture = try Fixture { $0.busyTimeout = .milliseconds(1) }
    fixture.store.append([item("1")])
    let other = try SQLiteConnection(
      path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute("BEGIN IMMEDIATE")
    #expect(fixture.store.append([item("2")]) == .memory)
    #expect(fixture.store.statistics().count == 2)
    #expect(fixture.reports.codes == [.degraded])
    try other.execute("COMMIT")
    fixture.passRetryInterval()
    #expect(fixture.store.append([item("3")]) == .durable)
    #expect(fixture.store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["1", "2", "3"])
    #expect(fixture.reports.codes == [.degraded, .recovered])
  }

  @Test("a full file degrades to memory, and recovers when there is room again")
  func fullFile() throws {
    let fixture = try Fixture { $0.largestFile = 200_000 }
    let store = fixture.store
    let body = Array(repeating: UInt8(1), count: 1_000)
    let time = fixture.wall.milliseconds
    var count = 0
    while store.append([OutboxItem(body: body, acceptedAt: time)]) == .durable { count += 1 }
    count += 1
    #expect(count > 50)
    #expect(store.write([1], namespace: "n", key: "k") == .memory)
    fixture.passRetryInterval()
    #expect(store.append([OutboxItem(body: body, acceptedAt: time)]) == .memory)
    count += 1
    #expect(store.statistics().count == count)
    #expect(fixture.reports.codes == [.degraded])
    let removed = store.claim(upTo: 1, bytes: 2_000, lease: .seconds(9))
    #expect(removed.items.count == 1)
    store.acknowledge(removed.receipts)
    // Somebody else makes room.
    let other = try SQLiteConnection(
      path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute("DELETE FROM outbox WHERE id <= 40")
    fixture.passRetryInterval()
    #expect(store.write([2], namespace: "n", key: "k") == .durable)
    #expect(store.statistics().count == count - 41)
    #expect(fixture.reports.codes == [.degraded, .recovered])
  }

  @Test("memory has limits too: items are dropped and counted, records are forgotten, not mixed up")
  func memoryLimits() throws {
    let fixture = try Fixture {
      $0.limits = StorageLimits(outboxCount: 3, memoryRecordBytes: 2_000)
    }
    let store = fixture.store
    store.write([1], namespace: "n", key: "old")
    store.close()
    let plug = Plug(folder: fixture.folder)
    try plug.pull()
    store.append((1...5).map { item("\($0)") })
    store.write(Array(repeating: 2, count: 1_500), namespace: "n", key: "old")
    store.write(Array(repeating: 3, count: 1_500), namespace: "n", key: "other")
    #expect(store.read(namespace: "n", key: "old") == nil)
    try plug.insert()
    fixture.passRetryInterval()
    // The former value must not come back: the later one was taken and then lost.
    #expect(store.keys(namespace: "n").isEmpty)
    #expect(store.statistics().count == 3)
    #expect(store.statistics().dropped == [.count: 2])
    #expect(fixture.reports.codes == [.degraded, .memoryLimit, .recovered])
  }

  @Test(
    "random outages of a readable disk lose nothing, double nothing and keep the order of groups")
  func randomLocks() throws {
    let fixture = try Fixture { $0.busyTimeout = .zero }
    fixture.store.append([])
    _ = fixture.store.statistics()
    let other = try SQLiteConnection(
      path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
    var isLocked = false
    let delivered = try deliverUnderOutages(fixture.store, pass: fixture.passRetryInterval) {
      isOut in
      guard isOut != isLocked else { return }
      try other.execute(isOut ? "BEGIN IMMEDIATE" : "COMMIT")
      isLocked = isOut
    }
    for group in Dictionary(grouping: delivered, by: \.group).values {
      #expect(group.map(\.number) == group.map(\.number).sorted())
    }
    #expect(fixture.reports.codes.count > 10)
  }

  @Test("random outages of the whole disk lose nothing and double nothing")
  func randomOutages() throws {
    let fixture = try Fixture()
    let plug = Plug(folder: fixture.folder)
    var isPulled = false
    fixture.store.append([])
    _ = fixture.store.statistics()
    _ = try deliverUnderOutages(fixture.store, pass: fixture.passRetryInterval) { isOut in
      guard isOut != isPulled else { return }
      fixture.store.close()
      if isOut { try plug.pull() } else { try plug.insert() }
      isPulled = isOut
    }
    #expect(fixture.reports.codes.count > 10)
  }

  /// Appends, claims, delivers and gives back by chance while the disk comes and goes.
  ///
  /// - Returns: What was delivered, in order; each item appended is in it exactly once.
  private func deliverUnderOutages(
    _ store: SQLiteStorage, pass: () -> Void, setOutage: (Bool) throws -> Void
  ) throws -> [(group: String, number: Int)] {
    var dice = Dice(seed: 4)
    var next = 0
    var delivered: [(group: String, number: Int)] = []
    var claims: [OutboxClaim] = []
    func deliver(_ claim: OutboxClaim) throws {
      for item in claim.items {
        let number = try #require(Int(String(decoding: item.content.body, as: UTF8.self)))
        delivered.append((try #require(item.content.group), number))
      }
      store.acknowledge(claim.receipts)
    }
    for _ in 0..<(TestRun.isSanitized ? 500 : 5_000) {
      switch dice.roll(8) {
      case 0...2:
        let items = (0...dice.roll(3)).map { item("\(next + $0)", group: "g\((next + $0) % 5)") }
        next += items.count
        store.append(items)
      case 3, 4:
        claims.append(store.claim(upTo: 1 + dice.roll(6), bytes: 1_000, lease: .seconds(600)))
      case 5:
        if !claims.isEmpty { try deliver(claims.remove(at: dice.roll(claims.count))) }
      case 6:
        guard !claims.isEmpty else { break }
        store.release(claims.remove(at: dice.roll(claims.count)).receipts)
      default:
        pass()
        if dice.roll(4) == 0 { try setOutage(dice.roll(2) == 0) }
      }
    }
    try setOutage(false)
    for claim in claims { store.release(claim.receipts) }
    pass()
    while true {
      let claim = store.claim(upTo: .max, bytes: .max, lease: .seconds(9))
      if claim.isEmpty { break }
      try deliver(claim)
    }
    #expect(delivered.map(\.number).sorted() == Array(0..<next))
    #expect(store.statistics() == OutboxStatistics())
    return delivered
  }
}

@Suite("File permissions")
struct PermissionTests {
  @Test("folder and files are for the owner only, whatever the mask of the process")
  func modes() throws {
    let fixture = try Fixture { $0.folder += "/deep/deeper" }
    fixture.store.append([item("1")])
    let deep = fixture.folder.store + "/deep/deeper"
    for folder in [fixture.folder.store, fixture.folder.store + "/deep", deep] {
      #expect(try fixture.folder.permissions(folder) == 0o700)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: deep).sorted()
    #expect(names == ["anole.lock", "anole.sqlite", "anole.sqlite-shm", "anole.sqlite-wal"])
    for name in names { #expect(try fixture.folder.permissions(deep + "/" + name) == 0o600) }
  }

  @Test("a file that others may read is closed to them")
  func tightened() throws {
    let fixture = try Fixture()
    fixture.store.append([item("1")])
    fixture.store.close()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: fixture.folder.database)
    #expect(fixture.store.statistics().count == 1)
    #expect(try fixture.folder.permissions(fixture.folder.database) == 0o600)
  }
}
