// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Testing

/// An event source, its server and its clock.
private final class StreamScene {
  let clock = ManualClock()
  let server: StreamServer
  let source: EventSource

  init(
    _ manner: StreamServer.Manner = .accept(["Content-Type": "text/event-stream"]),
    policy: EventSourcePolicy = .platform, seed: UInt64 = 1
  ) {
    server = StreamServer(manner)
    source = EventSource(
      HTTPRequest(url: "https://events.example/sse"), transport: server, policy: policy,
      clock: clock, random: RandomSource(seed: seed))
  }

  func next() async -> EventSource.Update? {
    var updates = source.updates.makeAsyncIterator()
    return await updates.next()
  }

  /// The pause of the next update, which must be a loss of the given kind.
  func pause(after expected: EventStreamLoss) async throws -> Duration {
    guard case .lost(let loss, let pause)? = await next() else {
      throw HTTPError(code: .other, message: "no loss was reported")
    }
    #expect(loss == expected)
    #expect(pause >= .seconds(3) && pause <= .milliseconds(3_600))
    await clock.untilSleeping()
    #expect(clock.sleeperCount == 1)
    #expect(server.liveCount == 0)
    #expect(source.isPausing && !source.hasConnection)
    return pause
  }

  /// Takes the updates of a connection that is accepted.
  func expectConnection(afterLoss: Bool) async {
    #expect(await next() == .connecting)
    #expect(await next() == .connected(afterLoss: afterLoss))
    #expect(source.hasConnection && !source.isPausing)
    #expect(server.liveCount == 1)
  }
}

@Suite("Event source")
struct EventSourceTests {
  @Test("events arrive in order, states in between, and closing is the end")
  func events() async {
    let scene = StreamScene()
    scene.source.start()
    scene.source.start()
    await scene.expectConnection(afterLoss: false)
    scene.server.push("event: a\ndata: 1\n\ndata: 2")
    scene.server.push("\n\n")
    #expect(await scene.next() == .event(ServerSentEvent(type: "a", data: "1")))
    #expect(await scene.next() == .event(ServerSentEvent(data: "2")))
    await scene.source.close()
    await scene.source.close()
    #expect(await scene.next() == .closed)
    #expect(await scene.next() == nil)
    #expect(scene.server.liveCount == 0)
    #expect(scene.clock.sleeperCount == 0)
    scene.source.start()
    #expect(scene.server.requests.count == 1)
    let request = scene.server.requests[0]
    #expect(request.timeout == nil)
    #expect(request.connectTimeout == .seconds(10))
    #expect(request.maximumBodySize == .max)
  }

  @Test("closing before the start, while connecting and during the pause")
  func closing() async throws {
    let early = StreamScene()
    await early.source.close()
    early.source.start()
    #expect(await early.next() == .closed)
    #expect(await early.next() == nil)
    #expect(early.server.requests.isEmpty)

    let connecting = StreamScene(.hang)
    connecting.source.start()
    #expect(await connecting.next() == .connecting)
    await connecting.source.close()
    #expect(await connecting.next() == .closed)
    #expect(connecting.server.liveCount == 0)

    let pausing = StreamScene(.refuse(500))
    pausing.source.start()
    #expect(await pausing.next() == .connecting)
    _ = try await pausing.pause(after: .refused(status: 500))
    await pausing.source.close()
    #expect(await pausing.next() == .closed)
    #expect(pausing.clock.sleeperCount == 0)
  }

  @Test("every kind of failed attempt is followed by one pause and one attempt")
  func failures() async throws {
    let error = HTTPError(code: .connectFailed, message: "refused")
    let scene = StreamScene(.fail(error))
    scene.source.start()
    #expect(await scene.next() == .connecting)
    var pause = try await scene.pause(after: .failed(error))
    scene.server.answer(.refuse(204))
    scene.clock.advance(by: pause)
    #expect(await scene.next() == .connecting)
    pause = try await scene.pause(after: .refused(status: 204))
    scene.server.answer(.accept(["Content-Type": "text/html"]))
    scene.clock.advance(by: pause)
    #expect(await scene.next() == .connecting)
    pause = try await scene.pause(after: .notAnEventStream(contentType: "text/html"))
    scene.server.answer(.accept([:]))
    scene.clock.advance(by: pause - .nanoseconds(1))
    #expect(scene.source.isPausing)
    scene.clock.advance(by: .nanoseconds(1))
    await scene.expectConnection(afterLoss: true)
    let lost = HTTPError(code: .connectionLost, message: "reset")
    scene.server.end(lost)
    pause = try await scene.pause(after: .failed(lost))
    scene.clock.advance(by: pause)
    await scene.expectConnection(afterLoss: true)
    #expect(scene.server.requests.count == 5)
    #expect(scene.server.mostLive == 1)
    await scene.source.close()
  }

  @Test("an attempt without answer ends after 10 s")
  func connectLimit() async throws {
    let scene = StreamScene(.hang)
    scene.source.start()
    #expect(await scene.next() == .connecting)
    await scene.clock.untilSleeping()
    scene.clock.advance(by: .milliseconds(9_999))
    #expect(scene.source.hasConnection)
    scene.clock.advance(by: .milliseconds(1))
    _ = try await scene.pause(after: .connectLimitPassed)
    await scene.source.close()
  }

  @Test("five minutes without a byte are a loss, a comment is a byte")
  func silence() async throws {
    let scene = StreamScene()
    scene.source.start()
    await scene.expectConnection(afterLoss: false)
    await scene.clock.untilSleeping()
    for round in 0..<10 {
      scene.clock.advance(by: .seconds(299))
      scene.server.push(": keep-alive\n\ndata: \(round)\n\n")
      #expect(await scene.next() == .event(ServerSentEvent(data: "\(round)")))
    }
    await scene.clock.untilSleeping()
    scene.clock.advance(by: .seconds(299))
    #expect(scene.source.hasConnection)
    scene.clock.advance(by: .seconds(1))
    _ = try await scene.pause(after: .silent)
    await scene.source.close()
  }

  @Test("the last id goes out only where the policy says so")
  func lastEventID() async throws {
    for sends in [false, true] {
      let scene = StreamScene(policy: EventSourcePolicy(sendsLastEventID: sends))
      scene.source.start()
      await scene.expectConnection(afterLoss: false)
      scene.server.push("id: 42\ndata: x\n\n")
      #expect(await scene.next() == .event(ServerSentEvent(data: "x", lastEventID: "42")))
      scene.server.end()
      let pause = try await scene.pause(after: .ended)
      scene.clock.advance(by: pause)
      await scene.expectConnection(afterLoss: true)
      #expect(scene.server.requests[0].headers["Last-Event-ID"] == nil)
      #expect(scene.server.requests[1].headers["Last-Event-ID"] == (sends ? "42" : nil))
      await scene.source.close()
    }
  }

  @Test("a line without end is a loss, not a memory leak")
  func endlessLine() async throws {
    let scene = StreamScene(
      policy: EventSourcePolicy(parserLimits: .init(lineSize: 1_000, eventSize: 1_000)))
    scene.source.start()
    await scene.expectConnection(afterLoss: false)
    for _ in 0..<11 { scene.server.push([UInt8](repeating: 0x61, count: 100)) }
    guard case .lost(.unreadable(let error), _)? = await scene.next() else {
      Issue.record("the stream goes on")
      return
    }
    #expect(error.code == .lineTooLong)
    await scene.source.close()
  }

  @Test("a consumer that takes nothing loses the connection and hears of the gap")
  func slowConsumer() async throws {
    let scene = StreamScene(policy: EventSourcePolicy(bufferSize: 8))
    scene.source.start()
    await scene.expectConnection(afterLoss: false)
    scene.server.push(String(repeating: "data: x\n\n", count: 100))
    await scene.clock.untilSleeping()
    while !scene.source.isPausing { await Task.yield() }
    await scene.clock.untilSleeping()
    scene.clock.advance(by: .seconds(4))
    var seen: [EventSource.Update] = []
    while let update = await scene.next() {
      seen.append(update)
      if update == .connected(afterLoss: true) { break }
    }
    #expect(seen.last == .connected(afterLoss: true))
    #expect(
      seen.contains {
        if case .lost(.consumerTooSlow, _) = $0 { true } else { false }
      })
    #expect(seen.count <= 10)
    await scene.source.close()
  }

  @Test("releasing the source closes the connection")
  func release() async {
    let server = StreamServer()
    do {
      let source = EventSource(
        HTTPRequest(url: "https://e/"), transport: server, clock: ManualClock())
      source.start()
      var updates = source.updates.makeAsyncIterator()
      _ = await updates.next()
      _ = await updates.next()
    }
    while server.liveCount > 0 { await Task.yield() }
  }
}

@Suite("Field case 10: one retry, not many")
struct ReconnectStormTests {
  /// The server closes each connection 50 ms after it was accepted, for two minutes; the pauses are
  /// 3 to 3.6 s.
  ///
  /// So a cycle takes 3.05 to 3.65 s, and two minutes hold 33 to 40 requests.
  @Test(
    "requests stay within the bound, with one pending connection or timer", arguments: [1, 2, 3])
  func storm(_ seed: UInt64) async throws {
    let scene = StreamScene(seed: seed)
    scene.source.start()
    var elapsed: Duration = .zero
    var signals = 0
    var pauses: Set<Duration> = []
    while elapsed < .seconds(120) {
      await scene.expectConnection(afterLoss: signals > 0)
      signals += 1
      scene.clock.advance(by: .milliseconds(50))
      scene.server.end()
      let pause = try await scene.pause(after: .ended)
      pauses.insert(pause)
      scene.clock.advance(by: pause)
      elapsed += pause + .milliseconds(50)
    }
    let stormRequests = signals
    #expect((33...40).contains(stormRequests))
    #expect(pauses.count > stormRequests / 2, "the jitter differs")

    await scene.expectConnection(afterLoss: true)
    for _ in 0..<8 {
      scene.clock.advance(by: .seconds(15))
      scene.server.push(": keep-alive\n\n")
    }
    scene.server.push("data: sync\n\n")
    #expect(await scene.next() == .event(ServerSentEvent(data: "sync")))
    #expect(scene.server.requests.count == stormRequests + 1)

    scene.server.end()
    let last = try await scene.pause(after: .ended)
    scene.clock.advance(by: last)
    await scene.expectConnection(afterLoss: true)
    #expect(scene.server.requests.count == stormRequests + 2)
    #expect(scene.server.mostLive == 1)
    await scene.source.close()
    #expect(await scene.next() == .closed)
  }

  @Test("two thousand reconnects leave nothing behind")
  func many() async throws {
    let scene = StreamScene(policy: EventSourcePolicy(pause: .milliseconds(1), jitter: 0))
    scene.source.start()
    for round in 0..<2_000 {
      #expect(await scene.next() == .connecting)
      #expect(await scene.next() == .connected(afterLoss: round > 0))
      scene.server.end()
      #expect(await scene.next() == .lost(.ended, pause: .milliseconds(1)))
      await scene.clock.untilSleeping()
      #expect(scene.clock.sleeperCount == 1)
      #expect(scene.server.liveCount == 0)
      scene.clock.advance(by: .milliseconds(1))
    }
    #expect(scene.server.mostLive == 1)
    await scene.source.close()
  }
}
