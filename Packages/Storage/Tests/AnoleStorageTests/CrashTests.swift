// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@Suite("Processes", .serialized)
struct CrashTests {
  /// What two killed writers had said was durable.
  private struct Confirmed {
    var items: Set<String> = []
    var records: [String: Int] = [:]
    var others: [String] = []

    mutating func add(_ line: String) {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "item" where words.count == 3: items.insert("\(words[1]):\(words[2])")
      case "record" where words.count == 3: records[words[1]] = Int(words[2])
      default: others.append(line)
      }
    }
  }

  @Test("after kill -9 at 300 points, what was confirmed is there and nothing is half")
  func kills() throws {
    let fixture = try Fixture { $0.wallClock = .system }
    var dice = Dice(seed: 9)
    for round in 0..<(TestRun.isSanitized ? 20 : 150) {
      var confirmed = Confirmed()
      let writers = try ["a\(round)", "b\(round)"].map {
        try ChildProcess.writer(["write", fixture.folder.store, $0])
      }
      // The writers go on while the lines are read, so each dies wherever it happens to be.
      for writer in writers {
        for _ in 0..<dice.roll(25) {
          if let line = writer.line() { confirmed.add(line) }
        }
        writer.kill()
      }
      for writer in writers { for line in writer.lines() { confirmed.add(line) } }
      try #require(confirmed.others.isEmpty, "\(confirmed.others)")
      try check(confirmed, in: fixture.store, names: ["a\(round)", "b\(round)"])
    }
    #expect(fixture.reports.all.isEmpty)
    #expect(try fixture.folder.names().allSatisfy { !$0.contains("set-aside") })
    #expect(fixture.store.statistics().dropped.isEmpty)
  }

  private func check(_ confirmed: Confirmed, in store: SQLiteStorage, names: [String]) throws {
    let claim = store.claim(upTo: .max, bytes: .max, lease: .seconds(60))
    var found: [String: [Int]] = [:]
    for item in claim.items {
      let (name, number) = try #require(parseBody(item.content.body), "a half item")
      try #require(item.content.group == name)
      found[name, default: []].append(number)
    }
    for (_, numbers) in found { try #require(numbers == Array(0..<numbers.count)) }
    let all = Set(found.flatMap { name, numbers in numbers.map { "\(name):\($0)" } })
    try #require(all.isSuperset(of: confirmed.items))
    for name in names {
      let left = store.read(namespace: "left", key: name)
      let right = store.read(namespace: "right", key: name)
      try #require(left?.value == right?.value, "half a batch")
      guard let left else {
        try #require(confirmed.records[name] == nil)
        continue
      }
      let (_, number) = try #require(parseBody(left.value), "a half record")
      try #require(number >= confirmed.records[name] ?? 0)
    }
    try #require(store.acknowledge(claim.receipts) == .durable)
  }

  @Test("three processes share one outbox: each item goes to exactly one of them")
  func claims() throws {
    let fixture = try Fixture { $0.wallClock = .system }
    let count = TestRun.isSanitized ? 200 : 2_000
    let now = WallClock.system.milliseconds
    fixture.store.append(
      (0..<count).map { OutboxItem(body: Array("\($0)".utf8), acceptedAt: now) })
    let processes = try (0..<3).map { _ in try ChildProcess.writer(["claim", fixture.folder.store])
    }
    let lines = processes.flatMap { $0.lines() }
    #expect(processes.map { $0.waitUntilExit() } == [0, 0, 0])
    #expect(lines.count == count)
    #expect(Set(lines) == Set((0..<count).map(String.init)))
    #expect(fixture.store.statistics().count == 0)
    #expect(fixture.reports.all.isEmpty)
  }

  @Test("what a killed consumer held comes back when its lease has ended")
  func lostLease() throws {
    let first = try Fixture()
    first.store.append([item("1")])
    #expect(first.store.claim(upTo: 1, bytes: 9, lease: .seconds(60)).texts == ["1"])
    // Another object on the same folder stands for the process that is started next.
    let second = try Fixture(first.folder)
    #expect(second.store.claim(upTo: 1, bytes: 9, lease: .seconds(60)).isEmpty)
    second.wall.advance(by: .seconds(60))
    #expect(second.store.claim(upTo: 1, bytes: 9, lease: .seconds(60)).texts == ["1"])
  }

  @Test("ten processes that start at once on a damaged file set it aside once")
  func startTogether() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: folder.database))
    let processes = try (0..<10).map { _ in try ChildProcess.writer(["claim", folder.store]) }
    let lines = processes.flatMap { $0.lines() }
    #expect(processes.allSatisfy { $0.waitUntilExit() == 0 })
    #expect(lines.count { $0.contains("setAside") } == 1)
    #expect(try folder.names().count { $0.contains("set-aside") } == 1)
  }
}
