// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleWireRecordings

/// The platform of a recorded value: it answers at once, and keeps what it was asked.
final class VectorPlatform: HTTPTransport {
  /// What is answered.
  struct Answers: Sendable {
    /// The data file; nil for no answer within a day.
    var dataFile: JSONValue? = ["featureFlags": []]
    /// How many seconds the tokens live.
    var tokenLifetime: Int64 = 7_200
    /// The visitor data.
    var visitorData: JSONValue = [:]
  }

  private struct State: Sendable {
    var requests: [(endpoint: WireEndpoint, request: HTTPRequest)] = []
    var answers: Answers
    var tokens = 0
    var streams: [AsyncThrowingStream<[UInt8], any Error>.Continuation] = []
  }

  private let time: ReplayTime
  private let state: Lock<State>

  init(_ answers: Answers, time: ReplayTime) {
    self.time = time
    state = Lock(State(answers: answers))
  }

  /// What was asked of an endpoint, in its order.
  func requests(_ endpoint: WireEndpoint) -> [HTTPRequest] {
    state.withLock { state in
      state.requests.filter { $0.endpoint == endpoint }.map(\.request)
    }
  }

  /// Answers differently from now on.
  func change(_ change: (inout Answers) -> Void) { state.withLock { change(&$0.answers) } }

  /// Writes to the open streams.
  func push(_ text: String) {
    let streams = state.withLock { $0.streams }
    for stream in streams { stream.yield(Array(text.utf8)) }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    time.monitor.note()
    let endpoint = try note(request)
    let answers = state.withLock { $0.answers }
    switch endpoint {
    case .configuration:
      guard let dataFile = answers.dataFile else {
        do {
          try await time.clock.sleep(
            until: time.clock.now.advanced(by: .seconds(86_400)), tolerance: nil)
        } catch {
          throw HTTPError(code: .cancelled, message: "the request was cancelled")
        }
        return HTTPResponse(status: 503)
      }
      return Self.json(dataFile)
    case .token:
      let number = state.withLock { state in
        state.tokens += 1
        return state.tokens
      }
      return Self.json([
        "access_token": .string("TOKEN_\(number)"),
        "expires_in": .number(.integer(answers.tokenLifetime)),
      ])
    case .visitorData: return Self.json(answers.visitorData)
    case .remoteData: return Self.json([:])
    case .tracking, .events: return HTTPResponse(status: 204)
    }
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    _ = try note(request)
    let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    state.withLock { $0.streams.append(continuation) }
    return HTTPStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
  }

  private func note(_ request: HTTPRequest) throws(HTTPError) -> WireEndpoint {
    let path = String(request.target.prefix { $0 != "?" })
    guard let endpoint = WireEndpoint(path: path) else {
      throw HTTPError(code: .invalidRequest, message: "the platform has no \(path)")
    }
    state.withLock { $0.requests.append((endpoint, request)) }
    return endpoint
  }

  private static func json(_ value: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Array(value.text().utf8))
  }
}
