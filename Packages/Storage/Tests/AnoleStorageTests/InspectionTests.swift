// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@Suite("Looking into a store")
struct InspectionTests {
  /// A closed store with three records in two namespaces, two items, and a drop.
  private func filled() throws -> Fixture {
    let fixture = try Fixture()
    fixture.store.write([1, 2, 3], namespace: "a", key: "first")
    fixture.wall.advance(by: .seconds(10))
    fixture.store.write(Array("needle-1".utf8), namespace: "a", key: "second")
    fixture.store.write([], namespace: "b", key: "é")
    fixture.store.append([
      item("needle-2", at: fixture.wall.milliseconds), item("last", at: fixture.wall.milliseconds),
    ])
    let claim = fixture.store.claim(upTo: 1, bytes: 100, lease: .zero)
    fixture.store.discard(claim.receipts, reason: DropReason("test"))
    fixture.store.append([item("needle-2", at: fixture.wall.milliseconds)])
    fixture.store.close()
    return fixture
  }

  private func replace(_ old: String, with new: String, in path: String) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let range = try #require(data.range(of: Data(old.utf8)))
    data.replaceSubrange(range, with: Data(new.utf8))
    try data.write(to: URL(fileURLWithPath: path))
  }

  @Test("tells namespaces, sizes, times, the outbox, and the values that are asked for")
  func contents() throws {
    let fixture = try filled()
    let inspection = try StorageInspection(folder: fixture.folder.store, reading: ["a"])
    #expect(inspection.isIntact)
    #expect(inspection.faults == [])
    #expect(inspection.filesSetAside == [])
    #expect(inspection.bytesOnDisk >= 4096)
    #expect(inspection.spaces.map(\.name) == ["a", "b"])
    let first = inspection.spaces[0]
    #expect(first.count == 2 && first.bytes == 11 && first.damagedCount == 0)
    #expect(first.newestWrittenAt - first.oldestWrittenAt == 10_000)
    #expect(inspection.entries(of: "a").map(\.key) == ["first", "second"])
    #expect(inspection.entries(of: "a")[0].record.value == [1, 2, 3])
    #expect(inspection.entries(of: "b") == [])
    #expect(inspection.outbox == fixture.store.statistics())
    #expect(inspection.outbox.dropped == [DropReason("test"): 1])
  }

  @Test("looking changes neither file nor folder")
  func unchanged() throws {
    let fixture = try filled()
    let file = URL(fileURLWithPath: fixture.folder.database)
    let before = try Data(contentsOf: file)
    let names = try fixture.folder.names()
    _ = try StorageInspection(folder: fixture.folder.store)
    #expect(try Data(contentsOf: file) == before)
    #expect(try fixture.folder.names() == names)
  }

  @Test("sees what an open store has written, and disturbs it in nothing")
  func open() throws {
    let fixture = try Fixture()
    fixture.store.write([1], namespace: "a", key: "k")
    fixture.store.append([item("x", at: 0)])
    let inspection = try StorageInspection(folder: fixture.folder.store)
    #expect(inspection.spaces.map(\.count) == [1])
    #expect(inspection.outbox.count == 1)
    #expect(fixture.store.write([2], namespace: "a", key: "k") == .durable)
    #expect(fixture.reports.all.isEmpty)
  }

  @Test("counts rows that are not as written, and leaves them")
  func damagedRows() throws {
    let fixture = try filled()
    try replace("needle-1", with: "needle-x", in: fixture.folder.database)
    try replace("needle-2", with: "needle-y", in: fixture.folder.database)
    for _ in 1...2 {
      let inspection = try StorageInspection(folder: fixture.folder.store, reading: ["a"])
      #expect(!inspection.isIntact)
      #expect(inspection.faults == [])
      #expect(inspection.spaces.map(\.damagedCount) == [1, 0])
      #expect(inspection.damagedItems == 1)
      #expect(inspection.entries(of: "a").map(\.key) == ["first"])
    }
  }

  @Test("a file that is no store, of another program or of a newer version is told and left alone")
  func unusable() throws {
    let fixture = try filled()
    let file = URL(fileURLWithPath: fixture.folder.database)
    let whole = try Data(contentsOf: file)
    // The number of the schema in SQLite's header.
    var newer = whole
    newer.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    var foreign = whole
    foreign.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    let cases: [(Data, StorageInspectionError.Code)] = [
      (Data("no database".utf8), .damaged), (foreign, .damaged), (newer, .newerSchema),
    ]
    for (data, code) in cases {
      try data.write(to: file)
      let error = #expect(throws: StorageInspectionError.self) {
        try StorageInspection(folder: fixture.folder.store)
      }
      #expect(error?.code == code)
      #expect(try Data(contentsOf: file) == data)
    }
    #expect(try fixture.folder.names().contains("anole.sqlite.set-aside-1") == false)
  }

  @Test("a folder without a store is missing, and none is made")
  func missing() throws {
    let folder = try TemporaryFolder()
    for path in [folder.store, folder.path, "", "a\0b"] {
      let error = #expect(throws: StorageInspectionError.self) {
        try StorageInspection(folder: path)
      }
      #expect(error?.code == .missing)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.store))
  }

  @Test("a structure that is damaged is told in SQLite's words")
  func damagedStructure() throws {
    let fixture = try filled()
    var data = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.database))
    // The count of cells in the page of an index: rows are missing from it.
    let pages = data.count / 4096
    var isTold = false
    for page in 1..<pages {
      let kind = data[page * 4096]
      guard kind == 10, data[page * 4096 + 4] > 0 else { continue }
      data[page * 4096 + 4] -= 1
    }
    try data.write(to: URL(fileURLWithPath: fixture.folder.database))
    do throws(StorageInspectionError) {
      isTold = try !StorageInspection(folder: fixture.folder.store).faults.isEmpty
    } catch {
      isTold = error.code == .damaged
    }
    #expect(isTold)
  }

  @Test("removing takes all files of a store, those set aside too, and the folder if it is empty")
  func remove() throws {
    let fixture = try filled()
    try Data("old".utf8).write(
      to: URL(fileURLWithPath: fixture.folder.database + ".set-aside-2"))
    #expect(
      try StorageInspection(folder: fixture.folder.store).filesSetAside
        == ["anole.sqlite.set-aside-2"])
    let other = fixture.folder.store + "/other"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
    try SQLiteStorage.removeStore(in: fixture.folder.store)
    #expect(try fixture.folder.names() == ["other"])
    let error = #expect(throws: StorageInspectionError.self) {
      try SQLiteStorage.removeStore(in: fixture.folder.store)
    }
    #expect(error?.code == .missing)
    try FileManager.default.removeItem(atPath: other)
    fixture.store.write([1], namespace: "a", key: "new")
    fixture.store.close()
    try SQLiteStorage.removeStore(in: fixture.folder.store)
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.store))
  }

  @Test("the library tells its version")
  func version() {
    #expect(SQLiteStorage.libraryVersion.hasPrefix("3."))
  }
}
