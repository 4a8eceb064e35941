// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Foundation
import Testing

@testable import kameleoonClient

@Suite("Public reports as test cases", .timeLimit(.minutes(5)))
struct FieldCaseTests {
  #if THREAD_SANITIZER
    private static let reads = 500
  #else
    private static let reads = 5_000
  #endif

  @Test(
    "field case 1, CL 4.13.1, 4.13.2, 4.6.1, 4.4.1, 4.1.1: every pair that is read is of one revision"
  )
  func oneRevision() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .json(DataFiles.checkout(isRealTime: true)))
    bench.platform.hold(.config)
    let client = try bench.client()
    // Reading begins before there is a file, goes on over updates, and ends after the close.
    let updates = Task {
      bench.platform.release(.config)
      try await client.runWhenReady(timeoutMilliseconds: 10_000)
      await bench.platform.untilRequests(.sse, 1)
      await eventually { client.engine.loadStatus.stream == .connected }
      for round in 1...100 {
        let isOff = !round.isMultiple(of: 2)
        bench.platform.answer(
          .config,
          .json(
            DataFiles.checkout(
              variation: isOff ? "off" : "on", maxItems: isOff ? 9 : 3, isRealTime: true)))
        bench.platform.pushUpdate(Int64(round))
        await bench.platform.untilRequests(.config, round + 1)
      }
    }
    let mixed = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          var mixed = 0
          for read in 0..<Self.reads {
            if read.isMultiple(of: 50) { await Task.yield() }
            // Before the first file there is none to read.
            guard let variation = try? client.getVariation(featureKey: "checkout", track: true)
            else { continue }
            let items = variation.variables["max_items"]?.value as? Int
            let isOn = variation.key == "on" && items == 3
            let isOff = variation.key == "off" && items == 9
            if !isOn && !isOff { mixed += 1 }
          }
          return mixed
        }
      }
      group.addTask {
        for change in 0..<100 {
          client.addData([CustomData(index: 1, values: "\(change)"), Device.tablet])
          client.setLegalConsent(change.isMultiple(of: 2))
          _ = try? client.getVariations(onlyActive: true, track: false)
          await Task.yield()
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(mixed == 0)
    try await updates.value
    async let reading: Void = Self.read(client)
    await client.close()
    await reading
    #expect(client.variationKey("checkout") == nil)
  }

  @concurrent
  private static func read(_ client: Client) async {
    for _ in 0..<reads { _ = client.variationKey("checkout") }
  }

  @Test("field case 2: is not, for visitors who lack the attribute")
  func isNot() async throws {
    let visitors: [(String, [String]?, Bool)] = [
      ("a", nil, false), ("b", ["gold"], true), ("c", ["silver"], false),
      ("d", ["silver", "gold"], true), ("e", [], false),
    ]
    for isIncluded in [true, false] {
      let bench = Bench()
      let file = DataFileText.when(
        #""targetingType":"CUSTOM_DATUM","customDataIndex":"7","isInclude":\#(isIncluded)"#
          + #","valueMatchType":"EXACT","value":"gold""#)
      for (code, values, isGold) in visitors {
        let client = try await bench.client(code, file: file)
        if let values { client.addData([CustomData(index: 7, values: values)]) }
        #expect(client.variationKey("flag") == (isGold == isIncluded ? "on" : "off"), "\(code)")
        await client.close()
      }
    }
  }

  @Test("field case 6, CL 4.14.0: 304 is success")
  func notModified() async throws {
    let bench = Bench()
    bench.platform.script(
      .config, .json(DataFiles.checkout(), entityTag: "\"r1\""), .status(304),
      .json(DataFiles.checkout(variation: "off"), entityTag: "\"r2\""))
    let client = try bench.client("visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1))
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    var changes = client.changes(of: "checkout").makeAsyncIterator()
    #expect(await changes.next()?.key == "on")
    bench.advance(by: .seconds(60))
    await bench.platform.untilRequests(.config, 2)
    await eventually { client.engine.loadStatus.lastFetch?.outcome == .unchanged }
    #expect(bench.platform.requests(.config)[1].headers["If-None-Match"] == "\"r1\"")
    #expect(client.engine.loadStatus.lastSuccess?.milliseconds == 1_700_000_060_000)
    #expect(client.variationKey("checkout") == "on")
    bench.advance(by: .seconds(60))
    // The next change is the one of the third answer: there was none between.
    #expect(await changes.next()?.key == "off")
    await client.close()
  }

  @Test("field case 7: conditions go with a copy only; 304 without a condition is asked again")
  func conditions() async throws {
    let bench = Bench()
    bench.platform.script(.config, .status(304), .json(DataFiles.checkout(), entityTag: "\"r1\""))
    let client = try bench.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    #expect(bench.platform.requests(.config).count == 2)
    await client.close()
    // The copy is gone; its tag alone is worth nothing.
    _ = await bench.store.remove(namespace: "project", key: "data-file")
    let later = Bench(after: bench)
    later.platform.answer(.config, .json(DataFiles.checkout()))
    let next = try later.client()
    try await next.runWhenReady(timeoutMilliseconds: 5_000)
    for request in bench.platform.requests(.config) + later.platform.requests(.config) {
      #expect(request.headers["If-None-Match"] == nil)
      #expect(request.headers["ETag"] == nil)
    }
    await next.close()
  }

  @Test("field case 11: without network, waits end at their limit, reads answer, close is quick")
  func noNetwork() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let client = try bench.client(
      "visitor-1", KameleoonClientConfig(defaultDataFile: DataFiles.checkout()))
    #expect(client.variationKey("checkout") == "on")
    await client.close()
    let without = try bench.client()
    for _ in 0..<2 {
      let answers = Recorder<Bool>()
      let sleepers = bench.clock.sleeperCount
      without.runWhenReady(timeoutMilliseconds: 1_000) { answers.add($0) }
      await bench.clock.untilSleeping(count: sleepers + 1)
      bench.advance(by: .milliseconds(999))
      #expect(answers.count == 0)
      bench.advance(by: .milliseconds(1))
      await eventually { answers.count == 1 }
      #expect(answers.values == [false])
    }
    await without.close()
    #expect(bench.platform.heldCount == 0)
    #expect(bench.clock.sleeperCount == 0)
  }

  @Test("field case 12: requests and records are the same whatever the locale")
  func locales() async throws {
    // Nothing here formats by a locale: numbers and times are written digit by digit.
    let bench = Bench()
    bench.wall.milliseconds = 1_700_000_000_250
    let client = try await bench.readyClient()
    client.trackConversion(goalId: 1_234_567, revenue: 1_234.5, negative: false, metadata: [])
    await bench.tick(untilTracking: 1)
    let line = try #require(bench.platform.lines.last)
    #expect(line["goalId"] == "1234567")
    #expect(line["revenue"] == "1234.5")
    let record = String(decoding: client.slot.record.encoded(), as: UTF8.self)
    #expect(record.contains("1700000000250"))
    #expect(record.utf8.allSatisfy { $0 < 0x80 })
    await client.close()
  }

  @Test("field case 13: a stored file that is cut anywhere is whole or not there, and is repaired")
  func brokenFile() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    let client = try bench.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    await client.close()
    let whole = try #require(bench.store.recordNow(namespace: "project", key: "data-file")).value
    let step = max(1, whole.count / 40)
    for cut in Array(stride(from: 0, through: whole.count, by: step)) + [whole.count] {
      let later = Bench(after: bench)
      _ = await later.store.write(Array(whole[..<cut]), namespace: "project", key: "data-file")
      later.platform.hold(.config)
      later.platform.answer(.config, .json(DataFiles.checkout(variation: "off")))
      let next = try later.client()
      #expect(next.ready == (cut == whole.count))
      #expect(next.variationKey("checkout") == (cut == whole.count ? "on" : nil))
      later.platform.release(.config)
      await eventually { next.variationKey("checkout") == "off" }
      await next.close()
      let stored = try #require(later.store.recordNow(namespace: "project", key: "data-file"))
      #expect(StoredDataFile(decoding: stored.value) != nil)
    }
    for garbage in [[UInt8](repeating: 0, count: whole.count), Array("{}\n".utf8)] {
      let later = Bench(after: bench)
      _ = await later.store.write(garbage, namespace: "project", key: "data-file")
      _ = await later.store.write(garbage, namespace: "visitors", key: "visitor-1")
      later.platform.hold(.config)
      let next = try later.client()
      #expect(!next.ready)
      await next.close()
    }
  }

  @Test("field case 13: a folder that cannot be made does not stop a start")
  func brokenFolder() async throws {
    let path = NSTemporaryDirectory() + "anole-file-\(UUID().uuidString)"
    #expect(FileManager.default.createFile(atPath: path, contents: Data("not a folder".utf8)))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = SQLiteStorage(SQLiteStorage.Configuration(folder: path + "/below"))
    let bench = Bench(store: store)
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    let client = try bench.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    #expect(client.variationKey("checkout") == "on")
    client.trackConversion(goalId: 1)
    await client.close()
  }
}
