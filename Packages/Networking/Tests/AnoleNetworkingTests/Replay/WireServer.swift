// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleNetworkingTesting

/// Plays the recorded server on loopback, each endpoint in its own order.
final class WireServer: Sendable {
  private typealias Endpoint = WireExchange.Endpoint

  let server: LoopbackServer

  init?(_ exchanges: [WireExchange]) {
    let waiting = Lock(Dictionary(grouping: exchanges, by: \.endpoint))
    let server = LoopbackServer { connection in
      while let request = connection.readRequest() {
        let endpoint = Endpoint(url: request.line)
        let exchange = waiting.withLock { waiting -> WireExchange? in
          guard waiting[endpoint]?.isEmpty == false else { return nil }
          return waiting[endpoint]?.removeFirst()
        }
        guard let exchange else {
          connection.answer("599 More Than Recorded")
          continue
        }
        guard Self.answer(exchange, on: connection) else { return }
      }
    }
    guard let server else { return nil }
    self.server = server
  }

  /// - Returns: false if the connection ends here.
  private static func answer(_ exchange: WireExchange, on connection: LoopbackConnection) -> Bool {
    guard case .success(let response) = exchange.answer else { return false }
    let headers = response.headers.fields.map { "\($0.name): \($0.value)" }
    guard exchange.endpoint == .sse else {
      return connection.answer(
        "\(response.status) Recorded", headers: headers, body: response.body)
    }
    let head = ["HTTP/1.1 \(response.status) Recorded"] + headers + ["Connection: close", "", ""]
    connection.write(head.joined(separator: "\r\n"))
    for chunk in exchange.chunks { connection.write(chunk) }
    if !exchange.isEnded { connection.waitForClose() }
    return false
  }
}

/// Sends every request to a server on loopback instead of the host it names, by the real transport.
final class LoopbackWireTransport: WireRecorder {
  private let transport: CurlTransport
  private let origin: String
  private let requests = Lock<[(endpoint: WireExchange.Endpoint, request: HTTPRequest)]>([])

  init(_ transport: CurlTransport, to origin: String) {
    self.transport = transport
    self.origin = origin
  }

  var seen: [(endpoint: WireExchange.Endpoint, request: HTTPRequest)] {
    requests.withLock { $0 }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await transport.send(redirected(request))
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    try await transport.open(redirected(request))
  }

  private func redirected(_ request: HTTPRequest) -> HTTPRequest {
    requests.withLock { $0.append((WireExchange.Endpoint(url: request.url), request)) }
    var other = request
    other.url = origin + Self.target(of: request.url)
    return other
  }

  /// Path and query of a URL.
  static func target(of url: String) -> String {
    let rest = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return "/" + (rest.count > 3 ? rest[3] : "")
  }
}
