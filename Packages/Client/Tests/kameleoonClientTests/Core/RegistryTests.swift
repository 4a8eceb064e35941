// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import AnoleStorage
import AnoleTracking
import Foundation
import Testing

@testable import kameleoonClient

@Suite("The life of clients", .timeLimit(.minutes(5)))
struct RegistryTests {
  @Test("equal arguments give one client; what is shared is shared, what is not is not")
  func sharing() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let first = try bench.client("a")
    #expect(try bench.client("a") === first)
    let second = try bench.client("b")
    #expect(second !== first)
    #expect(second.engine === first.engine)
    let unique = try bench.client("a", KameleoonClientConfig(isUniqueIdentifier: true))
    #expect(unique !== first)
    #expect(unique.engine === first.engine)
    let staging = try bench.client("a", KameleoonClientConfig(environment: "staging"))
    #expect(staging.engine !== first.engine)
    #expect(bench.registry.engineCount == 2)
    await first.close()
    #expect(try bench.client("b") === second)
    let again = try bench.client("a")
    #expect(again !== first)
    for client in [second, unique, staging, again] { await client.close() }
    #expect(bench.registry.engineCount == 0)
  }

  @Test("creating the same client from many threads at once gives one")
  func concurrentCreation() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    for _ in 0..<50 {
      let clients = try await withThrowingTaskGroup(of: Client.self) { group in
        for _ in 0..<8 { group.addTask { try bench.client(nil) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(clients.allSatisfy { $0 === clients[0] })
      #expect(bench.registry.engineCount == 1)
      await clients[0].close()
      #expect(bench.registry.engineCount == 0)
    }
  }

  @Test("a closed client is not ready, does nothing, and ends what follows it")
  func closed() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    let stream = client.changes(of: "ff_experiment")
    let keys = Task { await stream.reduce(into: [String]()) { $0.append($1.key) } }
    await client.close()
    #expect(await keys.value == ["on"])
    #expect(!client.ready)
    #expect(throws: KameleoonError.sdkNotReady) {
      try client.getVariation(featureKey: "ff_experiment", track: true)
    }
    await #expect(throws: KameleoonError.sdkNotReady) {
      try await client.runWhenReady(timeoutMilliseconds: 10_000)
    }
    let answers = Recorder<Bool>()
    client.runWhenReady(timeoutMilliseconds: 10_000) { answers.add($0) }
    #expect(answers.values == [false])
    client.addData([CustomData(index: 1, values: "x")])
    client.trackConversion(goalId: 1)
    client.flush(instant: true)
    client.setLegalConsent(true)
    #expect(await client.health.isClosed)
    await client.close()
    #expect(bench.clock.sleeperCount == 0)
    #expect(bench.lifecycle.observerCount == 0)
  }

  @Test("nothing of a closed client stays in memory")
  func freed() async throws {
    let parts = try await closedParts()
    // The last task may still be on its way out.
    await eventually { parts.allSatisfy { $0.object == nil } }
  }

  /// Parts of an engine that has sent and reported activity, and is closed.
  private func closedParts() async throws -> [Weak] {
    let bench = Bench()
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    let engine = client.engine
    let parts = [
      Weak(client), Weak(engine), Weak(engine.state), Weak(engine.tracker), Weak(engine.activity),
      Weak(engine.visitors), Weak(bench.platform), Weak(bench.registry),
    ]
    await client.close()
    return parts
  }

  @Test("closing tells those who wait, before it returns")
  func closingWaiters() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let client = try bench.client()
    let answers = Recorder<Bool>()
    for _ in 0..<5 { client.runWhenReady(timeoutMilliseconds: 60_000) { answers.add($0) } }
    await client.close()
    #expect(answers.values == Array(repeating: false, count: 5))
    #expect(bench.platform.heldCount == 0)
  }

  @Test("changes(of:) gives the present variation and then only different ones")
  func changes() async throws {
    let bench = Bench()
    let client = try await bench.client(
      "visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1), file: DataFiles.checkout())
    var changes = client.changes(of: "checkout").makeAsyncIterator()
    #expect(await changes.next()?.key == "on")
    client.addData([CustomData(index: 1, values: "x")])
    bench.platform.answer(.config, .json(DataFiles.checkout(variation: "off", dateModified: 2)))
    bench.advance(by: .seconds(60))
    #expect(await changes.next()?.key == "off")
    try client.setForcedVariation(experimentId: 100, variationKey: "off", forceTargeting: true)
    bench.platform.answer(.config, .json(DataFiles.checkout(maxItems: 9, dateModified: 3)))
    bench.advance(by: .seconds(60))
    #expect(await changes.next()?.variables["max_items"]?.value as? Int == 9)
    await client.close()
    #expect(await changes.next() == nil)
  }

  @Test("the last element of changes(of:) is the newest, however many threads change the visitor")
  func newestChange() async throws {
    let file = DataFileText.when(
      #""targetingType":"CUSTOM_DATUM","customDataIndex":"1","valueMatchType":"EXACT","value":"gold""#
    )
    for _ in 0..<30 {
      let bench = Bench()
      let client = try await bench.client(file: file)
      let stream = client.changes(of: "flag")
      await withTaskGroup(of: Void.self) { group in
        for value in ["gold", "silver", "gold", "iron"] {
          group.addTask { client.addData([CustomData(index: 1, values: value)]) }
        }
      }
      let present = client.variationKey("flag")
      await client.close()
      let last = await stream.reduce(into: [String]()) { $0.append($1.key) }.last
      #expect(last == present)
    }
  }

  @Test("origin and health tell where the configuration comes from and how loading goes")
  func health() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .lost)
    let client = try bench.client(
      "visitor-1",
      KameleoonClientConfig(refreshIntervalMinute: 1, defaultDataFile: DataFiles.checkout()))
    #expect(client.dataFileOrigin == .defaultDataFile)
    await eventually { client.engine.loadStatus.lastFetch != nil }
    guard case .failed = await client.health.lastFetch?.outcome else {
      Issue.record("the fetch did not fail")
      return
    }
    bench.platform.answer(.config, .json(DataFiles.checkout(variation: "off")))
    bench.advance(by: .seconds(60))
    // The file comes into force before the status tells of it.
    await eventually { client.engine.loadStatus.lastFetch?.outcome == .updated }
    #expect(client.variationKey("checkout") == "off")
    #expect(client.dataFileOrigin == .fetched(at: Date(timeIntervalSince1970: 1_700_000_060)))
    let health = await client.health
    #expect(health.isReady)
    #expect(health.stream == .off)
    #expect(health.lastFetch?.outcome == .updated)
    await client.close()
    let later = Bench(after: bench)
    later.platform.hold(.config)
    let next = try later.client("visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1))
    #expect(next.dataFileOrigin == .stored(since: Date(timeIntervalSince1970: 1_700_000_060)))
    await next.close()
  }

  /// 1,000 rounds with `ANOLE_LONG_TESTS=1`, else 60.
  private static let rounds =
    ProcessInfo.processInfo.environment["ANOLE_LONG_TESTS"] == "1" ? 1_000 : 60

  @Test("rounds of create, use and close leave no threads, descriptors and memory behind")
  func rounds() async throws {
    let emulator = Emulator()
    emulator.setDataFile(DataFiles.checkout(), lastModified: "yesterday")
    try emulator.start()
    defer { emulator.stop() }
    let port = try #require(emulator.port)
    let folder = NSTemporaryDirectory() + "anole-rounds-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = ClientOptions(store: .folder(folder), callbackExecutor: InlineCallbackExecutor())
    options.redirectEndpoints(port: Int(port))
    let registry = ClientRegistry()
    var early: ProcessState?
    for round in 0..<Self.rounds {
      let client = try registry.client(
        siteCode: Bench.siteCode, visitorCode: "visitor-\(round % 7)",
        config: KameleoonClientConfig(), options: options)
      try await client.runWhenReady(timeoutMilliseconds: 10_000)
      #expect(try client.getVariation(featureKey: "checkout", track: true).key == "on")
      client.addData([CustomData(index: 1, values: "gold")])
      if round.isMultiple(of: 5) { _ = await client.engine.tracker.flush(client.visitorCode) }
      await client.close()
      if round == Self.rounds / 2 { early = ProcessState() }
    }
    #expect(registry.engineCount == 0)
    let late = ProcessState()
    let middle = try #require(early)
    // Other suites run beside this one: some slack for theirs.
    #expect(late.threads <= middle.threads + 8)
    #expect(late.descriptors <= middle.descriptors + 24)
    if Self.rounds == 1_000 { #expect(late.residentKiB <= middle.residentKiB + 24_000) }
  }
}

/// Leads to an object as long as something else keeps it.
private final class Weak {
  private(set) weak var object: AnyObject?

  init(_ object: AnyObject) {
    self.object = object
  }
}

/// What the process has in use.
private struct ProcessState {
  let threads: Int
  let descriptors: Int
  let residentKiB: Int

  init() {
    let files = FileManager.default
    threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    residentKiB = line.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
}
