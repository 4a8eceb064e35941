// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleStorage
import AnoleTracking
import Testing

@Suite("Instant flush, pausing and closing", .timeLimit(.minutes(1)))
struct FlushTests {
  private func source(_ codes: String...) -> ListSource {
    let source = ListSource()
    for code in codes {
      source.put(
        VisitorEvents(identity: .visitorCode(code), events: [conversion(1)]), of: code)
    }
    return source
  }

  @Test("an instant flush takes its visitor out of the queue; the others wait for the tick")
  func oneVisitor() async throws {
    try await Bench.with { bench async throws in
      let source = source("a", "b")
      bench.tracker.start(source: source)
      for code in ["a", "b"] { bench.tracker.enqueue(code) }
      let delivery = await bench.tracker.flush("a")
      #expect(delivery.outcome == .delivered(status: 204))
      #expect(delivery.events == 1)
      #expect(bench.requests.map(\.visitors) == [["a"]])
      await bench.pass(.seconds(1))
      #expect(try await bench.untilRequests(2).map(\.visitors) == [["a"], ["b"]])
      #expect(source.asked == ["a", "b"])
    }
  }

  @Test("an instant flush asks for a visitor that was not queued")
  func notQueued() async throws {
    try await Bench.with { bench async throws in
      bench.tracker.start(source: source("a"))
      #expect(await bench.tracker.flush("a").events == 1)
    }
  }

  @Test("an instant flush sends until nothing waits, over several batches")
  func severalBatches() async throws {
    try await Bench.with(Bench.Setup { $0.settings.batchCharacters = 150 }) { bench async throws in
      for number in 1...5 { bench.submit(conversion(number), of: "v\(number)") }
      let delivery = await bench.tracker.flush()
      #expect(delivery.events == 5)
      #expect(delivery.attempts == 3)
      #expect(delivery.bytes == bench.requests.reduce(0) { $0 + $1.body.count })
      #expect(bench.requests.map(\.nonces) == [[1, 2], [3, 4], [5]])
      #expect(await bench.stored() == 0)
    }
  }

  @Test("while paused, ticks hand over and send nothing; an instant flush sends")
  func paused() async throws {
    try await Bench.with { bench async throws in
      bench.tracker.setPaused(true)
      bench.tracker.start()
      bench.submit(conversion(1))
      await bench.pass(.seconds(1))
      await bench.clock.untilSleeping()
      var status = await bench.tracker.status()
      #expect(status.isPaused)
      #expect(status.storedEvents == 1 && status.bufferedEvents == 0)
      #expect(bench.requests.isEmpty)
      #expect(await bench.tracker.flush().events == 1)
      bench.submit(conversion(2))
      bench.tracker.setPaused(false)
      await bench.pass(.seconds(1))
      #expect(try await bench.untilRequests(2).map(\.nonces) == [[1], [2]])
      status = await bench.tracker.status()
      #expect(!status.isPaused)
    }
  }

  @Test("cancelling a flush ends its request; the events wait, and there is no probing")
  func cancelled() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.neverAnswer, on: .tracking)
      bench.submit(conversion(1), of: "a")
      bench.submit(conversion(2), of: "b")
      let flush = Task { await bench.tracker.flush() }
      try await bench.emulator.waitForHeldRequests(count: 1)
      flush.cancel()
      #expect(await flush.value.outcome == .cancelled)
      #expect(await !bench.tracker.status().isProbing)
      #expect(await bench.tracker.flush().events == 2)
      #expect(bench.requests.map(\.nonces) == [[1, 2], [1, 2]])
    }
  }

  @Test("closing hands over, gives back what is under way, and ends the streams")
  func close() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.neverAnswer, on: .tracking)
      bench.submit(conversion(1))
      bench.tracker.start()
      await bench.pass(.seconds(1))
      try await bench.emulator.waitForHeldRequests(count: 1)
      bench.submit(conversion(2))
      let deliveries = bench.tracker.deliveries
      await bench.tracker.close()
      var outcomes: [Delivery.Outcome] = []
      for await delivery in deliveries { outcomes.append(delivery.outcome) }
      #expect(outcomes == [.cancelled])
      #expect(await bench.store.statistics().count == 2)
      #expect(await bench.store.claim(upTo: 9, bytes: 9_999, lease: .seconds(1)).items.count == 2)
      #expect(bench.clock.sleeperCount == 0)
      bench.submit(conversion(3))
      bench.tracker.enqueue("a")
      await bench.tracker.persist()
      #expect(await bench.dropped() == [.closed: 2])
      #expect(await bench.tracker.flush().outcome == .cancelled)
      for await _ in bench.tracker.deliveries { Issue.record("a closed tracker delivers nothing") }
      bench.tracker.start()
      await bench.tracker.close()
    }
  }

  @Test(
    "while probing, an instant flush waits for the request under way, and goes on by its result")
  func waitsForProbe() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.status(500), on: .tracking, times: 3)
      for code in ["a", "b", "c"] { bench.submit(conversion(1), of: code) }
      #expect(await bench.flush(passingPauses: 1).outcome == .refused(status: 500))
      async let first = bench.tracker.flush()
      try await bench.untilRequests(3)
      await bench.clock.untilSleeping()
      async let second = bench.tracker.flush()
      await bench.pass(.seconds(5))
      let deliveries = await [first, second]
      #expect(deliveries.allSatisfy { $0.isSuccess })
      #expect(deliveries.map(\.events).reduce(0, +) == 3)
      #expect(
        bench.requests.map(\.visitors).prefix(4) == [
          ["a", "b", "c"], ["a", "b", "c"], ["a"], ["a"],
        ])
      #expect(bench.acceptedNonces == [1, 2, 3])
    }
  }

  @Test("every listener gets every result")
  func listeners() async throws {
    try await Bench.with { bench async throws in
      var first = bench.tracker.deliveries.makeAsyncIterator()
      var second = bench.tracker.deliveries.makeAsyncIterator()
      bench.submit(conversion(1))
      let delivery = await bench.tracker.flush()
      #expect(await first.next() == delivery)
      #expect(await second.next() == delivery)
    }
  }

  @Test("the status tells what waits, what was sent and how the last request ended")
  func status() async throws {
    try await Bench.with { bench async throws in
      #expect(await bench.tracker.status() == TrackingStatus())
      bench.tracker.enqueue("a")
      bench.submit(conversion(1), conversion(2))
      var status = await bench.tracker.status()
      #expect(status.queuedVisitors == 1 && status.bufferedEvents == 2 && status.queued == 2)
      await bench.tracker.persist()
      status = await bench.tracker.status()
      #expect(status.storedEvents == 2 && status.queued == 2 && status.storedBytes > 150)
      #expect(status.oldest == Timestamp(milliseconds: 1_700_000_000_000))
      bench.emulator.addFault(.status(404), on: .tracking, times: 2)
      #expect(await bench.flush(passingPauses: 1).outcome == .refused(status: 404))
      status = await bench.tracker.status()
      #expect(status.isProbing && status.sent == 0)
      #expect(
        status.lastAnswer
          == TrackingStatus.Answer(
            outcome: .refused(status: 404), time: Timestamp(milliseconds: 1_700_000_005_000)))
      await bench.tracker.flush()
      status = await bench.tracker.status()
      #expect(status.sent == 2 && status.queued == 0 && status.oldest == nil)
      #expect(!status.isProbing && status.requestsInFlight == 0)
      #expect(bench.reports.value.map(\.code) == [.failing, .recovered])
    }
  }
}
