// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleNetworking
import Testing

@testable import kameleoonClient

@Suite("Streaming", .timeLimit(.minutes(1)))
struct StreamingTests {
  private func streaming(
    _ bench: Bench, _ config: KameleoonClientConfig = KameleoonClientConfig()
  ) async throws -> Client {
    let client = try await bench.client(
      "visitor-1", config, file: DataFiles.checkout(isRealTime: true))
    await bench.platform.untilRequests(.sse, 1)
    await eventually { client.engine.loadStatus.stream == .connected }
    return client
  }

  @Test("CL 2.1.0: an event fetches with its time; then the handler is called once")
  func update() async throws {
    let bench = Bench()
    let client = try await streaming(bench, KameleoonClientConfig(environment: "staging"))
    let updates = Recorder<String?>()
    client.updateConfigurationHandler { [weak client] in
      updates.add(client?.variationKey("checkout"))
    }
    bench.platform.answer(
      .config,
      .json(DataFiles.checkout(variation: "off", isRealTime: true), lastModified: "yesterday"))
    bench.platform.push(": hello\n\nevent: other\ndata: {\"ts\": 1}\n\ndata: {\"ts\": 2}\n\n")
    bench.platform.push("event: configuration-update-event\ndata: nonsense\n\n")
    bench.platform.pushUpdate(1_764_000_123_456)
    await bench.platform.untilRequests(.config, 2)
    await eventually { updates.count == 1 }
    #expect(updates.values == ["off"])
    let request = bench.platform.requests(.config)[1]
    #expect(request.url.hasSuffix("/v3/tstsite001?environment=staging&ts=1764000123456"))
    #expect(client.dataFileOrigin?.description.contains("streamed event") == true)
    bench.platform.answer(.config, .status(304))
    bench.platform.pushUpdate(5)
    await bench.platform.untilRequests(.config, 3)
    await eventually { client.engine.loadStatus.lastFetch?.outcome == .unchanged }
    #expect(updates.count == 1)
    client.updateConfigurationHandler(nil)
    bench.platform.answer(.config, .json(DataFiles.checkout(isRealTime: true)))
    bench.platform.pushUpdate(6)
    await eventually { client.variationKey("checkout") == "on" }
    #expect(updates.count == 1)
    await client.close()
    #expect(bench.platform.openStreams == 0)
  }

  @Test("CL 3.0.3: a stream that is refused or lost is opened again after three seconds, for ever")
  func reconnect() async throws {
    let bench = Bench()
    let client = try await streaming(bench)
    for round in 1...5 {
      bench.platform.refuseStreams(round % 2)
      bench.platform.closeStreams()
      await eventually { client.engine.loadStatus.stream == .opening }
      await advance(bench, until: "a stream is open") { bench.platform.openStreams == 1 }
      await eventually { client.engine.loadStatus.stream == .connected }
      await bench.platform.untilRequests(.config, 1 + round)
    }
    // One conditional fetch after each reconnection.
    #expect(bench.platform.requests(.config).count == 6)
    #expect(bench.platform.requests(.config).allSatisfy { !$0.url.contains("ts=") })
    await client.close()
  }

  @Test("CL 3.0.4: a device that was offline gets the new configuration without a restart")
  func recovery() async throws {
    let bench = Bench()
    let client = try await streaming(bench)
    #expect(client.variationKey("checkout") == "on")
    bench.platform.answer(.config, .json(DataFiles.checkout(variation: "off", isRealTime: true)))
    bench.platform.closeStreams()
    await eventually { client.engine.loadStatus.stream == .opening }
    await advance(bench, until: "the stream is open") { bench.platform.openStreams == 1 }
    await bench.platform.untilRequests(.config, 2)
    await eventually { client.variationKey("checkout") == "off" }
    await client.close()
  }

  @Test("a failed fetch closes the stream, polling goes on, and its success opens it again")
  func fallBack() async throws {
    let bench = Bench()
    let client = try await streaming(bench, KameleoonClientConfig(refreshIntervalMinute: 1))
    bench.platform.script(.config, .status(500), .status(500))
    bench.platform.pushUpdate(9)
    await bench.platform.untilRequests(.config, 3)
    await eventually { client.engine.loadStatus.stream == .closed }
    #expect(bench.platform.requests(.config).suffix(2).allSatisfy { $0.url.hasSuffix("?ts=9") })
    #expect(client.variationKey("checkout") == "on")
    bench.advance(by: .seconds(60))
    await bench.platform.untilRequests(.sse, 2)
    await eventually { client.engine.loadStatus.stream == .connected }
    #expect(bench.platform.requests(.config).count == 4)
    await client.close()
  }

  @Test("a file without real-time update closes the stream; ticks fetch again")
  func switchedOff() async throws {
    let bench = Bench()
    let client = try await streaming(bench, KameleoonClientConfig(refreshIntervalMinute: 1))
    bench.advance(by: .seconds(60))
    bench.platform.answer(.config, .json(DataFiles.checkout()))
    bench.platform.pushUpdate(9)
    await eventually { client.engine.loadStatus.stream == .closed }
    #expect(bench.platform.requests(.config).count == 2)
    bench.advance(by: .seconds(60))
    await bench.platform.untilRequests(.config, 3)
    #expect(bench.platform.requests(.config)[2].url.hasSuffix("/v3/tstsite001"))
    await client.close()
  }

  @Test("a stored file that asks for streaming opens the stream before any fetch has ended")
  func stored() async throws {
    let first = Bench()
    let client = try await streaming(first)
    await client.close()
    let bench = Bench(after: first)
    bench.platform.hold(.config)
    let next = try bench.client()
    await bench.platform.untilRequests(.sse, 1)
    #expect(next.ready)
    await next.close()
  }

  @Test("in the background the stream is closed; on return it opens, with a fetch")
  func background() async throws {
    let bench = Bench()
    let client = try await streaming(bench)
    bench.lifecycle.enterBackground()
    await eventually { bench.platform.openStreams == 0 }
    bench.platform.answer(.config, .json(DataFiles.checkout(variation: "off", isRealTime: true)))
    bench.lifecycle.becomeActive()
    await bench.platform.untilRequests(.sse, 2)
    await bench.platform.untilRequests(.config, 2)
    await eventually { client.variationKey("checkout") == "off" }
    await client.close()
  }

  @Test("field case 10: a stream that fails for two minutes keeps one connection or one timer")
  func oneRetry() async throws {
    let bench = Bench()
    let client = try await streaming(bench)
    // Two minutes in which each connection is closed as soon as it stands.
    for _ in 0..<240 {
      #expect(bench.platform.openStreams <= 1)
      bench.platform.closeStreams()
      await eventually { client.engine.loadStatus.stream == .opening }
      await settle(bench)
      bench.advance(by: .milliseconds(500))
      await settle(bench)
    }
    // Three seconds and up to 20 percent: 33 to 41 requests, never more; fake time is coarse.
    #expect((25...42).contains(bench.platform.requests(.sse).count))
    await advance(bench, until: "the stream is open") { bench.platform.openStreams == 1 }
    await eventually { client.engine.loadStatus.stream == .connected }
    // Two healthy minutes with a comment every 15 s.
    let requests = bench.platform.requests(.sse).count
    for _ in 0..<8 {
      bench.advance(by: .seconds(15))
      bench.platform.push(": keep-alive\n\n")
      await settle(bench)
    }
    #expect(bench.platform.requests(.sse).count == requests)
    let fetches = bench.platform.requests(.config).count
    bench.platform.closeStreams()
    await eventually { client.engine.loadStatus.stream == .opening }
    let before = bench.clock.now
    await advance(bench, until: "the stream is open") { bench.platform.openStreams == 1 }
    // The pause has not grown by the failures before.
    #expect(before.duration(to: bench.clock.now) <= .seconds(5))
    #expect(bench.platform.requests(.sse).count == requests + 1)
    await bench.platform.untilRequests(.config, fetches + 1)
    await settle(bench)
    #expect(bench.platform.requests(.config).count == fetches + 1)
    await client.close()
    #expect(bench.platform.openStreams == 0)
  }

  /// Lets time pass until something happens; a minute is more than any pause.
  private func advance(_ bench: Bench, until what: String, _ condition: () -> Bool) async {
    for _ in 0..<120 where !condition() {
      bench.advance(by: .milliseconds(500))
      await settle(bench)
    }
    #expect(condition(), "\(what)")
  }

  /// Lets everything run that can run without time passing.
  private func settle(_ bench: Bench) async {
    await eventually { bench.clock.nextDeadline.map { $0 > bench.clock.now } ?? true }
    for _ in 0..<200 { await Task.yield() }
  }
}
