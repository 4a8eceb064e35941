// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// A transport that keeps what it was asked.
protocol WireRecorder: HTTPTransport {
  /// The requests so far.
  var seen: [(endpoint: WireExchange.Endpoint, request: HTTPRequest)] { get }
}

extension WireRecorder {
  func count(_ endpoint: WireExchange.Endpoint) -> Int { seen.count { $0.endpoint == endpoint } }
}

/// Answers as the recorded server did, each endpoint in its own order, and keeps what it was asked.
final class WireTransport: WireRecorder {
  typealias Endpoint = WireExchange.Endpoint

  private struct State: Sendable {
    var waiting: [Endpoint: [WireExchange]]
    var seen: [(endpoint: Endpoint, request: HTTPRequest)] = []
  }

  private let state: Lock<State>

  init(_ exchanges: [WireExchange]) {
    state = Lock(State(waiting: Dictionary(grouping: exchanges, by: \.endpoint)))
  }

  var seen: [(endpoint: Endpoint, request: HTTPRequest)] { state.withLock { $0.seen } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try take(request).answer.get()
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let exchange = try take(request)
    let response = try exchange.answer.get()
    let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    for chunk in exchange.chunks { continuation.yield(Array(chunk.utf8)) }
    if exchange.isEnded { continuation.finish() }
    return HTTPStream(status: response.status, headers: response.headers, body: body)
  }

  private func take(_ request: HTTPRequest) throws(HTTPError) -> WireExchange {
    let endpoint = Endpoint(url: request.url)
    let exchange = state.withLock { state -> WireExchange? in
      state.seen.append((endpoint, request))
      guard state.waiting[endpoint]?.isEmpty == false else { return nil }
      return state.waiting[endpoint]?.removeFirst()
    }
    guard let exchange else {
      throw HTTPError(code: .other, message: "one request more than recorded to \(endpoint)")
    }
    return exchange
  }
}

extension WireExchange.Endpoint {
  /// The endpoint that a URL, or a path with its query, belongs to.
  init(url: String) {
    let paths: [(String, Self)] = [
      ("/v3/", .config), ("/sse?", .sse), ("/visit/events?", .tracking),
      ("/visit/visitor?", .visitorData), ("/map/map?", .remoteData),
    ]
    self = paths.first { url.contains($0.0) }?.1 ?? .token
  }
}
