// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@Suite(
  "Mounted disks", .serialized,
  .enabled(if: SmallDisk.isAvailable, "needs the right to mount a file system"))
struct MountedDiskTests {
  private func store(
    on disk: SmallDisk, _ reports: Reports, _ clock: ManualClock
  ) -> SQLiteStorage {
    var configuration = SQLiteStorage.Configuration(folder: disk.store)
    configuration.time = TimeSource(clock)
    configuration.report = { reports.add($0) }
    return SQLiteStorage(configuration)
  }

  @Test("a full disk degrades to memory with one report and recovers when it has room")
  func full() throws {
    let disk = try #require(SmallDisk(kibibytes: 400))
    let (reports, clock) = (Reports(), ManualClock())
    let store = store(on: disk, reports, clock)
    store.write([1], namespace: "n", key: "old")
    disk.fill(300_000)
    let body = Array(repeating: UInt8(1), count: 3_000)
    var count = 0
    for _ in 0..<200 {
      store.append([OutboxItem(body: body, acceptedAt: WallClock.system.milliseconds)])
      count += 1
    }
    #expect(store.write([2], namespace: "n", key: "new") == .memory)
    #expect(store.read(namespace: "n", key: "new")?.value == [2])
    #expect(store.read(namespace: "n", key: "old")?.value == [1])
    #expect(store.statistics().count == count)
    #expect(reports.codes == [.degraded])
    #expect(disk.remount("size=8m"))
    clock.advance(by: .seconds(1))
    #expect(store.write([3], namespace: "n", key: "new") == .durable)
    #expect(reports.codes == [.degraded, .recovered])
    store.close()
    let other = self.store(on: disk, reports, clock)
    #expect(other.statistics().count == count)
    #expect(other.read(namespace: "n", key: "new")?.value == [3])
    #expect(reports.codes == [.degraded, .recovered])
    other.close()
  }

  @Test("a read-only disk degrades to memory with one report and recovers when it can be written")
  func readOnly() throws {
    let disk = try #require(SmallDisk(kibibytes: 4_000))
    let (reports, clock) = (Reports(), ManualClock())
    let store = store(on: disk, reports, clock)
    store.write([1], namespace: "n", key: "k")
    store.close()
    try #require(disk.remount("ro"))
    #expect(store.write([2], namespace: "n", key: "k") == .memory)
    #expect(store.read(namespace: "n", key: "k")?.value == [2])
    clock.advance(by: .seconds(1))
    #expect(store.append([item("1", at: WallClock.system.milliseconds)]) == .memory)
    #expect(reports.codes == [.degraded])
    try #require(disk.remount("rw"))
    clock.advance(by: .seconds(1))
    #expect(store.read(namespace: "n", key: "k")?.value == [2])
    #expect(store.statistics().count == 1)
    #expect(reports.codes == [.degraded, .recovered])
    store.close()
  }
}
