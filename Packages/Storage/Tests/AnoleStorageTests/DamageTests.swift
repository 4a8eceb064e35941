// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleStorage

@Suite("Damaged and foreign files")
struct DamageTests {
  private static let value = (0..<5_000).map { UInt8(truncatingIfNeeded: $0) }
  private static let bodies = (0..<12).map { Array("event \($0) ".utf8) + value.prefix($0 * 40) }

  /// The bytes of a closed store with two records and twelve items.
  private func healthyFile() throws -> Data {
    let fixture = try Fixture()
    fixture.store.write(Self.value, namespace: "n", key: "large")
    fixture.store.write([1], namespace: "n", key: "small")
    fixture.store.append(
      Self.bodies.map { OutboxItem(body: $0, group: "g", acceptedAt: fixture.wall.milliseconds) })
    fixture.store.close()
    #expect(fixture.reports.all.isEmpty)
    return try Data(contentsOf: URL(fileURLWithPath: fixture.folder.database))
  }

  /// Opens a store on a file and checks that it gives old data whole or none, and works from then on.
  ///
  /// - Returns: Whether the old data was there.
  @discardableResult
  private func open(_ files: [String: Data], _ what: String) throws -> Bool {
    let folder = try TemporaryFolder(isInMemory: true)
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: true)
    for (suffix, data) in files {
      try data.write(to: URL(fileURLWithPath: folder.database + suffix))
    }
    let fixture = try Fixture(folder)
    let large = fixture.store.read(namespace: "n", key: "large")?.value
    try #require(large == nil || large == Self.value, "half a record: \(what)")
    let small = fixture.store.read(namespace: "n", key: "small")?.value
    try #require(small == nil || small == [1], "half a record: \(what)")
    let claim = fixture.store.claim(upTo: .max, bytes: .max, lease: .seconds(60))
    for item in claim.items {
      try #require(Self.bodies.contains(item.content.body), "half an item: \(what)")
    }
    try #require(Set(claim.items.map(\.content)).count == claim.items.count, "\(what)")
    try #require(fixture.store.write([2], namespace: "n", key: "new") == .durable, "\(what)")
    try #require(fixture.store.read(namespace: "n", key: "new")?.value == [2], "\(what)")
    try #require(
      fixture.store.append([item("new", at: fixture.wall.milliseconds)]) == .durable, "\(what)")
    try #require(fixture.reports.all.count <= 2, "\(what): \(fixture.reports.all)")
    let again = try Fixture(folder)
    try #require(again.store.read(namespace: "n", key: "new")?.value == [2], "\(what)")
    try #require(again.reports.all.isEmpty, "\(what): not healed")
    return large != nil && small != nil && claim.items.count == Self.bodies.count
  }

  @Test("cut at any offset, the file gives all or nothing, and is replaced")
  func cut() throws {
    let file = try healthyFile()
    let step = TestRun.isSanitized ? 401 : 37
    let edges = stride(from: 0, through: file.count, by: 4_096).flatMap { [$0 - 1, $0, $0 + 1] }
    let offsets = Set(stride(from: 0, through: file.count, by: step)).union(edges).union(0...110)
    for offset in offsets.sorted() where (0...file.count).contains(offset) {
      let isWhole = try open(["": file.prefix(offset)], "cut at \(offset)")
      #expect(isWhole == (offset == file.count))
    }
  }

  @Test("with flipped bytes anywhere, no half record or item is seen, and the store heals")
  func flips() throws {
    let file = try healthyFile()
    for offset in stride(from: 0, to: file.count, by: TestRun.isSanitized ? 997 : 61) {
      var damaged = file
      damaged[offset] ^= offset % 2 == 0 ? 0xff : 0x01
      try open(["": damaged], "flipped at \(offset)")
    }
  }

  @Test("with a log cut at any offset, what is left is whole transactions")
  func cutLog() throws {
    let fixture = try Fixture()
    fixture.store.write(Self.value, namespace: "n", key: "large")
    fixture.store.write([1], namespace: "n", key: "small")
    fixture.store.append(
      Self.bodies.map { OutboxItem(body: $0, group: "g", acceptedAt: fixture.wall.milliseconds) })
    let file = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.database))
    let log = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.database + "-wal"))
    #expect(log.count > 10_000)
    for offset in stride(from: 0, through: log.count, by: TestRun.isSanitized ? 4_001 : 211) {
      try open(["": file, "-wal": log.prefix(offset)], "log cut at \(offset)")
    }
    for offset in stride(from: 0, to: log.count, by: TestRun.isSanitized ? 4_001 : 211) {
      var damaged = log
      damaged[offset] ^= 0x10
      try open(["": file, "-wal": damaged], "log flipped at \(offset)")
    }
    #expect(try open(["": file, "-wal": log], "whole"))
  }

  @Test("zeros, text and another program's database are set aside and kept")
  func foreign() throws {
    for content in [Data(count: 20_000), Data("not a database, but long enough to be one".utf8)] {
      try #require(try !open(["": content], "foreign"))
    }
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder.database))
    let other = try SQLiteConnection(path: folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute("CREATE TABLE records(a); INSERT INTO records VALUES('mine')")
    let fixture = try Fixture(folder)
    #expect(fixture.store.write([1], namespace: "n", key: "k") == .durable)
    #expect(fixture.reports.codes == [.setAside])
    let aside = folder.database + ".set-aside-1"
    let kept = try SQLiteConnection(path: aside, busyTimeout: 0, statementCount: 0)
    #expect(try kept.text("SELECT a FROM records") == "mine")
  }

  @Test(
    "a folder, a link and their like in place of a file are set aside, and a link is not followed")
  func notAFile() throws {
    let manager = FileManager.default
    for name in ["anole.sqlite", "anole.sqlite-wal", "anole.sqlite-shm", "anole.sqlite-journal"] {
      let folder = try TemporaryFolder()
      let path = folder.store + "/" + name
      try manager.createDirectory(atPath: path + "/inner", withIntermediateDirectories: true)
      let fixture = try Fixture(folder)
      #expect(fixture.store.write([1], namespace: "n", key: "k") == .durable)
      #expect(fixture.reports.codes == [.setAside])
      fixture.store.close()

      let victim = folder.path + "/victim"
      try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
      try? manager.removeItem(atPath: path)
      try manager.createSymbolicLink(atPath: path, withDestinationPath: victim)
      let next = try Fixture(folder)
      #expect(next.store.write([1], namespace: "n", key: "k") == .durable)
      #expect(next.reports.codes == [.setAside])
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }
  }

  @Test("the number of files set aside is bounded")
  func bounded() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<9 {
      try FileManager.default.createDirectory(
        atPath: folder.store, withIntermediateDirectories: true)
      try Data(repeating: 1, count: 9_999).write(to: URL(fileURLWithPath: folder.database))
      let fixture = try Fixture(folder)
      #expect(fixture.store.read(namespace: "n", key: "k") == nil)
      #expect(fixture.reports.codes == [.setAside])
    }
    #expect(try folder.names().count { $0.contains("set-aside") } == StorageFolder.asideCount)
  }

  @Test("a file that breaks while it is open is set aside, and the operation is done on a new one")
  func breaksWhileOpen() throws {
    let fixture = try Fixture()
    fixture.store.write([1], namespace: "n", key: "k")
    let other = try SQLiteConnection(
      path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute("DROP TABLE outbox")
    #expect(fixture.store.append([item("1")]) == .durable)
    #expect(fixture.reports.codes == [.setAside])
    #expect(fixture.store.claim(upTo: 9, bytes: 9, lease: .seconds(1)).texts == ["1"])
  }

  @Test("an item and a record that cannot be read are dropped and counted, the others arrive")
  func unreadable() throws {
    let fixture = try Fixture()
    fixture.store.append(["1", "2", "3", "4"].map { item($0) })
    fixture.store.write([1], namespace: "n", key: "k")
    let other = try SQLiteConnection(
      path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute(
      "UPDATE outbox SET body = x'ff' WHERE id = 1; UPDATE records SET value = x'00'")
    #expect(fixture.store.read(namespace: "n", key: "k") == nil)
    let claims = (0..<3).map { _ in fixture.store.claim(upTo: 2, bytes: 99, lease: .seconds(60)) }
    #expect(claims.map(\.texts) == [["2", "3"], ["4"], []])
    for claim in claims { fixture.store.acknowledge(claim.receipts) }
    #expect(fixture.store.statistics() == OutboxStatistics(dropped: [.unreadable: 1]))
    #expect(fixture.reports.codes == [.unreadable])
    #expect(fixture.store.keys(namespace: "n").isEmpty)
  }

  @Test("one changed byte anywhere in a large value is noticed, and the value is removed")
  func largeValue() throws {
    let value = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 / 7) }
    for offset in [0, 8, 16, 24, 31, 4_096, 65_536, 99_999, 100_000, 100_002] {
      let fixture = try Fixture()
      fixture.store.write(value, namespace: "n", key: "k")
      let other = try SQLiteConnection(
        path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
      try other.execute(
        """
        UPDATE records SET value = CAST(substr(value, 1, \(offset)) || x'fe'
        || substr(value, \(offset + 2)) AS BLOB)
        """)
      #expect(fixture.store.read(namespace: "n", key: "k") == nil, "at \(offset)")
      #expect(fixture.reports.codes == [.unreadable], "at \(offset)")
      #expect(fixture.store.keys(namespace: "n").isEmpty)
      fixture.store.close()
    }
  }

  @Test("a value that is no blob any more is unreadable, and the store works on")
  func foreignKinds() throws {
    for kind in ["3", "1.5", "'text'", "'\(String(repeating: "é", count: 70_000))'"] {
      let fixture = try Fixture()
      fixture.store.write([1, 2], namespace: "n", key: "k")
      let other = try SQLiteConnection(
        path: fixture.folder.database, busyTimeout: 0, statementCount: 0)
      try other.execute("UPDATE records SET value = \(kind)")
      #expect(fixture.store.read(namespace: "n", key: "k") == nil)
      #expect(fixture.reports.codes == [.unreadable])
      #expect(fixture.store.write([3], namespace: "n", key: "k") == .durable)
      #expect(fixture.store.read(namespace: "n", key: "k")?.value == [3])
      fixture.store.close()
    }
  }

  @Test("opening a store that needs no change writes nothing to its file")
  func untouched() throws {
    let folder = try TemporaryFolder()
    let first = try Fixture(folder)
    first.store.write([1], namespace: "n", key: "k")
    first.store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    let second = try Fixture(folder)
    #expect(second.store.read(namespace: "n", key: "k")?.value == [1])
    // A commit would have left its pages in the log.
    let log = try FileManager.default.attributesOfItem(atPath: folder.database + "-wal")
    #expect(log[.size] as? Int == 0)
    second.store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
  }

  @Test("a file removed or replaced while it is open is noticed within a second")
  func replaced() throws {
    let fixture = try Fixture()
    fixture.store.write([1], namespace: "n", key: "k")
    try FileManager.default.removeItem(atPath: fixture.folder.store)
    fixture.clock.advance(by: .seconds(1))
    #expect(fixture.store.write([2], namespace: "n", key: "k") == .durable)
    #expect(fixture.reports.codes == [.replaced])
    #expect(try Fixture(fixture.folder).store.read(namespace: "n", key: "k")?.value == [2])
  }
}

@Suite("Schema")
struct SchemaTests {
  @Test("a store of any earlier version is brought up to date with its data")
  func migration() throws {
    for version in 0..<SQLiteSchema.version {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.store, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: folder.database))
      let old = try SQLiteConnection(path: folder.database, busyTimeout: 0, statementCount: 30)
      for step in SQLiteSchema.steps.prefix(version) { try old.execute(step) }
      try old.execute("PRAGMA application_id=\(SQLiteSchema.applicationID)")
      try old.execute("PRAGMA user_version=\(version)")
      if version > 0 {
        let identity = try #require(StorageFolder(preparing: folder.store).identity())
        let engine = SQLiteEngine(connection: old, identity: identity, limits: StorageLimits())
        try engine.write(Record(value: [7], writtenAt: 5), namespace: "n", key: "k")
      }
      let fixture = try Fixture(folder)
      let record = fixture.store.read(namespace: "n", key: "k")
      #expect(record == (version > 0 ? Record(value: [7], writtenAt: 5) : nil))
      fixture.store.append([item("1")])
      #expect(fixture.store.statistics().count == 1)
      #expect(try old.text("PRAGMA user_version") == "\(SQLiteSchema.version)")
      #expect(fixture.reports.all.isEmpty)
    }
  }

  @Test("a store of a newer version is left alone, with one report, and memory is used")
  func newer() throws {
    let first = try Fixture()
    first.store.write([1], namespace: "n", key: "k")
    first.store.close()
    let other = try SQLiteConnection(path: first.folder.database, busyTimeout: 0, statementCount: 0)
    try other.execute("PRAGMA user_version=99")
    let fixture = try Fixture(first.folder)
    for _ in 0..<5 {
      #expect(fixture.store.write([2], namespace: "n", key: "k") == .memory)
      fixture.passRetryInterval()
    }
    #expect(fixture.store.read(namespace: "n", key: "k")?.value == [2])
    #expect(fixture.reports.codes == [.newerSchema])
    #expect(try other.text("SELECT hex(value) FROM records") == "01")
    try other.execute("PRAGMA user_version=\(SQLiteSchema.version)")
    fixture.passRetryInterval()
    #expect(fixture.store.write([3], namespace: "n", key: "k") == .durable)
    #expect(fixture.reports.codes == [.newerSchema, .recovered])
  }
}
