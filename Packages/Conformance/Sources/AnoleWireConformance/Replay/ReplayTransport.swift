// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleWireRecordings

/// Ticks off what the clients send, and sends it on to the recorded server by the real transport.
///
/// A client builds its requests for the platform's hosts; only the place is changed before they leave.
/// Requests beyond the recorded ones are answered here, so that they use up no recorded answer.
final class ReplayTransport: HTTPTransport {
  /// A request as it left, for comparison with what arrived.
  struct Sent: Sendable {
    let endpoint: WireEndpoint
    let request: HTTPRequest
  }

  private struct State: Sendable {
    var ledger: ExchangeLedger
    var answered: [WireEndpoint: Int] = [:]
    var sent: [Sent] = []
    /// Requests that could not even be read.
    var malformed: [String] = []
  }

  private let inner: any HTTPTransport
  private let origin: String
  private let time: ReplayTime
  private let delays: [Int: Int]
  private let state: Lock<State>

  init(
    _ inner: any HTTPTransport, to server: ReplayServer, recording: WireRecording,
    ledger: ExchangeLedger, time: ReplayTime
  ) {
    self.inner = inner
    origin = server.origin
    self.time = time
    let delays = recording.exchanges.map { ($0.sequence, $0.answer.delayMilliseconds) }
    self.delays = Dictionary(delays, uniquingKeysWith: max)
    state = Lock(State(ledger: ledger))
  }

  /// How many recorded requests to an endpoint have been answered.
  func answeredCount(_ endpoint: WireEndpoint) -> Int {
    state.withLock { $0.answered[endpoint] ?? 0 }
  }

  /// What was sent on, in its order.
  var sent: [Sent] { state.withLock { $0.sent } }

  /// What was found wrong so far.
  var differences: [String] { state.withLock { $0.malformed + $0.ledger.differences } }

  /// Everything that was found wrong, after the end.
  func finish() -> [String] { state.withLock { $0.malformed + $0.ledger.finish() } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    time.monitor.begin()
    var isPending = true
    defer { if isPending { time.monitor.end() } else { time.monitor.note() } }
    let (endpoint, verdict) = try judge(request)
    guard case .recorded(let sequence) = verdict else { return Self.answer(beyond: endpoint) }
    if (delays[sequence] ?? 0) > 0 {
      // A delayed answer waits for the clock.
      isPending = false
      time.monitor.end()
    }
    defer { noteAnswer(endpoint) }
    return try await inner.send(redirected(request))
  }

  /// What a request beyond the recorded ones is answered.
  private static func answer(beyond endpoint: WireEndpoint) -> HTTPResponse {
    switch endpoint {
    case .configuration: HTTPResponse(status: 304)
    case .token:
      HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Array(#"{"access_token": "BEYOND", "expires_in": 60}"#.utf8))
    default: HTTPResponse(status: 204)
    }
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    time.monitor.begin()
    defer { time.monitor.end() }
    let (endpoint, verdict) = try judge(request)
    guard case .recorded = verdict else {
      throw HTTPError(code: .connectFailed, message: "more streams than recorded")
    }
    defer { noteAnswer(endpoint) }
    let stream = try await inner.open(redirected(request))
    return HTTPStream(status: stream.status, headers: stream.headers, body: watched(stream.body))
  }

  private func judge(
    _ request: HTTPRequest
  ) throws(HTTPError) -> (WireEndpoint, ExchangeLedger.Verdict) {
    let observed: ObservedRequest
    do {
      observed = try ObservedRequest(request, at: time.now)
    } catch {
      state.withLock { $0.malformed.append("\(request.url): \(error)") }
      throw HTTPError(code: .invalidRequest, message: "\(error)")
    }
    let endpoint = observed.endpoint
    let verdict = state.withLock { state in
      let verdict = state.ledger.take(observed)
      if case .recorded = verdict, let endpoint {
        state.sent.append(Sent(endpoint: endpoint, request: request))
      }
      return verdict
    }
    guard let endpoint else {
      throw HTTPError(code: .invalidRequest, message: "the platform has no \(observed.path)")
    }
    return (endpoint, verdict)
  }

  private func noteAnswer(_ endpoint: WireEndpoint) {
    state.withLock { $0.answered[endpoint, default: 0] += 1 }
  }

  private func redirected(_ request: HTTPRequest) -> HTTPRequest {
    var other = request
    other.url = origin + request.target
    return other
  }

  private func watched(
    _ body: AsyncThrowingStream<[UInt8], any Error>
  ) -> AsyncThrowingStream<[UInt8], any Error> {
    let monitor = time.monitor
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await bytes in body {
            monitor.note()
            continuation.yield(bytes)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
        monitor.note()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension HTTPRequest {
  /// Path and query of the address.
  var target: String {
    let rest = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return "/" + (rest.count > 3 ? rest[3] : "")
  }
}

extension ObservedRequest {
  /// Far above the platform's own limit of 3 MB.
  private static let largestBody = 64 << 20

  /// Takes a request apart and decompresses its body.
  init(_ request: HTTPRequest, at moment: Duration) throws {
    var body = request.body ?? []
    if request.headers["Content-Encoding"] == "gzip" {
      // Long runs of one character compress better than the usual limit allows.
      let limits = DecompressionLimits(maximumSize: Self.largestBody, maximumRatio: 1_100)
      body = try Gzip.decompress(body, limits: limits)
    }
    try self.init(
      method: request.method.rawValue, url: request.url,
      headers: request.headers.fields.map { .init(name: $0.name, value: $0.value) }, body: body,
      moment: moment)
  }
}
