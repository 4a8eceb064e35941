// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking
import Testing

/// Answers by what is in a body, and keeps what it was asked: the real server's judgement is not to
/// be had from a script of statuses.
private final class JudgingTransport: HTTPTransport {
  let bodies = Shared<[[UInt8]]>([])
  private let status: @Sendable (_ lines: [Substring]) -> Int

  init(_ status: @escaping @Sendable (_ lines: [Substring]) -> Int) { self.status = status }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let body = request.body ?? []
    bodies.change { $0.append(body) }
    return HTTPResponse(status: status(Self.lines(body)))
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .other, message: "this server has no streams")
  }

  static func lines(_ body: [UInt8]) -> [Substring] {
    String(decoding: body, as: UTF8.self).split(separator: "\n")
  }

  var sizes: [Int] { bodies.value.map { Self.lines($0).count } }
}

@Suite("Bodies that the server does not want", .timeLimit(.minutes(1)))
struct SizeTests {
  private struct Rig {
    let clock = ManualClock()
    let store = InMemoryStorage(wallClock: ManualWallClock().clock)
    let transport: JudgingTransport
    let tracker: Tracker
    let reports = Shared<[AnoleTracking.TrackingReport]>([])

    init(_ status: @escaping @Sendable ([Substring]) -> Int) {
      transport = JudgingTransport(status)
      tracker = Tracker(
        settings: Tracker.Settings(compression: .identity), store: store, transport: transport,
        requests: { HTTPRequest(method: .post, url: "http://server.example/", body: $0) },
        clock: clock, wallClock: ManualWallClock().clock, nonces: CountingGenerator(),
        report: { [reports] report in reports.change { $0.append(report) } })
    }

    /// Flushes; every pause between attempts passes at once.
    func flush() async -> Delivery {
      let pump = Task { [clock] in
        while !Task.isCancelled {
          await clock.untilSleeping()
          if !Task.isCancelled { clock.advance(by: .seconds(5)) }
        }
      }
      let delivery = await tracker.flush()
      pump.cancel()
      await pump.value
      return delivery
    }
  }

  @Test("field case 9: 50, 25, 12, 6; all arrive once and in order; the size is kept")
  func halving() async throws {
    let rig = Rig { $0.count > 8 ? 413 : 200 }
    rig.tracker.submit((1...50).map(conversion), of: .visitorCode("v"))
    let delivery = await rig.flush()
    #expect(delivery.outcome == .delivered(status: 200))
    #expect(delivery.events == 50 && delivery.droppedEvents == 0)
    // Every size that is too large takes its two attempts.
    #expect(rig.transport.sizes == [50, 50, 25, 25, 12, 12, 6, 6, 6, 6, 6, 6, 6, 6, 2])
    let accepted = rig.transport.bodies.value.map(JudgingTransport.lines)
      .filter { $0.count <= 8 }.flatMap { $0 }
    #expect(accepted.map { $0.dropFirst(6).prefix(16) } == (1...50).map { nonce($0) })
    rig.tracker.submit((1...20).map(conversion), of: .visitorCode("v"))
    #expect(await rig.flush().events == 20)
    #expect(rig.transport.sizes.suffix(4) == [6, 6, 6, 2])
    #expect(rig.reports.value.map(\.code) == [.sizeReduced, .sizeReduced, .sizeReduced])
    await rig.tracker.close()
  }

  @Test(
    "field case 9: an event of 2 MB that is always too large is dropped once and blocks nothing")
  func giant() async throws {
    let rig = Rig { lines in
      lines.count > 8 || lines.contains { $0.utf8.count > 1_000_000 } ? 413 : 200
    }
    rig.tracker.submit((1...20).map(conversion), of: .visitorCode("v"))
    #expect(await rig.flush().events == 20)
    let giant = TrackingEvent.customData(
      index: 1, values: [String(repeating: "x", count: 2_000_000)])
    rig.tracker.submit(
      [conversion(21), giant, conversion(23), conversion(24)], of: .visitorCode("v"))
    let delivery = await rig.flush()
    #expect(delivery.events == 3 && delivery.droppedEvents == 1 && delivery.isSuccess)
    #expect(await rig.tracker.status().dropped == [.tooLarge: 1])
    #expect(await rig.tracker.status().storedEvents == 0)
    #expect(rig.reports.value.filter { $0.code == .tooLarge }.count == 1)
    // What was accepted before the giant came fits again.
    rig.tracker.submit((1...10).map(conversion), of: .visitorCode("v"))
    #expect(await rig.flush().events == 10)
    #expect(rig.transport.sizes.suffix(2) == [5, 5])
    await rig.tracker.close()
  }

  @Test("400 to a batch: the one event that is meant is found and dropped, the others arrive")
  func poison() async throws {
    let rig = Rig { lines in lines.contains { $0.contains("goalId=666&") } ? 400 : 204 }
    let goals = Array(1...30) + [666] + Array(31...60)
    rig.tracker.submit(goals.map(conversion), of: .visitorCode("v"))
    let delivery = await rig.flush()
    #expect(delivery.events == 60 && delivery.droppedEvents == 1 && delivery.isSuccess)
    #expect(await rig.tracker.status().dropped == [.rejected: 1])
    #expect(rig.reports.value.map(\.code) == [.rejected])
    #expect(rig.transport.sizes.count < 20)
    rig.tracker.submit((1...40).map(conversion), of: .visitorCode("v"))
    #expect(await rig.flush().attempts == 1)
    await rig.tracker.close()
  }

  @Test("400 and 413 to a single event: two attempts, then it is dropped", arguments: [400, 413])
  func single(_ status: Int) async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.status(status), on: .tracking, times: 2)
      bench.submit(conversion(1))
      let delivery = await bench.flush(passingPauses: 1)
      #expect(
        delivery
          == Delivery(outcome: .refused(status: status), droppedEvents: 1, attempts: 2))
      #expect(bench.requests.map(\.nonces) == [[1], [1]])
      #expect(await bench.dropped() == [status == 400 ? .rejected : .tooLarge: 1])
      #expect(await !bench.tracker.status().isProbing)
      bench.submit(conversion(2))
      #expect(await bench.tracker.flush().events == 1)
      #expect(bench.requests.count == 3)
    }
  }

  @Test("with a small size, ticks send several requests, so that the queue does not grow")
  func ticks() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.status(413), on: .tracking, times: 2)
      for goal in 1...20 { bench.submit(conversion(goal)) }
      var deliveries = bench.tracker.deliveries.makeAsyncIterator()
      bench.tracker.start()
      await bench.pass(.seconds(1))
      await bench.pass(.seconds(5), sleepers: 2)
      for _ in 1...3 { _ = await deliveries.next() }
      #expect(bench.requests.map(\.nonces.count) == [20, 20, 10, 10])
      #expect(await bench.tracker.status().eventLimit == 10)
    }
  }

  @Test("field case 8: a stored item that is no event is dropped and counted; the others arrive")
  func malformed() async throws {
    try await Bench.with { bench async throws in
      let now = bench.wall.milliseconds
      let bodies = try [
        Array("garbage".utf8), record(conversion(1), nonce: 1, of: .visitorCode("v")), [],
        record(conversion(2), nonce: 2, of: .visitorCode("v")),
      ]
      await bench.store.append(bodies.map { OutboxItem(body: $0, acceptedAt: now) })
      #expect(await bench.tracker.flush().events == 2)
      #expect(bench.requests.map(\.nonces) == [[1, 2]])
      #expect(await bench.dropped() == [.malformed: 2])
      #expect(bench.reports.value.map(\.code) == [.malformed])
      #expect(await bench.tracker.flush().outcome == .nothingToSend)
    }
  }

  @Test("no report has a visitor code, an event or an address in it")
  func reports() async throws {
    let statuses = Shared([413, 413, 204, 413, 413, 400, 400, 500, 500, 403])
    let rig = Rig { _ in
      let status = statuses.value.first ?? 204
      statuses.change { $0 = Array($0.dropFirst()) }
      return status
    }
    let garbage = OutboxItem(body: Array("secret".utf8), acceptedAt: 1_700_000_000_000)
    rig.store.append([garbage])
    for _ in 1...8 {
      rig.tracker.submit(
        [.customData(index: 987, values: ["secret"]), .pageView(url: "secret")],
        of: .visitorCode("secret"))
      _ = await rig.flush()
    }
    await rig.tracker.close()
    let reports = rig.reports.value
    let codes: Set<AnoleTracking.TrackingReport.Code> = [
      .malformed, .sizeReduced, .tooLarge, .rejected, .failing, .recovered, .takenForBot,
    ]
    #expect(Set(reports.map(\.code)) == codes)
    for report in reports {
      for word in ["secret", "987", "server.example", "eventType"] {
        #expect(!report.description.contains(word), "\(report)")
      }
    }
  }

  private func nonce(_ number: Int) -> Substring {
    let digits = String(number, radix: 16, uppercase: true)
    return Substring(String(repeating: "0", count: 16 - digits.count) + digits)
  }
}
