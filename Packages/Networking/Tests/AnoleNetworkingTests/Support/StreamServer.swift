// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// Plays the server of event streams: a test accepts, feeds and ends connections.
final class StreamServer: HTTPTransport {
  /// How requests are answered.
  enum Manner: Sendable {
    case accept(HTTPHeaders)
    case refuse(Int)
    case fail(HTTPError)
    case hang
  }

  private typealias Continuation = AsyncThrowingStream<[UInt8], any Error>.Continuation

  private struct State: Sendable {
    var manner: Manner
    var requests: [HTTPRequest] = []
    var live: Set<Int> = []
    var mostLive = 0
    var current: Continuation?
  }

  private let state: Lock<State>

  init(_ manner: Manner = .accept(["Content-Type": "text/event-stream"])) {
    state = Lock(State(manner: manner))
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  /// The number of connections and pending requests now.
  var liveCount: Int { state.withLock { $0.live.count } }
  /// The greatest number of them at any time.
  var mostLive: Int { state.withLock { $0.mostLive } }

  func answer(_ manner: Manner) { state.withLock { $0.manner = manner } }

  func push(_ text: String) { push(Array(text.utf8)) }

  func push(_ bytes: [UInt8]) { _ = state.withLock { $0.current }?.yield(bytes) }

  /// Ends the stream from the server's side.
  func end(_ error: HTTPError? = nil) {
    let current = state.withLock { $0.current }
    if let error { current?.finish(throwing: error) } else { current?.finish() }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .other, message: "this server has only streams")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let (id, manner) = state.withLock { state in
      let id = state.requests.count
      state.requests.append(request)
      state.live.insert(id)
      state.mostLive = max(state.mostLive, state.live.count)
      return (id, state.manner)
    }
    let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    continuation.onTermination = { [self] _ in leave(id) }
    switch manner {
    case .accept(let headers):
      state.withLock { $0.current = continuation }
      return HTTPStream(status: 200, headers: headers, body: body)
    case .refuse(let status):
      continuation.finish()
      return HTTPStream(status: status, headers: [:], body: body)
    case .fail(let error):
      continuation.finish()
      throw error
    case .hang:
      await hang()
      continuation.finish()
      throw HTTPError(code: .cancelled, message: "cancelled")
    }
  }

  private func leave(_ id: Int) { _ = state.withLock { $0.live.remove(id) } }

  /// Waits until the task is cancelled.
  private func hang() async {
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    continuation.finish()
  }
}
