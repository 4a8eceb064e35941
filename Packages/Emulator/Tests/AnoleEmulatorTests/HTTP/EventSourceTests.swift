// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import Testing

/// An event source over real connections, on a clock that a test moves.
@Suite("HTTP: event stream", .timeLimit(.minutes(2)))
struct EventSourceTests {
  /// Reads updates one after another.
  private struct Reader {
    let source: EventSource

    func next() async throws -> EventSource.Update {
      var updates = source.updates.makeAsyncIterator()
      guard let update = await updates.next() else {
        throw WireError(message: "the source has ended")
      }
      return update
    }

    func pause(after expected: EventStreamLoss) async throws -> Duration {
      guard case .lost(let loss, let pause) = try await next(), loss == expected else {
        throw WireError(message: "the stream was not lost as expected")
      }
      return pause
    }
  }

  private func request(_ emulator: Emulator) -> HTTPRequest {
    HTTPRequest(
      url: (emulator.baseURL ?? "") + "/sse?siteCode=tstsite001",
      headers: ["Accept": "text/event-stream"], timeout: nil)
  }

  @Test("field case 10: a stream that is closed again and again is asked for within the bound")
  func storm() async throws {
    try await withTransport { emulator, transport async throws in
      let clock = ManualClock()
      let source = EventSource(
        request(emulator), transport: transport, clock: clock, random: RandomSource(seed: 10))
      let reader = Reader(source: source)
      source.start()
      var (elapsed, requests) = (Duration.zero, 0)
      while elapsed < .seconds(120) {
        #expect(try await reader.next() == .connecting)
        #expect(try await reader.next() == .connected(afterLoss: requests > 0))
        requests += 1
        #expect(emulator.openStreams == 1)
        clock.advance(by: .milliseconds(50))
        emulator.closeStreams()
        let pause = try await reader.pause(after: .ended)
        await clock.untilSleeping()
        #expect(clock.sleeperCount == 1)
        clock.advance(by: pause)
        elapsed += pause + .milliseconds(50)
      }
      // A cycle takes 3.05 to 3.65 s.
      #expect((33...40).contains(requests))
      #expect(try await reader.next() == .connecting)
      #expect(try await reader.next() == .connected(afterLoss: true))
      // Two healthy minutes: comments are signs of life, and no updates.
      for _ in 0..<8 {
        emulator.pushComment("keep-alive")
        clock.advance(by: .seconds(15))
      }
      emulator.pushConfigurationUpdate(timestamp: 7)
      #expect(
        try await reader.next()
          == .event(ServerSentEvent(type: "configuration-update-event", data: #"{"ts": 7}"#)))
      emulator.closeStreams()
      let pause = try await reader.pause(after: .ended)
      #expect(pause >= .seconds(3) && pause <= .milliseconds(3_600))
      await clock.untilSleeping()
      clock.advance(by: pause)
      #expect(try await reader.next() == .connecting)
      #expect(try await reader.next() == .connected(afterLoss: true))
      #expect(emulator.requests(.stream).count == requests + 2)
      await source.close()
      try await emulator.waitForOpenStreams(count: 0)
    }
  }

  @Test("each kind of answer that is no stream is a loss of its kind")
  func losses() async throws {
    try await withTransport { emulator, transport async throws in
      let clock = ManualClock()
      emulator.addFault(.status(503), on: .stream)
      emulator.addFault(.html(status: 200), on: .stream)
      emulator.addFault(.closeAfterReading, on: .stream, times: nil)
      let source = EventSource(
        request(emulator), transport: transport, clock: clock, random: RandomSource(seed: 1))
      let reader = Reader(source: source)
      source.start()
      var losses: [EventStreamLoss] = []
      while losses.count < 3 {
        #expect(try await reader.next() == .connecting)
        let update = try await reader.next()
        guard case .lost(let loss, let pause) = update else {
          throw WireError(message: "no loss but \(update)")
        }
        losses.append(loss)
        await clock.untilSleeping()
        if losses.count == 3 { emulator.clearFaults() }
        clock.advance(by: pause)
      }
      #expect(
        losses.prefix(2) == [.refused(status: 503), .notAnEventStream(contentType: "text/html")])
      guard case .failed(let error) = losses[2] else {
        throw WireError(message: "a closed connection is a failure, not \(losses[2])")
      }
      #expect(error.code == .connectionLost)
      #expect(try await reader.next() == .connecting)
      #expect(try await reader.next() == .connected(afterLoss: true))
      await source.close()
      try await emulator.waitForOpenStreams(count: 0)
    }
  }
}
