// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Testing

@Suite("Access token source")
struct AccessTokenSourceTests {
  private final class Failures: Sendable {
    let seen = Lock<[AccessTokenSource.Failure]>([])
  }

  private let clock = ManualClock()
  private let failures = Failures()

  private func source(_ transport: ScriptedTransport) -> AccessTokenSource {
    AccessTokenSource(
      transport: transport, clock: clock,
      report: { [failures] failure in failures.seen.withLock { $0.append(failure) } },
      request: { HTTPRequest(method: .post, url: "https://token.example/", timeout: $0) })
  }

  private func answer(_ token: String, _ seconds: Int) -> Result<HTTPResponse, HTTPError> {
    .json(#"{"access_token":"\#(token)","expires_in":\#(seconds)}"#)
  }

  @Test(
    "a hundred requests share one fetch, also of a token that is not kept", arguments: [60, 7_200])
  func singleFlight(_ seconds: Int) async {
    let transport = ScriptedTransport([answer("A", seconds)])
    let source = source(transport)
    transport.hold()
    let tasks = (0..<100).map { _ in Task { await source.token(timeout: .seconds(10)) } }
    await transport.untilRequests(1)
    await clock.untilSleeping(count: 100)
    transport.release()
    for task in tasks { #expect(await task.value == "A") }
    #expect(transport.requests.count == 1)
    #expect(transport.requests[0].timeout == .seconds(10))
    #expect(clock.sleeperCount == 0)
  }

  @Test("a request waits no longer than its own limit; the fetch goes on for the next one")
  func waitingLimit() async {
    let transport = ScriptedTransport([answer("A", 7_200)])
    let source = source(transport)
    transport.hold()
    let patient = Task { await source.token(timeout: nil) }
    await transport.untilRequests(1)
    let hasty = Task { await source.token(timeout: .seconds(2)) }
    await clock.untilSleeping()
    clock.advance(by: .seconds(2))
    #expect(await hasty.value == nil)
    let cancelled = Task { await source.token(timeout: nil) }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    transport.release()
    #expect(await patient.value == "A")
    #expect(await source.token(timeout: .zero) == "A")
    #expect(transport.requests.count == 1)
  }

  @Test("all failures are reported and are followed by silence")
  func failures() async {
    let bad: [Result<HTTPResponse, HTTPError>] = [
      .status(500), .status(403), .status(304), .json("{}"), .lost(),
    ]
    let transport = ScriptedTransport(bad + [answer("A", 7_200)])
    let source = source(transport)
    for round in 1...bad.count {
      #expect(await source.token(timeout: .seconds(10)) == nil)
      #expect(await source.token(timeout: .seconds(10)) == nil)
      #expect(transport.requests.count == round)
      clock.advance(by: .seconds(300))
    }
    #expect(await source.token(timeout: .seconds(10)) == "A")
    let seen = failures.seen.withLock { $0 }
    #expect(seen.count == bad.count)
    #expect(seen.prefix(2) == [.refused(status: 500), .refused(status: 403)])
    #expect(seen[3] == .unreadable)
    #expect(seen.allSatisfy { $0.description.contains("five minutes") })
  }

  @Test("a failed renewal leaves the token in use until its end")
  func failedRenewal() async {
    let transport = ScriptedTransport([answer("A", 1_900), .status(500), answer("B", 7_200)])
    let source = source(transport)
    #expect(await source.token(timeout: nil) == "A")
    clock.advance(by: .seconds(100))
    #expect(await source.token(timeout: nil) == "A")
    await transport.untilRequests(2)
    while failures.seen.withLock({ $0.isEmpty }) { await Task.yield() }
    clock.advance(by: .seconds(299))
    #expect(await source.token(timeout: nil) == "A")
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(1_441))
    #expect(await source.token(timeout: nil) == "B")
  }

  @Test("shutting down ends a fetch and those who wait; afterwards there are no tokens")
  func shutdown() async {
    let transport = ScriptedTransport([answer("A", 7_200)])
    let source = source(transport)
    transport.hold()
    let waiting = Task { await source.token(timeout: nil) }
    await transport.untilRequests(1)
    async let ended: Void = source.shutdown()
    transport.release()
    await ended
    // The answer may have been there before the shutdown; nothing is sent after it.
    _ = await waiting.value
    #expect(await source.token(timeout: nil) == nil)
    #expect(transport.requests.count == 1)
  }

  @Test("requests, rejections and renewals from many tasks end each once")
  func race() async {
    let transport = ScriptedTransport((0..<500).map { answer("T\($0)", 30 + $0 * 7) })
    let source = source(transport)
    await withTaskGroup { group in
      for index in 0..<200 {
        group.addTask { [clock] in
          let token = await source.token(timeout: .seconds(10))
          if let token, index % 3 == 0 { source.discard(token) }
          if index % 5 == 0 { clock.advance(by: .seconds(1)) }
        }
      }
    }
    #expect(transport.requests.count <= 200)
    await source.shutdown()
  }
}
