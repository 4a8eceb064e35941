// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleNetworkingTesting
import Dispatch

/// The platform of an example on loopback: answers each request by the first exchange of its path.
final class ReplayServer: Sendable {
  private struct State {
    var waiting: [ReplayExchange] = []
    var met: [(exchange: ReplayExchange, request: LoopbackRequest)] = []
    var unexpected: [LoopbackRequest] = []
    /// Answers of requests that are held, once they are known.
    var held: [String: Gate] = [:]
    var openHolds: Set<String> = []
  }

  private final class Gate: Sendable {
    private let answer = Lock<JSONValue?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func open(_ response: JSONValue?) {
      answer.withLock { $0 = response }
      semaphore.signal()
    }

    func wait() -> JSONValue? {
      semaphore.wait()
      return answer.withLock { $0 }
    }
  }

  /// Shared with the script, which is made before this object is complete.
  private final class Board: Sendable {
    let state = Lock(State())
    /// Left while answers may go out.
    let silence = DispatchGroup()
  }

  private let board: Board
  private let server: LoopbackServer
  /// Answers whatever comes in plain text, which is no TLS.
  private let plain: LoopbackServer

  init?() {
    let board = Board()
    self.board = board
    guard
      let server = LoopbackServer({ connection in
        while let request = connection.readRequest() {
          let words = request.line.split(separator: " ").map(String.init)
          let path = words.count > 1 ? words[1] : ""
          let (exchange, gate) = board.state.withLock { state -> (ReplayExchange?, Gate?) in
            guard let index = state.waiting.firstIndex(where: { $0.path == path }) else {
              state.unexpected.append(request)
              return (nil, nil)
            }
            let exchange = state.waiting.remove(at: index)
            state.met.append((exchange, request))
            guard let name = exchange.holdName else { return (exchange, nil) }
            let gate = Gate()
            state.held[name] = gate
            state.openHolds.insert(name)
            return (exchange, gate)
          }
          guard let exchange else {
            connection.answer("599 Not In The Example")
            continue
          }
          if exchange.transportError == "timeout" {
            connection.waitForClose()
            return
          }
          guard let response = gate.map({ $0.wait() }) ?? exchange.response else { return }
          board.silence.wait()
          connection.write(ReplayExchange.bytes(response))
          if response["closeEarly"] == true { return }
        }
      })
    else { return nil }
    let plain = LoopbackServer { connection in
      _ = connection.read()
      connection.answer("400 Bad Request")
    }
    guard let plain else { return nil }
    self.server = server
    self.plain = plain
  }

  var port: Int { server.port }
  var plainPort: Int { plain.port }

  /// Runs work during which nothing is answered.
  func withoutAnswers(_ work: () async throws -> Void) async throws {
    board.silence.enter()
    defer { board.silence.leave() }
    try await work()
  }

  /// Adds what the next step has to bring about.
  func expect(_ exchanges: [ReplayExchange]) {
    board.state.withLock { $0.waiting += exchanges }
  }

  /// Takes what has been met and what has not.
  func take() -> (
    met: [(exchange: ReplayExchange, request: LoopbackRequest)], missing: [ReplayExchange],
    unexpected: [LoopbackRequest]
  ) {
    board.state.withLock { state in
      defer {
        state.met = []
        state.waiting = []
        state.unexpected = []
      }
      return (state.met, state.waiting, state.unexpected)
    }
  }

  /// Notes that a request ended before it reached the server.
  func meetElsewhere(_ exchange: ReplayExchange) {
    board.state.withLock { state in
      state.waiting.removeAll { $0.path == exchange.path && $0.transportError != nil }
    }
  }

  /// The first exchange of a path that is still to come.
  func next(_ path: String) -> ReplayExchange? {
    board.state.withLock { $0.waiting.first { $0.path == path } }
  }

  var isWaiting: Bool { board.state.withLock { !$0.waiting.isEmpty } }
  var isHolding: Bool { board.state.withLock { !$0.openHolds.isEmpty } }

  /// Answers a request that is held.
  func release(_ name: String, _ response: JSONValue) {
    let gate = board.state.withLock { state in
      state.openHolds.remove(name)
      return state.held.removeValue(forKey: name)
    }
    gate?.open(response)
  }

  func stop() {
    let gates = board.state.withLock { state in
      defer { state.held = [:] }
      return Array(state.held.values)
    }
    for gate in gates { gate.open(nil) }
    server.stop()
    plain.stop()
  }
}

/// Sends every request to the loopback server in place of the host it names, or lets it fail on the way.
final class ReplayTransport: HTTPTransport {
  /// The header that tells the server where the request was to go.
  static let originHeader = "X-Example-Origin"

  private let curl: CurlTransport
  private let server: ReplayServer

  init(_ server: ReplayServer) {
    self.server = server
    curl = CurlTransport(
      CurlTransport.Configuration(userAgent: HTTPUserAgent("anole-tests/1.0"), proxy: .none))
  }

  func shutdown() { curl.shutdown() }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await curl.send(redirected(request))
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    try await curl.open(redirected(request))
  }

  private func redirected(_ request: HTTPRequest) -> HTTPRequest {
    let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let path = "/" + (parts.count > 3 ? String(parts[3]) : "")
    var other = request
    other.headers[Self.originHeader] = parts.prefix(3).joined(separator: "/")
    other.url = "http://127.0.0.1:\(server.port)\(path)"
    guard let exchange = server.next(path), let failure = exchange.transportError else {
      return other
    }
    switch failure {
    case "timeout":
      other.timeout = .milliseconds(100)
      return other
    case "resolve":
      // A label has 63 characters at most: the resolver knows without asking anybody.
      other.url = "http://\(String(repeating: "a", count: 64)).invalid\(path)"
    case "connect":
      other.url = "http://127.0.0.1:1\(path)"
    default:
      other.url = "https://127.0.0.1:\(server.plainPort)\(path)"
    }
    server.meetElsewhere(exchange)
    return other
  }
}
