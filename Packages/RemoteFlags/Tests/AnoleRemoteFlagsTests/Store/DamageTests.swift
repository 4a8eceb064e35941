// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleRemoteFlags

@Suite("Damaged stores")
struct DamageTests {
  private static let flags: [TestFlag] = (0..<12).map { index in
    TestFlag("flag\(index)", index % 2 == 0, #"{"n":\#(index),"s":"value \#(index)","b":true}"#)
  }

  private func rig(_ folder: TemporaryFolder, _ server: ScriptedServer) throws -> Rig {
    Rig(server, store: try DiskStore(folder)) { $0.userID = nil }
  }

  /// The bytes of a closed store with one set.
  private func healthyFile() async throws -> Data {
    let folder = try TemporaryFolder(isInMemory: true)
    let rig = try rig(folder, ScriptedServer { _ in .flagList(Self.flags) })
    await rig.refresh()
    (rig.store as? DiskStore)?.close()
    return try Data(contentsOf: URL(fileURLWithPath: folder.database))
  }

  /// Starts a client on a file and checks that it serves the whole old set or none, and heals.
  ///
  /// - Returns: Whether the old set was there.
  private func open(_ file: Data, _ what: String) async throws -> Bool {
    let folder = try TemporaryFolder(isInMemory: true)
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: true)
    try file.write(to: URL(fileURLWithPath: folder.database))
    let rig = try rig(folder, ScriptedServer { _ in .flags(TestFlag("new")) })
    let found = rig.client.flags
    if !found.isEmpty {
      try #require(found.count == Self.flags.count, "half a set: \(what)")
      for (index, wanted) in Self.flags.enumerated() {
        let flag = try #require(rig.client.get(wanted.key), "\(what)")
        try #require(flag.isEnabled == wanted.isEnabled, "\(what)")
        try #require(flag.number(forProperty: "n", default: -1) == Double(index), "\(what)")
        let text = flag.string(forProperty: "s", default: nil)
        try #require(text == "value \(index)", "\(what)")
        try #require(flag.bool(forProperty: "b", default: false), "\(what)")
      }
    }
    try #require(await rig.refresh() == nil, "\(what)")
    rig.relaunch()
    try #require(rig.client.flags.map(\.key) == ["new"], "\(what): not healed")
    return !found.isEmpty
  }

  @Test(
    "cut at any byte, the store file gives the old set or defaults, and the next answer heals it")
  func cut() async throws {
    let file = try await healthyFile()
    let step = TestRun.isLong ? 1 : 257
    let edges = stride(from: 0, through: file.count, by: 4_096).flatMap { [$0 - 1, $0, $0 + 1] }
    let offsets = Set(stride(from: 0, through: file.count, by: step)).union(edges)
    var wholeCount = 0
    for offset in offsets.sorted() where (0...file.count).contains(offset) {
      if try await open(file.prefix(offset), "cut at \(offset)") { wholeCount += 1 }
    }
    // The whole file at least; what is cut may also be pages that hold nothing.
    #expect(wholeCount > 0)
  }

  @Test("with flipped bytes anywhere, the store file gives the old set or defaults, and heals")
  func flips() async throws {
    let file = try await healthyFile()
    var wholeCount = 0
    for offset in stride(from: 0, to: file.count, by: TestRun.isLong ? 3 : 331) {
      var damaged = file
      damaged[offset] ^= offset % 2 == 0 ? 0xff : 0x01
      if try await open(damaged, "flipped at \(offset)") { wholeCount += 1 }
    }
    // Bytes that nothing uses may change.
    #expect(wholeCount > 0)
  }

  private static let now = FlagPlan.Now(moment: .zero, wall: 1_790_000_000_000)

  private func read(_ bytes: [UInt8]) -> DatedFlags? {
    StoreRecords.flags(
      in: Record(value: bytes, writtenAt: 0), application: ExactText("A1B2C-D3E4F"),
      user: ExactText("user-42"), Self.now)
  }

  private func record() throws -> [UInt8] {
    let list = Self.flags.map(\.text).joined(separator: ",")
    let text = #"""
      {"schema":1,"application":"A1B2C-D3E4F","user_id":"user-42","requested_at":1790000000,"flags":[\#(list)]}
      """#
    let bytes = Array(text.utf8)
    try #require(read(bytes)?.flags.contents.count == Self.flags.count)
    return bytes
  }

  @Test("a record cut at any byte counts as none")
  func cutRecord() throws {
    let bytes = try record()
    for end in 0..<bytes.count { #expect(read(Array(bytes[..<end])) == nil, "cut at \(end)") }
  }

  @Test("a record with any byte replaced is read or counts as none; nothing crashes")
  func flippedRecord() throws {
    let bytes = try record()
    var readCount = 0
    for offset in bytes.indices {
      for replacement in [UInt8(0), 0x22, 0x5c, 0x7b, 0x7d, 0xff, bytes[offset] ^ 1] {
        var damaged = bytes
        damaged[offset] = replacement
        if let dated = read(damaged) {
          readCount += 1
          #expect(dated.flags.contents.count <= Self.flags.count)
        }
      }
    }
    #expect(readCount > 0)
  }
}
