// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Testing

/// Strings that break stores which make file names or C strings of them, or which normalise.
let oddKeys: [String] = [
  "", "a", "a/b", "/", "..", "../../etc/passwd", ".", "\0", "a\0", "a\0b", "\u{e9}", "e\u{301}",
  String(repeating: "k", count: 300), "👩‍👩‍👧‍👦", "👩", "'; DROP TABLE records; --", "%", "_", "A", " a",
  "a ",
  "\n", "\u{feff}", "\u{10ffff}", "NULL",
]

@Suite("Records")
struct RecordTests {
  let wall = ManualWallClock()

  @Test("a record is read as it was written, with its time", arguments: StoreKind.allCases)
  func roundTrip(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let store = kind.make(in: folder, wall: wall)
    #expect(await store.read(namespace: "n", key: "k") == nil)
    await store.write([1, 2, 3], namespace: "n", key: "k")
    wall.advance(by: .seconds(5))
    let record = await store.read(namespace: "n", key: "k")
    #expect(record == Record(value: [1, 2, 3], writtenAt: 1_700_000_000_000))
    #expect(record?.age(at: wall.milliseconds) == .seconds(5))
    #expect(record?.age(at: 0) == .zero)
    await store.write([], namespace: "n", key: "k")
    #expect(
      await store.read(namespace: "n", key: "k") == Record(value: [], writtenAt: 1_700_000_005_000))
    await store.remove(namespace: "n", key: "k")
    #expect(await store.read(namespace: "n", key: "k") == nil)
  }

  @Test("a value of 3 MB comes back", arguments: StoreKind.allCases)
  func large(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let store = kind.make(in: folder, wall: wall)
    let value = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    await store.write(value, namespace: "n", key: "k")
    #expect(await store.read(namespace: "n", key: "k")?.value == value)
  }

  /// Around the sizes from which on values are summed in lanes, and read in one piece.
  private static let sizes = [4_096, 64 << 10].flatMap { size in
    [-33, -32, -9, -8, -1, 0, 1, 7, 8, 31, 32, 33].map { size + $0 }
  }

  @Test("values of all sizes around the steps come back, also from a new connection")
  func sizes() throws {
    let folder = try TemporaryFolder()
    func key(_ size: Int) -> String { "\(size)" }
    func value(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37) } }
    let store = SQLiteStorage(.init(folder: folder.store))
    store.apply(Self.sizes.map { .write(namespace: "n", key: key($0), value: value($0)) })
    for size in Self.sizes {
      #expect(store.read(namespace: "n", key: key(size))?.value == value(size))
    }
    store.close()
    for size in Self.sizes {
      #expect(store.read(namespace: "n", key: key(size))?.value == value(size))
    }
    store.close()
  }

  @Test("odd keys and namespaces are distinct and harmless", arguments: StoreKind.allCases)
  func odd(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let reports = Reports()
    let store = kind.make(in: folder, wall: wall, reports: reports)
    for (row, namespace) in oddKeys.enumerated() {
      await store.apply(
        oddKeys.enumerated().map {
          .write(namespace: namespace, key: $1, value: [UInt8(row), UInt8($0)])
        })
    }
    var isRight = true
    for (row, namespace) in oddKeys.enumerated() {
      for (column, key) in oddKeys.enumerated() {
        let value = await store.read(namespace: namespace, key: key)?.value
        isRight = isRight && value == [UInt8(row), UInt8(column)]
      }
      let keys = await store.keys(namespace: namespace).map { Array($0.utf8) }
      let expected = oddKeys.map { Array($0.utf8) }
      #expect(keys == expected.sorted { $0.lexicographicallyPrecedes($1) })
    }
    #expect(isRight)
    await store.remove(namespace: "\u{e9}", key: "a\0b")
    #expect(await store.read(namespace: "\u{e9}", key: "a\0b") == nil)
    #expect(await store.read(namespace: "e\u{301}", key: "a\0b") != nil)
    #expect(await store.read(namespace: "\u{e9}", key: "a") != nil)
    if kind == .sqlite {
      let names = try folder.names()
      #expect(names.allSatisfy { $0.hasPrefix("anole.") })
    }
    #expect(reports.all.isEmpty)
  }

  @Test("removing a namespace leaves the others", arguments: StoreKind.allCases)
  func removeAll(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let store = kind.make(in: folder, wall: wall)
    for namespace in ["a", "b"] {
      for key in ["1", "2"] { await store.write([1], namespace: namespace, key: key) }
    }
    await store.removeAll(namespace: "a")
    #expect(await store.keys(namespace: "a").isEmpty)
    #expect(await store.keys(namespace: "b") == ["1", "2"])
  }

  @Test("records older than a span go, those of that age stay", arguments: StoreKind.allCases)
  func ages(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let store = kind.make(in: folder, wall: wall)
    await store.write([1], namespace: "n", key: "oldest")
    wall.advance(by: .milliseconds(1))
    await store.write([2], namespace: "n", key: "middle")
    wall.advance(by: .seconds(60))
    await store.write([3], namespace: "n", key: "new")
    await store.removeRecords(olderThan: .seconds(60))
    #expect(await store.keys(namespace: "n") == ["middle", "new"])
    await store.removeRecords(olderThan: .seconds(Int64.max))
    #expect(await store.keys(namespace: "n") == ["middle", "new"])
    await store.removeRecords(olderThan: .milliseconds(-1))
    #expect(await store.keys(namespace: "n").isEmpty)
  }

  @Test("the changes of a batch are made in order", arguments: StoreKind.allCases)
  func batch(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let store = kind.make(in: folder, wall: wall)
    await store.apply([
      .write(namespace: "n", key: "a", value: [1]),
      .remove(namespace: "n", key: "a"),
      .write(namespace: "n", key: "b", value: [1]),
      .write(namespace: "n", key: "b", value: [2]),
      .remove(namespace: "n", key: "c"),
    ])
    #expect(await store.keys(namespace: "n") == ["b"])
    #expect(await store.read(namespace: "n", key: "b")?.value == [2])
  }

  @Test("a value that is too large is refused with a report", arguments: StoreKind.allCases)
  func tooLarge(_ kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let reports = Reports()
    let store = kind.make(in: folder, wall: wall, reports: reports)
    await store.write([1], namespace: "n", key: "k")
    await store.write(
      Array(repeating: 0, count: StorageLimits.largestValue + 1), namespace: "n", key: "k")
    #expect(await store.read(namespace: "n", key: "k") == nil)
    await store.write(
      [1], namespace: "n", key: String(repeating: "k", count: StorageLimits.largestKey + 1))
    #expect(await store.keys(namespace: "n").isEmpty)
    #expect(reports.codes == [.tooLarge, .tooLarge])
  }

  @Test("records in memory stay within their limit, the newest are kept, and it is said once")
  func memoryLimit() throws {
    let reports = Reports()
    let limits = StorageLimits(memoryRecordBytes: 100_000)
    let store = InMemoryStorage(limits: limits, wallClock: wall.clock) { reports.add($0) }
    for index in 0..<1_000 {
      wall.advance(by: .milliseconds(1))
      store.apply([
        .write(namespace: "n", key: "\(index)", value: Array(repeating: 1, count: 1_000))
      ])
    }
    #expect(store.keys(namespace: "n").count <= 88)
    #expect(store.read(namespace: "n", key: "999") != nil)
    #expect(reports.codes == [.memoryLimit])
  }
}
