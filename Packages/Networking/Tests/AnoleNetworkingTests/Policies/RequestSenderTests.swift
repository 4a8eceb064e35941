// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleNetworking
import Testing

@Suite("Request sender")
struct RequestSenderTests {
  private let clock = ManualClock()
  private let request = HTTPRequest(method: .post, url: "https://data.example/", body: [1, 2])

  @Test("a success needs one attempt", arguments: [200, 204, 299, 304, 403])
  func success(_ status: Int) async throws {
    let transport = ScriptedTransport(statuses: status)
    let sender = RequestSender(transport: transport, clock: clock)
    #expect(try await sender.send(request, policy: .tracking).status == status)
    #expect(transport.requests == [request])
  }

  @Test("tracking is tried twice with 5 s between", arguments: [400, 401, 404, 413, 429, 500, 503])
  func tracking(_ status: Int) async throws {
    let transport = ScriptedTransport(statuses: status, status, 200)
    let sender = RequestSender(transport: transport, clock: clock)
    let sending = Task { [request] in try await sender.send(request, policy: .tracking) }
    await clock.untilSleeping()
    #expect(clock.nextDeadline == ManualClock.Instant(offset: .seconds(5)))
    clock.advance(by: .seconds(5))
    let result = await sending.result
    #expect(transport.requests == [request, request])
    guard case .failure(let error as RequestError) = result, case .refused(let response) = error
    else {
      Issue.record("two failures are a failure")
      return
    }
    #expect(response.status == status)
  }

  @Test(
    "remote data are tried once; by their rule 403 and 304 are failures",
    arguments: [304, 403, 500])
  func remoteData(_ status: Int) async {
    let transport = ScriptedTransport(statuses: status)
    let sender = RequestSender(transport: transport, clock: clock)
    await #expect(throws: RequestError.refused(HTTPResponse(status: status))) {
      try await sender.send(request, policy: .remoteData, rule: .successful)
    }
    #expect(transport.requests.count == 1)
  }

  @Test("no answer is a failure; cancelling ends the pause")
  func failures() async throws {
    let lost = ScriptedTransport([.lost(), .status(204)])
    let sender = RequestSender(transport: lost, clock: clock)
    let sending = Task { [request] in try await sender.send(request, policy: .tracking) }
    await clock.untilSleeping()
    sending.cancel()
    let result = await sending.result
    #expect(throws: RequestError.cancelled) { try result.get() }
    #expect(lost.requests.count == 1)

    let error = HTTPError(code: .connectionLost, message: "the connection was lost")
    await #expect(throws: RequestError.failed(error)) {
      try await RequestSender(transport: ScriptedTransport([.lost()]), clock: clock)
        .send(request, policy: .remoteData)
    }
  }

  @Test("error texts show no address and no body")
  func texts() {
    let response = HTTPResponse(status: 500, body: Array("visitor-1".utf8))
    #expect(RequestError.refused(response).description == "the server answered with status 500")
  }
}
