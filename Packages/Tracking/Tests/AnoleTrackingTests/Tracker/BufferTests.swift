// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleStorage
import AnoleTracking
import Testing

@Suite("Buffer in memory", .timeLimit(.minutes(1)))
struct BufferTests {
  private func with(
    _ settings: Tracker.Settings, _ test: (Bench, SlowStore) async throws -> Void
  ) async throws {
    let store = Shared<SlowStore?>(nil)
    let setup = Bench.Setup { setup in
      setup.settings = settings
      setup.makeStore = { wallClock in
        let slow = SlowStore(wallClock)
        store.value = slow
        return slow
      }
    }
    try await Bench.with(setup) { bench async throws in
      try await test(bench, try #require(store.value))
    }
  }

  @Test("events are on disk before the next interval ends, early when the buffer is half full")
  func early() async throws {
    try await with(.init(compression: .identity, bufferedEvents: 10)) { bench, store in
      bench.tracker.start()
      store.hold()
      for number in 1...5 { bench.submit(conversion(number)) }
      // No tick has come: the clock stands still.
      await store.untilWaiting()
      store.release()
      await bench.tracker.persist()
      #expect(store.sizes == [5])
      bench.submit(conversion(6))
      await bench.pass(.seconds(1))
      try await bench.untilRequests(1)
      #expect(store.sizes == [5, 1])
    }
  }

  @Test("when the disk does not keep up, the newest are dropped, counted and reported once")
  func overflow() async throws {
    try await with(.init(compression: .identity, bufferedEvents: 4)) { bench, store in
      store.hold()
      bench.submit(conversion(1))
      let persisting = Task { await bench.tracker.persist() }
      await store.untilWaiting()
      for number in 2...10 { bench.submit(conversion(number)) }
      store.release()
      _ = await persisting.value
      await bench.tracker.persist()
      #expect(await bench.dropped() == [.bufferFull: 5])
      #expect(await bench.stored() == 5)
      #expect(bench.reports.value.map(\.code) == [.bufferFull])
      for number in 11...20 { bench.submit(conversion(number)) }
      await bench.tracker.persist()
      #expect(await bench.dropped() == [.bufferFull: 11])
      #expect(bench.reports.value.map(\.code) == [.bufferFull])
      // After a hand-over without loss, the next loss is news again.
      bench.submit(conversion(21))
      await bench.tracker.persist()
      for number in 22...30 { bench.submit(conversion(number)) }
      await bench.tracker.persist()
      #expect(bench.reports.value.map(\.code) == [.bufferFull, .bufferFull])
      #expect(await bench.tracker.flush().events == 14)
      #expect(bench.acceptedNonces == [1, 2, 3, 4, 5, 11, 12, 13, 14, 21, 22, 23, 24, 25])
    }
  }

  @Test("hand-overs go one after another, so that the events of a visitor stay in order")
  func serial() async throws {
    try await with(.init(compression: .identity)) { bench, store in
      store.hold()
      bench.submit(conversion(1))
      let first = Task { await bench.tracker.persist() }
      await store.untilWaiting()
      bench.submit(conversion(2))
      let others = (0..<3).map { _ in Task { await bench.tracker.persist() } }
      #expect(store.sizes == [1])
      store.release()
      _ = await first.value
      for other in others { _ = await other.value }
      #expect(store.sizes == [1, 1])
      await bench.tracker.flush()
      #expect(bench.requests.map(\.nonces) == [[1, 2]])
    }
  }

  @Test("closing while the outbox is asked for events: none is sent, and all wait")
  func closedMeanwhile() async throws {
    try await with(.init(compression: .identity)) { bench, store in
      bench.submit(conversion(1))
      await bench.tracker.persist()
      store.hold()
      let flush = Task { await bench.tracker.flush() }
      await store.untilWaiting()
      await bench.tracker.close()
      store.release()
      #expect(await flush.value.events == 0)
      #expect(bench.requests.isEmpty)
      #expect(await store.claim(upTo: 9, bytes: 9_999, lease: .seconds(1)).items.count == 1)
    }
  }

  @Test("a long queue is handed over in several transactions, each visitor whole")
  func transactions() async throws {
    try await with(.init(compression: .identity)) { bench, store in
      let source = ListSource()
      for number in 0..<2_000 {
        source.put(
          VisitorEvents(
            identity: .visitorCode("v\(number)"), events: (1...3).map(conversion)),
          of: "v\(number)")
        bench.tracker.enqueue("v\(number)")
      }
      bench.tracker.start(source: source)
      await bench.tracker.persist()
      #expect(store.sizes == [4_098, 1_902])
    }
  }
}
