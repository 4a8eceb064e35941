// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Testing

@Suite("Outbox")
struct OutboxTests {
  let wall = ManualWallClock()

  @Test(
    "items leave in order, whole, and are gone once acknowledged", arguments: StoreKind.allCases)
  func order(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    let items = [
      item("a", group: "g"), item("", group: nil, at: 5), item("b\0\u{e9}", group: ""),
      OutboxItem(body: (0...255).map { UInt8($0) }, group: "e\u{301}", acceptedAt: -1),
    ]
    await outbox.append([])
    await outbox.append([items[0]])
    await outbox.append(Array(items[1...]))
    let claim = await outbox.claimAll()
    #expect(claim.items.map(\.content) == items)
    #expect(claim.expiresAt == wall.milliseconds + 60_000)
    #expect(await outbox.claimAll().isEmpty)
    #expect(
      await outbox.statistics()
        == OutboxStatistics(count: 4, bytes: 261, oldestAcceptedAt: -1, dropped: [:]))
    await outbox.acknowledge(claim.receipts)
    #expect(await outbox.statistics() == OutboxStatistics())
    await outbox.acknowledge(claim.receipts)
    #expect(await outbox.statistics() == OutboxStatistics())
  }

  @Test("a claim keeps to its limits but gives at least one item", arguments: StoreKind.allCases)
  func budget(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append(["12345", "12", "123", "1"].map { item($0) })
    let lease = Duration.seconds(1)
    #expect(await outbox.claim(upTo: 0, bytes: 100, lease: lease).isEmpty)
    #expect(await outbox.claim(upTo: 5, bytes: 1, lease: lease).texts == ["12345"])
    #expect(await outbox.claim(upTo: 5, bytes: 4, lease: lease).texts == ["12"])
    #expect(await outbox.claim(upTo: 1, bytes: 9, lease: lease).texts == ["123"])
    #expect(await outbox.claim(upTo: 5, bytes: 9, lease: lease).texts == ["1"])
  }

  @Test("released items come back to their places", arguments: StoreKind.allCases)
  func release(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append(["1", "2", "3", "4"].map { item($0) })
    let claim = await outbox.claim(upTo: 3, bytes: 100, lease: .seconds(9))
    await outbox.append([item("5")])
    await outbox.acknowledge([claim.items[1].receipt])
    await outbox.release([claim.items[2].receipt, claim.items[0].receipt])
    #expect(await outbox.claimAll().texts == ["1", "3", "4", "5"])
  }

  @Test(
    "a lease ends at its time and not before; late receipts do nothing",
    arguments: StoreKind.allCases)
  func expiry(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append([item("1"), item("2")])
    let first = await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(10))
    wall.advance(by: .milliseconds(9_999))
    #expect(await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(60)).texts == ["2"])
    #expect(await outbox.claimAll().isEmpty)
    wall.advance(by: .milliseconds(1))
    let second = await outbox.claimAll()
    #expect(second.texts == ["1"])
    await outbox.acknowledge(first.receipts)
    await outbox.release(first.receipts)
    await outbox.discard(first.receipts, reason: .age)
    #expect(await outbox.claimAll().isEmpty)
    #expect(await outbox.statistics().count == 2)
    await outbox.acknowledge(second.receipts)
    #expect(await outbox.statistics().count == 1)
    #expect(await outbox.statistics().dropped == [:])
  }

  @Test(
    "an acknowledgement after the lease counts if nobody claimed again",
    arguments: StoreKind.allCases)
  func lateAcknowledgement(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append([item("1")])
    let claim = await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(10))
    wall.advance(by: .seconds(11))
    await outbox.acknowledge(claim.receipts)
    #expect(await outbox.statistics().count == 0)
    await outbox.append([item("2")])
    await outbox.acknowledge(claim.receipts)
    #expect(await outbox.claimAll().texts == ["2"])
  }

  @Test(
    "a clock that is set back does not keep items leased for long", arguments: StoreKind.allCases)
  func clockSetBack(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append([item("1")])
    _ = await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(1_000_000))
    wall.advance(by: .seconds(599))
    #expect(await outbox.claimAll().isEmpty)
    wall.advance(by: .seconds(-86_400))
    #expect(await outbox.claimAll().texts == ["1"])
  }

  @Test("while an item is leased its group waits, others do not", arguments: StoreKind.allCases)
  func groups(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append([
      item("1", group: "\u{e9}"), item("2", group: "\u{e9}"), item("3", group: "e\u{301}"),
      item("4"),
      item("5"),
    ])
    let first = await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(10))
    let others = await outbox.claimAll()
    #expect(others.texts == ["3", "4", "5"])
    await outbox.release(first.receipts)
    #expect(await outbox.claimAll().texts == ["1", "2"])
  }

  @Test("over its limits the outbox drops the oldest and counts why", arguments: StoreKind.allCases)
  func limits(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let limits = StorageLimits(outboxCount: 4, outboxBytes: 20, outboxAge: .seconds(60))
    let outbox = kind.make(in: folder, wall: wall, limits: limits)
    for text in ["1", "2", "3", "4", "5"] { await outbox.append([item(text)]) }
    #expect(await outbox.statistics().dropped == [.count: 1])
    let held = await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(10))
    #expect(held.texts == ["2"])
    await outbox.append([item("6"), item("7")])
    #expect(await outbox.statistics().dropped == [.count: 3])
    await outbox.append([item("a larger item: 18 B")])
    #expect(await outbox.statistics().dropped == [.count: 4, .bytes: 2])
    await outbox.append([item("larger than all the limit")])
    #expect(await outbox.statistics().dropped == [.count: 4, .bytes: 3])
    await outbox.release(held.receipts)
    #expect(await outbox.claimAll().texts == ["2", "a larger item: 18 B"])
    #expect(await outbox.statistics().bytes == 20)
  }

  @Test(
    "items that waited too long are dropped when somebody claims", arguments: StoreKind.allCases)
  func age(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let limits = StorageLimits(outboxAge: .seconds(60))
    let outbox = kind.make(in: folder, wall: wall, limits: limits)
    let start = wall.milliseconds
    await outbox.append([item("1", at: start), item("2", at: start + 1), item("3", at: start + 2)])
    let held = await outbox.claim(upTo: 1, bytes: 9, lease: .seconds(600))
    wall.advance(by: .milliseconds(60_002))
    #expect(await outbox.claimAll().texts == ["3"])
    #expect(await outbox.statistics().dropped == [.age: 1])
    #expect(held.texts == ["1"])
    #expect(await outbox.statistics().count == 2)
  }

  @Test("discarded items are counted under the caller's reason", arguments: StoreKind.allCases)
  func discard(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append(["1", "2", "3"].map { item($0) })
    let claim = await outbox.claimAll()
    let receipts = claim.receipts
    await outbox.discard(
      [receipts[0], receipts[2]], reason: DropReason("too large for the server"))
    await outbox.discard([receipts[0]], reason: DropReason("twice"))
    await outbox.release(claim.receipts)
    #expect(await outbox.claimAll().texts == ["2"])
    #expect(await outbox.statistics().dropped == [DropReason("too large for the server"): 2])
  }

  @Test("receipts of other stores and nonsense are ignored", arguments: StoreKind.allCases)
  func foreignReceipts(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    await outbox.append([item("1")])
    let claim = await outbox.claimAll()
    var receipts = ["", "m", "d1", "m1", "m999", "d-1", "m99999999999999999999", "x1"].flatMap {
      name in
      ["", "0", "9", "-1", "x"].map { OutboxReceipt(item: name, claim: $0) }
    }
    receipts.removeAll { $0 == claim.items[0].receipt }
    await outbox.acknowledge(receipts)
    await outbox.discard(receipts, reason: .age)
    await outbox.release(receipts)
    #expect(await outbox.statistics().count == 1)
    #expect(await outbox.claimAll().isEmpty)
  }

  @Test(
    "eight tasks append while four claim: each item goes to one of them",
    arguments: StoreKind.allCases)
  func tasks(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let outbox = kind.make(in: folder, wall: wall)
    let delivered = await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            await outbox.append([item("\(writer):\(number)", group: "\(writer)")])
          }
          return [String]()
        }
      }
      for _ in 0..<4 {
        group.addTask {
          var texts: [String] = []
          for _ in 0..<100 {
            let claim = await outbox.claim(upTo: 5, bytes: 1_000, lease: .seconds(60))
            texts += claim.texts
            await outbox.acknowledge(claim.receipts)
          }
          return texts
        }
      }
      return await group.reduce(into: [String]()) { $0 += $1 }
    }
    let rest = await outbox.claimAll().texts
    #expect(delivered.count + rest.count == 400)
    #expect(Set(delivered).union(rest).count == 400)
  }
}
