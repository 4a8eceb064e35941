// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import AnoleStorage
import AnoleStorageTesting
import AnoleTracking
import Testing

/// Something that goes wrong with both attempts of a request.
private struct FaultCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let fault: Fault
  let outcome: Delivery.Outcome
  /// The limit of an attempt in real time; short where the server never answers.
  var timeout = Duration.seconds(60)
  /// Whether the server reads the whole request.
  var isRead = true
  /// Whether the server takes the events although its answer does not say so.
  var isTaken = false

  init(
    _ description: String, _ fault: Fault, _ outcome: Delivery.Outcome,
    timeout: Duration = .seconds(60), isRead: Bool = true, isTaken: Bool = false
  ) {
    testDescription = description
    self.fault = fault
    self.outcome = outcome
    self.timeout = timeout
    self.isRead = isRead
    self.isTaken = isTaken
  }
}

private func truncated() -> Fault {
  var changes = Fault.Changes()
  changes.status = 200
  changes.body = Array("accepted".utf8)
  changes.cutAfter = 3
  return Fault(.answer(changes))
}

/// Long enough for an answer on a busy machine, since it holds for the attempts that succeed too.
private let shortTimeout = Duration.seconds(TestRun.isSanitized ? 8 : 2)

private let faultCases: [FaultCase] = [
  FaultCase("closed after reading", .closeAfterReading, .failed(.connectionLost)),
  FaultCase(
    "closed before reading", .closeBeforeReading, .failed(.connectionLost), isRead: false),
  FaultCase(
    "closed in the middle of the answer", truncated(), .failed(.connectionLost), isTaken: true),
  FaultCase(
    "later than the limit", .neverAnswer, .failed(.timedOut), timeout: shortTimeout),
  FaultCase("no HTTP", .raw("Hello\r\n\r\n"), .failed(.malformedAnswer)),
  FaultCase("401 without token", .status(401), .refused(status: 401)),
  FaultCase("404", .status(404), .refused(status: 404)),
  FaultCase("415 to a plain body", .status(415), .refused(status: 415)),
  FaultCase("429", .status(429), .refused(status: 429)),
  FaultCase(
    "429 with Retry-After", .status(429, headers: [HeaderField("Retry-After", "9")]),
    .refused(status: 429)),
  FaultCase("500", .status(500), .refused(status: 500)),
  FaultCase("502 as a page", .html(status: 502), .refused(status: 502)),
  FaultCase("503", .status(503), .refused(status: 503)),
  FaultCase(
    "503 with Retry-After", .status(503, headers: [HeaderField("Retry-After", "9")]),
    .refused(status: 503)),
]

@Suite("Faults", .timeLimit(.minutes(2)))
struct FaultTests {
  @Test(
    "two attempts with the same body, then one visitor, then the rest: nothing lost, nothing twice",
    arguments: faultCases)
  fileprivate func fault(_ row: FaultCase) async throws {
    try await Bench.with(Bench.Setup { $0.timeout = row.timeout }) { bench async throws in
      for (number, code) in ["a", "a", "b", "c"].enumerated() {
        bench.submit(conversion(number), of: code)
      }
      bench.emulator.addFault(row.fault, on: .tracking, times: 2)
      let failure = await bench.flush(passingPauses: 1)
      #expect(failure == Delivery(outcome: row.outcome, attempts: 2))
      try #require(bench.requests.count == 2)
      #expect(bench.acceptedNonces.isEmpty == !row.isTaken)
      #expect(await bench.tracker.status().isProbing)
      #expect(await bench.stored() == 4)

      let success = await bench.tracker.flush()
      #expect(success.outcome == .delivered(status: 204))
      #expect(success.events == 4 && success.attempts == 2)
      let requests = bench.requests
      try #require(requests.count == 4)
      if row.isRead {
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].nonces == [1, 2, 3, 4])
      }
      #expect(requests[2].nonces == [1, 2])
      #expect(requests[3].nonces == [3, 4])
      #expect(bench.acceptedNonces == [1, 2, 3, 4])
      // What the server took twice has the same nonces.
      let findings = requests.flatMap { $0.tracking?.findings ?? [] }.map(\.kind)
      #expect(Set(findings) == (row.isTaken ? [.duplicateNonce] : []))
      #expect(await bench.stored() == 0)
      #expect(await bench.dropped().isEmpty)
      #expect(bench.reports.value.map(\.code) == [.failing, .recovered])
    }
  }

  @Test("a failure of the first attempt alone shows only at the server", arguments: faultCases)
  fileprivate func oneFailure(_ row: FaultCase) async throws {
    try await Bench.with(Bench.Setup { $0.timeout = row.timeout }) { bench async throws in
      bench.submit(conversion(1), conversion(2))
      bench.emulator.addFault(row.fault, on: .tracking)
      let delivery = await bench.flush(passingPauses: 1)
      #expect(delivery.outcome == .delivered(status: 204))
      #expect(delivery.events == 2 && delivery.attempts == 2)
      try #require(bench.requests.count == 2)
      #expect(bench.acceptedNonces == [1, 2])
      #expect(await !bench.tracker.status().isProbing)
      #expect(bench.reports.value.isEmpty)
    }
  }

  @Test("no secure connection, no name: nothing reaches the server, nothing is lost")
  func unreachable() async throws {
    for (place, code) in [
      (EndpointAddress(host: "nowhere.invalid", port: 80), HTTPError.Code.resolveFailed),
      (EndpointAddress(scheme: "https", port: nil), .tlsFailed),
    ] {
      try await Bench.with { bench async throws in
        let good = bench.address.value
        bench.address.value = EndpointAddress(
          scheme: place.scheme, host: place.host, port: place.port ?? good.port)
        bench.submit(conversion(1))
        let failure = await bench.flush(passingPauses: 1)
        #expect(failure == Delivery(outcome: .failed(code), attempts: 2))
        #expect(bench.requests.isEmpty)
        bench.address.value = good
        #expect(await bench.tracker.flush().events == 1)
        #expect(bench.acceptedNonces == [1])
      }
    }
  }

  @Test(
    "a connection that is closed as soon as it is made: the server reads nothing, nothing is lost")
  func closedAtOnce() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.refuseConnections(times: 2)
      bench.submit(conversion(1))
      let failure = await bench.flush(passingPauses: 1)
      #expect(failure == Delivery(outcome: .failed(.connectionLost), attempts: 2))
      #expect(bench.requests.isEmpty)
      #expect(await bench.tracker.flush().events == 1)
      #expect(bench.acceptedNonces == [1])
    }
  }

  @Test("a server that is down for an hour: every event arrives once, in order, when it is back")
  func hour() async throws {
    try await Bench.with { bench async throws in
      let dead = try #require(DeadPort())
      let good = bench.address.value
      bench.address.value = EndpointAddress(port: dead.number)
      var deliveries = bench.tracker.deliveries.makeAsyncIterator()
      bench.tracker.start()
      var submitted = 0
      var rounds = 0
      while bench.clock.now.offset < .seconds(3_600) {
        submitted += 1
        bench.submit(conversion(submitted), of: "v\(submitted % 7)")
        await bench.pass(.seconds(1))
        await bench.pass(.seconds(5), sleepers: 2)
        let delivery = await deliveries.next()
        try #require(delivery == Delivery(outcome: .failed(.connectFailed), attempts: 2))
        rounds += 1
      }
      #expect(rounds == 600)
      let status = await bench.tracker.status()
      #expect(status.isProbing && status.queued == submitted && status.dropped.isEmpty)
      #expect(bench.reports.value.map(\.code) == [.failing])
      bench.address.value = good
      let delivery = await bench.tracker.flush()
      #expect(delivery.events == submitted && delivery.isSuccess)
      try #require(bench.requests.count == 2)
      #expect(bench.requests[0].nonces == [1])
      #expect(bench.acceptedNonces.count == submitted)
      #expect(Set(bench.acceptedNonces) == Set(1...submitted))
      for visitor in 0..<7 {
        let events = bench.emulator.acceptedEvents.filter { $0.visitor == "v\(visitor)" }
        #expect(events.compactMap(\.number) == events.compactMap(\.number).sorted())
      }
      #expect(bench.requests.allSatisfy { $0.tracking?.findings == [] })
      #expect(bench.reports.value.map(\.code) == [.failing, .recovered])
    }
  }

  @Test("403 is delivered, without a second attempt; it is reported once")
  func takenForBot() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.status(403), on: .tracking, times: 2)
      for _ in 1...2 {
        bench.submit(conversion(1))
        let delivery = await bench.tracker.flush()
        #expect(delivery.outcome == .delivered(status: 403))
        #expect(delivery.events == 1 && delivery.attempts == 1)
      }
      try #require(bench.requests.count == 2)
      #expect(await bench.stored() == 0)
      #expect(bench.reports.value.map(\.code) == [.takenForBot])
    }
  }

  @Test(
    "Retry-After delays the next tick, at most a minute; hand-overs and instant flushes go on",
    arguments: [
      (429, "20", 20), (503, "20", 20), (429, "3600", 60), (500, "20", 0), (429, "soon", 0),
      (503, "Tue, 14 Nov 2023 22:13:56 GMT", 30),
    ])
  func retryAfter(_ status: Int, _ text: String, _ seconds: Int) async throws {
    try await Bench.with { bench async throws in
      let fault = Fault.status(status, headers: [HeaderField("Retry-After", text)])
      bench.emulator.addFault(fault, on: .tracking, times: 2)
      var deliveries = bench.tracker.deliveries.makeAsyncIterator()
      bench.submit(conversion(1))
      bench.tracker.start()
      await bench.pass(.seconds(1))
      await bench.pass(.seconds(5), sleepers: 2)
      #expect(await deliveries.next()?.outcome == .refused(status: status))
      var waited = 0
      while bench.requests.count < 3, waited < 100 {
        await bench.pass(.seconds(1))
        await bench.clock.untilSleeping()
        waited += 1
        if waited > seconds { try await bench.untilRequests(3) }
      }
      // The ticks after the delay come at whole seconds.
      #expect((max(1, seconds)...(seconds + 1)).contains(waited))
      #expect(bench.acceptedNonces == [1])
    }
  }

  @Test("an instant flush does not wait for Retry-After")
  func instantAfterRetryAfter() async throws {
    try await Bench.with { bench async throws in
      let fault = Fault.status(429, headers: [HeaderField("Retry-After", "60")])
      bench.emulator.addFault(fault, on: .tracking, times: 2)
      bench.submit(conversion(1))
      #expect(await bench.flush(passingPauses: 1).outcome == .refused(status: 429))
      #expect(await bench.tracker.flush().events == 1)
    }
  }

  @Test("probing: every tick tries with one visitor until a request succeeds, then all go")
  func probing() async throws {
    try await Bench.with { bench async throws in
      bench.emulator.addFault(.status(503), on: .tracking, times: 4)
      var deliveries = bench.tracker.deliveries.makeAsyncIterator()
      for code in ["a", "b", "c"] { bench.submit(conversion(1), of: code) }
      bench.tracker.start()
      for _ in 1...2 {
        await bench.pass(.seconds(1))
        await bench.pass(.seconds(5), sleepers: 2)
        #expect(await deliveries.next()?.outcome == .refused(status: 503))
      }
      // The tick that was due during the pause probes at once.
      await bench.pass(.seconds(1))
      #expect(await deliveries.next()?.events == 1)
      await bench.pass(.seconds(1))
      #expect(await deliveries.next()?.events == 2)
      let visitors = bench.requests.map(\.visitors)
      #expect(
        visitors == [["a", "b", "c"], ["a", "b", "c"], ["a"], ["a"], ["a"], ["b", "c"]])
    }
  }
}
