// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleTracking
import Testing

@Suite("Access tokens", .timeLimit(.minutes(1)))
struct TokenTests {
  private func authorizations(_ bench: Bench) -> [Bool] {
    bench.requests.map { $0.header("Authorization") != nil }
  }

  private func with(_ test: (Bench) async throws -> Void) async throws {
    try await Bench.with(Bench.Setup { $0.hasCredentials = true }) { bench async throws in
      bench.emulator.setCredentials(["cid": "sec"])
      bench.submit(conversion(1))
      try await test(bench)
    }
  }

  /// An instant flush whose first attempt fails; waiting for a token is no pause.
  private func flushTwice(_ bench: Bench) async throws -> Delivery {
    async let delivery = bench.tracker.flush()
    try await bench.untilRequests(1)
    await bench.pass(.seconds(5))
    return await delivery
  }

  @Test("a token is fetched once and goes with every request")
  func reuse() async throws {
    try await with { bench async throws in
      await bench.tracker.flush()
      bench.submit(conversion(2))
      await bench.tracker.flush()
      #expect(authorizations(bench) == [true, true])
      #expect(bench.emulator.requests(.token).count == 1)
    }
  }

  @Test("401: the token is given up; after the pause the same body goes with a new one")
  func rejected() async throws {
    try await with { bench async throws in
      bench.emulator.addFault(.status(401), on: .tracking)
      let delivery = try await flushTwice(bench)
      #expect(delivery.events == 1 && delivery.attempts == 2)
      #expect(authorizations(bench) == [true, true])
      #expect(bench.requests[0].body == bench.requests[1].body)
      #expect(
        bench.requests[0].header("Authorization") != bench.requests[1].header("Authorization"))
      #expect(bench.emulator.requests(.token).count == 2)
    }
  }

  @Test("401 again: one more attempt at once, without a token")
  func rejectedTwice() async throws {
    try await with { bench async throws in
      bench.emulator.addFault(.status(401), on: .tracking, times: 2)
      let delivery = try await flushTwice(bench)
      #expect(delivery.events == 1 && delivery.attempts == 3)
      #expect(authorizations(bench) == [true, true, false])
      #expect(bench.acceptedNonces == [1])
    }
  }

  @Test("401 to all of them is a failure: the event waits")
  func rejectedForGood() async throws {
    try await with { bench async throws in
      bench.emulator.addFault(.status(401), on: .tracking, times: 3)
      let delivery = try await flushTwice(bench)
      #expect(delivery == Delivery(outcome: .refused(status: 401), attempts: 3))
      #expect(await bench.stored() == 1)
      #expect(await bench.tracker.flush().events == 1)
    }
  }

  @Test("without a token, because its server is down, events go out without one")
  func tokenServerDown() async throws {
    try await with { bench async throws in
      bench.emulator.addFault(.status(500), on: .token)
      #expect(await bench.tracker.flush().events == 1)
      #expect(authorizations(bench) == [false])
    }
  }
}
