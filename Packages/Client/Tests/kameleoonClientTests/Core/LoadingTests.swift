// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import AnoleStorage
import Testing

@testable import kameleoonClient

@Suite("Loading the data file", .timeLimit(.minutes(1)))
struct LoadingTests {
  @Test("the first answer makes the client ready, and everybody who waits is told once")
  func firstAnswer() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    bench.platform.hold(.config)
    let client = try bench.client()
    #expect(!client.ready)
    #expect(throws: KameleoonError.sdkNotReady) {
      try client.getVariation(featureKey: "checkout", track: false)
    }
    let answers = Recorder<Bool>()
    client.runWhenReady(timeoutMilliseconds: 5_000) { answers.add($0) }
    client.runWhenReady(timeoutMilliseconds: 5_000) { answers.add($0) }
    bench.platform.release(.config)
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    #expect(client.ready)
    #expect(answers.values == [true, true])
    let variation = try client.getVariation(featureKey: "checkout", track: false)
    #expect(variation.key == "on")
    #expect(variation.id == 1000)
    #expect(variation.experimentId == 100)
    #expect(variation.variables["max_items"]?.value as? Int == 3)
    bench.advance(by: .seconds(60))
    #expect(answers.count == 2)
    await client.close()
  }

  @Test("two failed attempts end all waits at once, and a later poll makes the client ready")
  func failure() async throws {
    let bench = Bench()
    bench.platform.script(.config, .status(500), .lost)
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    let client = try bench.client(
      "visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1))
    await #expect(throws: KameleoonError.sdkNotReady) {
      try await client.runWhenReady(timeoutMilliseconds: 600_000)
    }
    #expect(bench.platform.requests(.config).count == 2)
    let answers = Recorder<Bool>()
    client.runWhenReady(timeoutMilliseconds: 600_000) { answers.add($0) }
    bench.advance(by: .seconds(60))
    await bench.platform.untilRequests(.config, 3)
    try await client.runWhenReady(timeoutMilliseconds: 600_000)
    #expect(answers.values == [true])
    await client.close()
  }

  @Test("a stored data file makes the next client ready when create returns")
  func stored() async throws {
    let first = Bench()
    first.platform.answer(
      .config,
      .json(
        DataFiles.checkout(), lastModified: "Mon, 24 Nov 2025 16:00:00 GMT", entityTag: "\"r1\""))
    let client = try first.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    await client.close()

    let second = Bench(after: first)
    second.platform.hold(.config)
    second.platform.answer(.config, .status(304))
    let next = try second.client()
    #expect(next.ready)
    #expect(try next.getVariation(featureKey: "checkout", track: false).key == "on")
    await second.platform.untilRequests(.config, 1)
    let request = second.platform.requests(.config)[0]
    #expect(request.headers["If-Modified-Since"] == "Mon, 24 Nov 2025 16:00:00 GMT")
    #expect(request.headers["If-None-Match"] == "\"r1\"")
    second.platform.release(.config)
    await eventually { next.engine.loadStatus.lastFetch?.outcome == .unchanged }
    #expect(next.ready)
    await next.close()
  }

  @Test("another environment, site or network domain does not use the stored file")
  func otherScope() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    let client = try bench.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    await client.close()
    for config in [
      KameleoonClientConfig(environment: "staging"),
      KameleoonClientConfig(networkDomain: "example.com"),
    ] {
      let other = Bench(after: bench)
      other.platform.hold(.config)
      let client = try other.client("visitor-1", config)
      #expect(!client.ready)
      await client.close()
    }
    let other = Bench(after: bench)
    other.platform.hold(.config)
    let otherSite = try other.client(siteCode: "othersite1")
    #expect(!otherSite.ready)
    await otherSite.close()
  }

  @Test("of default and stored file the one changed later counts")
  func defaultFile() async throws {
    for (dateModified, expected) in [(999, "on"), (1_000, "on"), (1_001, "off")] {
      let bench = Bench()
      bench.platform.answer(
        .config, .json(DataFiles.checkout(), lastModified: "yesterday"))
      let client = try bench.client()
      try await client.runWhenReady(timeoutMilliseconds: 5_000)
      await client.close()
      let text = DataFiles.checkout(variation: "off", dateModified: Int64(dateModified))
      let next = Bench(after: bench)
      next.platform.hold(.config)
      let again = try next.client("visitor-1", KameleoonClientConfig(defaultDataFile: text))
      #expect(again.ready)
      #expect(try again.getVariation(featureKey: "checkout", track: false).key == expected)
      await next.platform.untilRequests(.config, 1)
      // A chosen default file has no text of the server: the fetch is unconditional.
      let condition = next.platform.requests(.config)[0].headers["If-Modified-Since"]
      #expect(condition == (expected == "off" ? nil : "yesterday"))
      await again.close()
    }
  }

  @Test("an unreadable default file is as good as none")
  func badDefault() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let client = try bench.client(
      "visitor-1", KameleoonClientConfig(defaultDataFile: "{\"featureFlags\": 3}"))
    #expect(!client.ready)
    await client.close()
  }

  @Test("beside a stored file, a default file that cannot be read does no harm")
  func badDefaultBesideStored() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    let client = try bench.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    await client.close()
    let newer = DataFiles.checkout(variation: "off", dateModified: 2_000)
    for text in [
      "{\"dateModified\":2000,\"featureFlags\":3}", "[]", "no JSON", String(newer.dropLast()), " ",
    ] {
      let next = Bench(after: bench)
      next.platform.hold(.config)
      let again = try next.client("visitor-1", KameleoonClientConfig(defaultDataFile: text))
      #expect(again.ready)
      #expect(again.variationKey("checkout") == "on", "\(text)")
      await again.close()
    }
  }

  @Test("a default file is used where the stored one cannot be read")
  func defaultForDamagedStored() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    let client = try bench.client()
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    await client.close()
    let whole = try #require(bench.store.recordNow(namespace: "project", key: "data-file")).value
    let head = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    // Of the right size, with a head that fits, and no JSON.
    let damaged =
      whole[...head] + Array(repeating: UInt8(ascii: "x"), count: whole.count - head - 1)
    for stored in [Array(damaged), Array(whole.dropLast())] {
      let next = Bench(after: bench)
      _ = await next.store.write(stored, namespace: "project", key: "data-file")
      next.platform.hold(.config)
      let again = try next.client(
        "visitor-1",
        KameleoonClientConfig(
          defaultDataFile: DataFiles.checkout(variation: "off", dateModified: 1)))
      #expect(again.variationKey("checkout") == "off")
      #expect(again.dataFileOrigin == .defaultDataFile)
      await again.close()
    }
  }

  @Test("a new file replaces the one in force, whatever its dateModified; polling calls no handler")
  func polling() async throws {
    let bench = Bench()
    bench.platform.script(
      .config, .json(DataFiles.checkout(dateModified: 9), lastModified: "one"),
      .json(DataFiles.checkout(variation: "off", dateModified: 5), lastModified: "two"),
      .status(304))
    let client = try bench.client(
      "visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1))
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    let updates = Recorder<Void>()
    client.updateConfigurationHandler { updates.add(()) }
    bench.advance(by: .seconds(60))
    await bench.platform.untilRequests(.config, 2)
    await eventually { client.variationKey("checkout") == "off" }
    bench.advance(by: .seconds(60))
    await bench.platform.untilRequests(.config, 3)
    await eventually { client.engine.loadStatus.lastFetch?.outcome == .unchanged }
    let conditions = bench.platform.requests(.config).map { $0.headers["If-Modified-Since"] }
    #expect(conditions == [nil, "one", "two"])
    #expect(updates.count == 0)
    #expect(client.variationKey("checkout") == "off")
    await client.close()
  }
}

extension Client {
  /// The key of the visitor's variation; nil if there is none.
  func variationKey(_ featureKey: String) -> String? {
    // Why there is none makes no difference here.
    try? getVariation(featureKey: featureKey, track: false).key
  }
}
