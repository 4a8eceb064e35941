// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage
import AnoleStorageTesting
import Foundation

func useStorage() async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("consumer-\(UUID().uuidString)")
  var configuration = SQLiteStorage.Configuration(folder: folder.path)
  let levels: [SQLiteStorage.Durability] = [.full, .normal]
  configuration.durability = levels[1]
  print(StateFolder.standard { _ in "/state" } ?? "")
  configuration.limits = StorageLimits(
    outboxCount: 100, outboxBytes: 1 << 20, outboxAge: .seconds(60), memoryRecordBytes: 1 << 20)
  configuration.limits.outboxCount = 200
  configuration.limits.outboxBytes = 2 << 20
  configuration.limits.outboxAge = .seconds(120)
  configuration.limits.memoryRecordBytes = 2 << 20
  configuration.largestFile = 64 << 20
  configuration.busyTimeout = .seconds(1)
  configuration.retryInterval = .seconds(1)
  configuration.wallClock = .system
  configuration.time = .continuous
  configuration.report = { report in print(report.description) }
  print(configuration.folder.isEmpty, StorageLimits.largestValue, StorageLimits.largestKey)
  let durable = SQLiteStorage(configuration)
  await useStore(durable)
  durable.close()
  try inspect(folder.path)
  try FileManager.default.removeItem(at: folder)
  await useStore(
    InMemoryStorage(limits: StorageLimits(), wallClock: .system) { print($0.message) })

  let codes: [StorageReport.Code] = [
    .degraded, .recovered, .setAside, .newerSchema, .replaced, .unreadable, .tooLarge, .memoryLimit,
  ]
  for code in codes { print(StorageReport(code: code, message: "m").code.description) }
  try useStorageTesting()
}

private func inspect(_ folder: String) throws {
  let inspection = try StorageInspection(folder: folder, reading: ["n"], busyTimeout: .seconds(1))
  print(
    inspection.isIntact, inspection.bytesOnDisk, inspection.faults, inspection.filesSetAside,
    inspection.damagedItems, inspection.outbox.count, SQLiteStorage.libraryVersion)
  for space: StorageInspection.Space in inspection.spaces {
    print(
      space.name, space.count, space.bytes, space.oldestWrittenAt, space.newestWrittenAt,
      space.damagedCount)
    for entry: StorageInspection.Entry in inspection.entries(of: space.name) {
      print(entry.key, entry.record.value)
    }
  }
  let codes: [StorageInspectionError.Code] = [
    .missing, .damaged, .newerSchema, .busy, .unavailable,
  ]
  do throws(StorageInspectionError) {
    try SQLiteStorage.removeStore(in: folder + "/none", busyTimeout: .zero)
  } catch {
    print(codes.contains(error.code), error.code.description, error.message, error.description)
  }
}

private func useStore(_ store: any StateStore) async {
  let changes: [RecordChange] = [
    .write(namespace: "n", key: "a", value: [1]), .remove(namespace: "n", key: "b"),
  ]
  let outcomes: [WriteOutcome] = [
    await store.write([1], namespace: "n", key: "b"), await store.apply(changes),
    await store.remove(namespace: "n", key: "b"),
    await store.removeRecords(olderThan: .seconds(60)),
  ]
  print(outcomes.filter { $0 == .durable }.count)
  if let record: Record = await store.read(namespace: "n", key: "a") {
    print(record.value, record.writtenAt > 0, record.age(at: record.writtenAt))
    print(Record(value: [1], writtenAt: 0) == record)
  }
  print(await store.keys(namespace: "n"))
  await store.removeAll(namespace: "n")

  let item = OutboxItem(body: [1], group: "g", acceptedAt: 0)
  print(item.body, item.group ?? "", item.acceptedAt)
  print(await store.append([item, item]), await store.append([item, item], applying: changes))
  let claim: OutboxClaim = await store.claim(
    upTo: 4, bytes: 100, lease: OutboxClaim.longestLease)
  print(claim.items.count, claim.expiresAt, claim.isEmpty)
  for item: OutboxClaim.Item in claim.items {
    let receipt: OutboxReceipt = item.receipt
    print(item.content.body, receipt.item, receipt.claim)
  }
  let receipts = claim.receipts
  await store.acknowledge(Array(receipts.prefix(1)))
  await store.release(Array(receipts.dropFirst().prefix(1)))
  await store.discard(Array(receipts.dropFirst(2)), reason: .age)
  let statistics: OutboxStatistics = await store.statistics()
  print(
    statistics.count, statistics.bytes, statistics.oldestAcceptedAt ?? 0,
    statistics.dropped[.age] ?? 0)
  for reason in [DropReason.count, .bytes, .age, .unreadable, DropReason("own")] {
    print(reason.name, reason.description)
  }
  print(
    OutboxClaim(
      items: [OutboxClaim.Item(receipt: OutboxReceipt(item: "i", claim: "c"), content: item)],
      expiresAt: 0
    ).isEmpty,
    OutboxStatistics(count: 1, bytes: 1, oldestAcceptedAt: nil, dropped: [:]).count)
  useProtocols(store, store)
}

private func useProtocols(_ records: any RecordStore, _ outbox: any Outbox) {
  print(type(of: records) == type(of: outbox))
}

private func useStorageTesting() throws {
  let folder = try TemporaryFolder(isInMemory: true)
  print(folder.database.count - folder.store.count, folder.path.isEmpty)
  let cat = try ChildProcess("cat", [], environment: nil)
  cat.say("hello")
  print(cat.line() ?? "")
  cat.kill()
  print(cat.lines(), cat.waitUntilExit() == 0)
  do {
    print(try ChildProcess(built: "no-such-program", []).waitUntilExit())
  } catch let error as ChildProcess.SpawnError {
    print(error.program.isEmpty, error.code, error.description.isEmpty)
  }
  print(TestRun.isSanitized, TestRun.isLong)
  if SmallDisk.isAvailable, let disk = SmallDisk(kibibytes: 64) {
    disk.fill(1_000)
    print(disk.remount("ro"), disk.store.count - disk.path.count)
  }
}
