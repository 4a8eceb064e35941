// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleStorage
import AnoleStorageTesting
import AnoleTracking
import Testing

@Suite("Ticks", .timeLimit(.minutes(1)))
struct TickTests {
  @Test("the first tick comes one interval after the start, and sends all visitors in one request")
  func first() async throws {
    try await Bench.with { bench async throws in
      bench.submit(conversion(1), of: "a")
      bench.submit(conversion(2), .customData(index: 1, values: ["x"]), of: "b")
      bench.tracker.start()
      await bench.pass(.milliseconds(999))
      await bench.clock.untilSleeping()
      #expect(bench.requests.isEmpty)
      await bench.pass(.milliseconds(1))
      let request = try #require(try await bench.untilRequests(1).first)
      #expect(request.method == "POST")
      #expect(
        request.target == "/visit/events?sdkName=SWIFT&sdkVersion=1.2.3&siteCode=s&bodyUa=true")
      #expect(request.header("Content-Type") == "*/*")
      #expect(request.header("User-Agent") == "Shop/1")
      #expect(request.header("Content-Encoding") == nil)
      #expect(request.visitors == ["a", "b"])
      #expect(request.nonces == [1, 3, 2])
      #expect(request.tracking?.findings == [])
      #expect(!request.text.hasSuffix("\n"))
    }
  }

  @Test("a tick with nothing to send makes no request; several calls make one")
  func coalescing() async throws {
    try await Bench.with { bench async throws in
      var deliveries = bench.tracker.deliveries.makeAsyncIterator()
      bench.tracker.start()
      for _ in 0..<40 { await bench.pass(.seconds(1)) }
      await bench.clock.untilSleeping()
      #expect(bench.requests.isEmpty)
      for goal in 1...3 { bench.submit(conversion(goal)) }
      await bench.pass(.seconds(1))
      #expect(
        await deliveries.next()
          == Delivery(
            outcome: .delivered(status: 204), events: 3, bytes: bench.requests[0].body.count,
            attempts: 1))
      #expect(bench.requests.map(\.nonces) == [[1, 2, 3]])
    }
  }

  @Test(
    "the interval is between one and five seconds",
    arguments: [
      (0, 1_000), (-5, 1_000), (1_000, 1_000), (3_000, 3_000), (5_000, 5_000), (60_000, 5_000),
    ])
  func interval(_ given: Int, _ effective: Int) async throws {
    #expect(
      Tracker.Settings(interval: .milliseconds(given)).interval == .milliseconds(effective))
    var settings = Tracker.Settings()
    settings.interval = .milliseconds(given)
    #expect(settings.interval == .milliseconds(effective))
    try await Bench.with(Bench.Setup { $0.settings = settings }) { bench async throws in
      bench.tracker.start()
      await bench.clock.untilSleeping()
      #expect(bench.clock.nextDeadline?.offset == .milliseconds(effective))
    }
  }

  @Test("queued visitors are asked for once, in order; those with nothing to send are skipped")
  func source() async throws {
    try await Bench.with { bench async throws in
      let source = ListSource()
      for code in ["c", "a"] {
        source.put(
          VisitorEvents(
            identity: .visitorCode(code), events: [conversion(1)],
            changes: [.write(namespace: "visitors", key: code, value: Array(code.utf8))]),
          of: code)
      }
      source.put([.write(namespace: "visitors", key: "dirty", value: [7])])
      for code in ["c", "b", "a", "c"] { bench.tracker.enqueue(code) }
      bench.tracker.start(source: source)
      await bench.pass(.seconds(1))
      let request = try #require(try await bench.untilRequests(1).first)
      #expect(source.asked == ["c", "b", "a"])
      #expect(request.visitors == ["c", "a"])
      #expect(await bench.store.keys(namespace: "visitors") == ["a", "c", "dirty"])
      await bench.pass(.seconds(1))
      await bench.clock.untilSleeping()
      #expect(source.asked == ["c", "b", "a"])
    }
  }

  @Test("visitors that are queued before the start wait for it, whatever is handed over meanwhile")
  func queuedBeforeStart() async throws {
    try await Bench.with { bench async throws in
      let source = ListSource()
      for code in ["a", "b"] {
        source.put(
          VisitorEvents(identity: .visitorCode(code), events: [conversion(1)]), of: code)
        bench.tracker.enqueue(code)
      }
      bench.submit(conversion(2), of: "c")
      await bench.tracker.persist()
      #expect(await bench.tracker.flush("a").events == 1)
      #expect(bench.requests.map(\.visitors) == [["c"]])
      #expect(await bench.tracker.status().queuedVisitors == 2)
      bench.tracker.start(source: source)
      bench.tracker.start(source: nil)
      await bench.pass(.seconds(1))
      let requests = try await bench.untilRequests(2)
      #expect(requests.map(\.visitors) == [["c"], ["a", "b"]])
    }
  }

  @Test("without a source a queued visitor is nothing to send")
  func noSource() async throws {
    try await Bench.with { bench async throws in
      bench.tracker.start()
      bench.tracker.enqueue("a")
      #expect(await bench.tracker.status().queuedVisitors == 1)
      #expect(await bench.tracker.flush() == Delivery(outcome: .nothingToSend))
      #expect(await bench.tracker.status().queuedVisitors == 0)
    }
  }

  @Test("the first line of each visitor in a request carries the user agent")
  func userAgent() async throws {
    try await Bench.with(Bench.Setup { $0.settings.userAgent = "Shop/1 (é)" }) {
      bench async throws in
      bench.submit(conversion(1), conversion(2), of: "a")
      bench.submit(conversion(3), of: "b")
      bench.submit(conversion(4), of: "a")
      await bench.tracker.flush()
      let events = try #require(bench.requests.first?.tracking?.events)
      #expect(events.map { $0["userAgent"] } == ["Shop/1 (é)", nil, nil, "Shop/1 (é)"])
    }
  }

  @Test("a batch takes no visitor once it has more than 2,621,440 characters; the next tick does")
  func sizeLimit() async throws {
    try await Bench.with(Bench.Setup { $0.settings.bufferedBytes = 8 << 20 }) {
      bench async throws in
      let value = String(repeating: "x", count: 1_400_000)
      for code in ["big-1", "big-2", "big-3"] {
        bench.submit(.customData(index: 1, values: [value]), of: code)
      }
      bench.tracker.start()
      await bench.pass(.seconds(1))
      #expect(try await bench.untilRequests(1)[0].visitors == ["big-1", "big-2"])
      await bench.pass(.seconds(1))
      let requests = try await bench.untilRequests(2)
      // These sizes were recorded.
      #expect(requests.map(\.body.count) == [2_800_233, 1_400_116])
      #expect(requests[1].visitors == ["big-3"])
    }
  }

  @Test("while a request waits for its second attempt, newer events leave with the next tick")
  func meanwhile() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.status(500), on: .tracking)
      bench.submit(conversion(1))
      bench.tracker.start()
      await bench.pass(.seconds(1))
      await bench.clock.untilSleeping(count: 2)
      bench.submit(conversion(2))
      await bench.pass(.seconds(1), sleepers: 2)
      try await bench.untilRequests(2)
      await bench.pass(.seconds(4), sleepers: 2)
      let requests = try await bench.untilRequests(3)
      #expect(requests.map(\.nonces) == [[1], [2], [1]])
      #expect(requests.map(\.status) == [500, 204, 204])
      #expect(requests[0].body == requests[2].body)
    }
  }

  @Test("at most four requests are under way")
  func inFlight() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.neverAnswer, on: .tracking, times: nil)
      bench.tracker.start()
      for goal in 1...6 {
        bench.submit(conversion(goal))
        await bench.pass(.seconds(1))
        await bench.clock.untilSleeping()
        try await bench.untilRequests(min(goal, 4))
      }
      #expect(bench.requests.map(\.nonces) == [[1], [2], [3], [4]])
      let status = await bench.tracker.status()
      #expect(status.requestsInFlight == 4)
      #expect(status.storedEvents == 6)
    }
  }

  @Test("what an earlier process has left is sent without anything new")
  func leftovers() async throws {
    let folder = try TemporaryFolder()
    let makeStore: @Sendable (WallClock) -> any StateStore = { wallClock in
      var configuration = SQLiteStorage.Configuration(folder: folder.store)
      configuration.wallClock = wallClock
      return SQLiteStorage(configuration)
    }
    try await Bench.with(Bench.Setup { $0.makeStore = makeStore }) { bench async throws in
      bench.submit(conversion(1), conversion(2))
      #expect(await bench.tracker.persist() == .durable)
      #expect(bench.requests.isEmpty)
    }
    try await Bench.with(Bench.Setup { $0.makeStore = makeStore }) { bench async throws in
      bench.tracker.start()
      await bench.pass(.seconds(1))
      #expect(try await bench.untilRequests(1)[0].nonces == [1, 2])
    }
  }

  @Test("an idle outbox is looked at every 30 seconds for what other processes left")
  func idle() async throws {
    try await Bench.with { bench async throws in
      bench.tracker.start()
      await bench.pass(.seconds(1))
      await bench.clock.untilSleeping()
      let body = try record(conversion(1), of: .visitorCode("v"))
      await bench.store.append(
        [
          OutboxItem(
            body: body,
            acceptedAt: bench.wall.milliseconds)
        ])
      for _ in 0..<29 { await bench.pass(.seconds(1)) }
      await bench.clock.untilSleeping()
      #expect(bench.requests.isEmpty)
      await bench.pass(.seconds(1))
      #expect(try await bench.untilRequests(1)[0].nonces == [1])
    }
  }
}
