// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// Answers requests from a script and keeps what it was asked.
final class ScriptedTransport: HTTPTransport {
  private struct State: Sendable {
    var answers: [Result<HTTPResponse, HTTPError>]
    var requests: [HTTPRequest] = []
    var isHeld = false
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Lock<State>

  init(_ answers: [Result<HTTPResponse, HTTPError>]) { state = Lock(State(answers: answers)) }

  convenience init(statuses: Int...) {
    self.init(statuses.map { .success(HTTPResponse(status: $0)) })
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var answersLeft: Int { state.withLock { $0.answers.count } }

  /// From now on requests wait for ``release()``.
  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Waits until so many requests have arrived.
  func untilRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        guard state.requests.count < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let (watchers, answer) = state.withLock { state in
      state.requests.append(request)
      let count = state.requests.count
      let reached = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      let answer =
        state.answers.isEmpty
        ? .failure(HTTPError(code: .other, message: "the script has ended"))
        : state.answers.removeFirst()
      return (reached, answer)
    }
    for watcher in watchers { watcher.resume() }
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.isHeld { state.held.append(continuation) }
        return state.isHeld
      }
      if !isHeld { continuation.resume() }
    }
    if Task.isCancelled { throw HTTPError(code: .cancelled, message: "cancelled") }
    return try answer.get()
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .other, message: "this script has no streams")
  }
}

extension Result where Success == HTTPResponse, Failure == HTTPError {
  static func json(_ text: String, _ headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return .success(HTTPResponse(status: 200, headers: headers, body: Array(text.utf8)))
  }

  static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> Self {
    .success(HTTPResponse(status: status, headers: headers))
  }

  static func lost() -> Self {
    .failure(HTTPError(code: .connectionLost, message: "the connection was lost"))
  }
}
