// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleStorage
import AnoleStorageTesting
import AnoleTracking
import Foundation
import Testing

@Suite(
  "Disks that are full or read-only", .serialized, .timeLimit(.minutes(1)),
  .enabled(if: SmallDisk.isAvailable, "needs the right to mount a file system"))
struct MountedDiskTests {
  @Test(
    "a full disk: events leave from memory, the loss is counted and reported once, and it heals")
  func full() async throws {
    let disk = try #require(SmallDisk(kibibytes: 400))
    var store = DiskStore(folder: disk.store)
    store.limits = StorageLimits(outboxCount: 100)
    try await Bench.with(Bench.Setup { $0.makeStore = { [store] in store.make($0) } }) {
      bench async throws in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .durable)
      disk.fill()
      for number in 2...150 {
        bench.submit(.customData(index: number, values: [String(repeating: "x", count: 3_000)]))
        await bench.tracker.persist()
      }
      bench.submit(conversion(151))
      #expect(await bench.tracker.persist() == .memory)
      #expect(await bench.tracker.persist() == .memory)
      #expect(store.reports.value == [.degraded])
      // One on the disk and as many in memory as the limit allows; the oldest there were lost.
      let dropped = await bench.dropped()
      let stored = await bench.stored()
      #expect(Set(dropped.keys).isSubset(of: [.count]))
      #expect(stored + (dropped[.count] ?? 0) == 151)
      let fromMemory = await bench.tracker.flush()
      #expect(fromMemory.isSuccess && fromMemory.events > 0)
      #expect(bench.acceptedNonces.contains(151))

      try #require(disk.remount("size=8m"))
      store.passRetryInterval()
      bench.submit(conversion(152))
      #expect(await bench.tracker.persist() == .durable)
      #expect(await bench.tracker.flush().isSuccess)
      #expect(await bench.stored() == 0)
      #expect(store.reports.value == [.degraded, .recovered])
      let lost = await bench.dropped()[.count] ?? 0
      #expect(Set(bench.acceptedNonces).count == 152 - lost)
      #expect(bench.acceptedNonces.last == 152)
    }
  }

  @Test(
    "a read-only disk: events leave from memory, are reported once, and are on disk when it heals")
  func readOnly() async throws {
    let disk = try #require(SmallDisk(kibibytes: 4_000))
    let store = DiskStore(folder: disk.store)
    try await Bench.with(Bench.Setup { $0.makeStore = { [store] in store.make($0) } }) {
      bench async throws in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .durable)
      (bench.store as? SQLiteStorage)?.close()
      try #require(disk.remount("ro"))
      bench.submit(conversion(2))
      #expect(await bench.tracker.persist() == .memory)
      #expect(await bench.tracker.flush().events == 1)
      bench.submit(conversion(3))
      #expect(await bench.tracker.persist() == .memory)
      #expect(store.reports.value == [.degraded])
      try #require(disk.remount("rw"))
      store.passRetryInterval()
      bench.submit(conversion(4))
      #expect(await bench.tracker.persist() == .durable)
      #expect(await bench.tracker.flush().events == 3)
      #expect(bench.acceptedNonces.sorted() == [1, 2, 3, 4])
      #expect(store.reports.value == [.degraded, .recovered])
    }
  }
}

@Suite("Stores that fail", .timeLimit(.minutes(1)))
struct DiskTests {
  private func with(
    _ folder: TemporaryFolder, busyTimeout: Duration = .zero,
    _ test: (Bench, DiskStore) async throws -> Void
  ) async throws {
    var store = DiskStore(folder: folder.store)
    store.busyTimeout = busyTimeout
    try await Bench.with(Bench.Setup { $0.makeStore = { [store] in store.make($0) } }) {
      bench async throws in
      try await test(bench, store)
    }
  }

  @Test("a locked database: events leave from memory and are on disk when the lock is free")
  func locked() async throws {
    let folder = try TemporaryFolder()
    try await with(folder) { bench, store in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .durable)
      let other = try ChildProcess.writer(["lock", folder.store])
      try #require(other.line() == "locked")
      bench.submit(conversion(2))
      #expect(await bench.tracker.persist() == .memory)
      #expect(await bench.tracker.flush().events == 1)
      bench.submit(conversion(3))
      #expect(await bench.tracker.persist() == .memory)
      #expect(store.reports.value == [.degraded])
      other.say("enough")
      other.waitUntilExit()
      store.passRetryInterval()
      bench.submit(conversion(4))
      #expect(await bench.tracker.persist() == .durable)
      #expect(await bench.tracker.flush().events == 3)
      #expect(bench.acceptedNonces.sorted() == [1, 2, 3, 4])
      #expect(store.reports.value == [.degraded, .recovered])
    }
  }

  @Test("while the disk makes the tracker wait, no caller waits, and nothing is lost")
  func neverBlocks() async throws {
    let folder = try TemporaryFolder()
    try await with(folder, busyTimeout: .seconds(60)) { bench, store in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .durable)
      let other = try ChildProcess.writer(["lock", folder.store])
      try #require(other.line() == "locked")
      // The lock is given up only when all these calls have returned.
      bench.submit(conversion(2))
      let waiting = Task { await bench.tracker.persist() }
      for number in 3...1_000 { bench.submit(conversion(number)) }
      for number in 1...1_000 { bench.tracker.enqueue("visitor \(number)") }
      bench.tracker.setPaused(true)
      bench.tracker.setPaused(false)
      bench.tracker.start()
      other.say("enough")
      #expect(await waiting.value == .durable)
      #expect(await bench.tracker.flush().events == 1_000)
      #expect(store.reports.value.isEmpty)
    }
  }

  @Test("a corrupt database is set aside with one report; what comes later is sent")
  func corrupt() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: folder.database))
    try await with(folder) { bench, store in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .durable)
      #expect(await bench.tracker.flush().events == 1)
      #expect(store.reports.value == [.setAside])
    }
  }

  @Test("a database that is damaged while it is in use loses what was in it, and is replaced")
  func damagedInUse() async throws {
    let folder = try TemporaryFolder()
    try await with(folder) { bench, store in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .durable)
      (bench.store as? SQLiteStorage)?.close()
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.database))
      try file.write(contentsOf: Data(count: 8_192))
      try file.close()
      bench.submit(conversion(2))
      #expect(await bench.tracker.persist() == .durable)
      #expect(await bench.tracker.flush().events == 1)
      #expect(bench.acceptedNonces == [2])
      #expect(store.reports.value == [.setAside])
    }
  }

  @Test("a folder that cannot be used: events are sent from memory, and closing ends")
  func noFolder() async throws {
    let folder = try TemporaryFolder()
    try Data("a file".utf8).write(to: URL(fileURLWithPath: folder.store))
    try await with(folder) { bench, store in
      bench.submit(conversion(1))
      #expect(await bench.tracker.persist() == .memory)
      #expect(await bench.tracker.flush().events == 1)
      #expect(await bench.stored() == 0)
      #expect(store.reports.value == [.degraded])
    }
  }
}
