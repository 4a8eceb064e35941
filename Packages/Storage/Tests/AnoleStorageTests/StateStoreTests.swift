// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@Suite("Items and records changed together")
struct StateStoreTests {
  private func write(_ value: UInt8, _ key: String) -> RecordChange {
    .write(namespace: "n", key: key, value: [value])
  }

  @Test("both are there, in order, and either part may be empty", arguments: StoreKind.allCases)
  func both(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let store = kind.make(in: folder, wall: ManualWallClock())
    let expected: WriteOutcome = kind == .memory ? .memory : .durable
    let changes = [
      write(1, "a"), write(2, "b"), write(3, "a"), .remove(namespace: "n", key: "b"),
    ]
    #expect(await store.append([item("1"), item("2")], applying: changes) == expected)
    #expect(await store.append([], applying: [write(4, "c")]) == expected)
    #expect(await store.append([item("3")], applying: []) == expected)
    #expect(await store.keys(namespace: "n") == ["a", "c"])
    #expect(await store.read(namespace: "n", key: "a")?.value == [3])
    #expect(await store.claimAll().texts == ["1", "2", "3"])
  }

  @Test("what one process wrote together another finds together")
  func shared() throws {
    let fixture = try Fixture()
    fixture.store.append([item("1")], applying: [write(1, "a")])
    let other = try Fixture(fixture.folder)
    #expect(other.store.read(namespace: "n", key: "a")?.value == [1])
    #expect(other.store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["1"])
  }

  @Test("limits of the outbox hold, and the records are written all the same")
  func limits() throws {
    let fixture = try Fixture { $0.limits = StorageLimits(outboxCount: 2) }
    let items = ["1", "2", "3"].map { item($0) }
    #expect(fixture.store.append(items, applying: [write(1, "a")]) == .durable)
    #expect(fixture.store.statistics().dropped == [.count: 1])
    #expect(fixture.store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["2", "3"])
    #expect(fixture.store.read(namespace: "n", key: "a")?.value == [1])
  }

  @Test("an item that is too large is counted, the rest and the records stay")
  func oversized() throws {
    let fixture = try Fixture { $0.limits = StorageLimits(outboxBytes: 4) }
    fixture.store.append([item("12345"), item("1")], applying: [write(1, "a")])
    #expect(fixture.store.statistics().dropped == [.bytes: 1])
    #expect(fixture.store.read(namespace: "n", key: "a")?.value == [1])
  }

  @Test("while the disk is gone memory holds both, and both reach the disk")
  func degraded() throws {
    let fixture = try Fixture()
    try Data().write(to: URL(fileURLWithPath: fixture.folder.store))
    #expect(fixture.store.append([item("1")], applying: [write(1, "a")]) == .memory)
    #expect(fixture.store.read(namespace: "n", key: "a")?.value == [1])
    try FileManager.default.removeItem(atPath: fixture.folder.store)
    fixture.passRetryInterval()
    #expect(fixture.store.append([item("2")], applying: [write(2, "b")]) == .durable)
    #expect(fixture.reports.codes == [.degraded, .recovered])
    let other = try Fixture(fixture.folder)
    #expect(other.store.keys(namespace: "n") == ["a", "b"])
    #expect(other.store.claim(upTo: 9, bytes: 99, lease: .seconds(9)).texts == ["1", "2"])
  }
}
