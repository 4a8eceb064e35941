// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// The platform without a network: answers by route from a script, keeps what it was asked.
final class FakePlatform: HTTPTransport {
  /// What a request asks for.
  enum Route: Sendable, Hashable {
    case config, sse, tracking, visitorData, remoteData, token

    init(_ request: HTTPRequest) {
      let path =
        request.url.drop { $0 != "?" }.isEmpty
        ? request.url : String(request.url.prefix { $0 != "?" })
      if path.hasSuffix("/sse") {
        self = .sse
      } else if path.hasSuffix("/visit/events") {
        self = .tracking
      } else if path.hasSuffix("/visit/visitor") {
        self = .visitorData
      } else if path.hasSuffix("/map/map") {
        self = .remoteData
      } else if path.hasSuffix("/oauth/token") {
        self = .token
      } else {
        self = .config
      }
    }
  }

  typealias Answer = Result<HTTPResponse, HTTPError>
  typealias StreamContinuation = AsyncThrowingStream<[UInt8], any Error>.Continuation

  private struct Watcher: Sendable {
    let route: Route
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var scripts: [Route: [Answer]] = [:]
    var defaults: [Route: Answer] = [
      .config: .failure(HTTPError(code: .connectFailed, message: "no data file")),
      .tracking: .success(HTTPResponse(status: 204)),
    ]
    var requests: [HTTPRequest] = []
    var counts: [Route: Int] = [:]
    var watchers: [Watcher] = []
    var held: Set<Route> = []
    var waiting: [Int: (route: Route, continuation: CheckedContinuation<Void, Never>)] = [:]
    var nextID = 0
    var streams: [Int: StreamContinuation] = [:]
    var refusedStreams = 0

    mutating func id() -> Int {
      defer { nextID += 1 }
      return nextID
    }
  }

  private let state = Lock(State())

  // MARK: Script

  /// The answer of a route when its script has ended.
  func answer(_ route: Route, _ answer: Answer) {
    state.withLock { $0.defaults[route] = answer }
  }

  /// The next answers of a route.
  func script(_ route: Route, _ answers: Answer...) {
    state.withLock { $0.scripts[route, default: []] += answers }
  }

  /// From now on requests of a route wait for ``release(_:)``.
  func hold(_ route: Route) {
    state.withLock { _ = $0.held.insert(route) }
  }

  /// Answers the requests of a route that wait, and later ones at once.
  func release(_ route: Route) {
    let waiting = state.withLock { state in
      state.held.remove(route)
      let ids = state.waiting.filter { $0.value.route == route }.keys
      return ids.compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
    }
    for continuation in waiting { continuation.resume() }
  }

  // MARK: Journal

  /// The requests of a route in their order.
  func requests(_ route: Route) -> [HTTPRequest] {
    state.withLock { $0.requests }.filter { Route($0) == route }
  }

  /// The requests that wait for an answer.
  var heldCount: Int { state.withLock { $0.waiting.count } }

  /// The lines of all tracking requests, oldest first, as parameters.
  var lines: [[String: String]] {
    requests(.tracking).flatMap { request -> [[String: String]] in
      var body = request.body ?? []
      if request.headers["Content-Encoding"] == "gzip" {
        // A body that does not decode shows as no lines.
        body = (try? Gzip.decompress(body)) ?? []
      }
      return String(decoding: body, as: UTF8.self).split(separator: "\n").map(Self.parameters)
    }
  }

  /// The decoded parameters of a query or a line.
  static func parameters(_ query: some StringProtocol) -> [String: String] {
    let pairs = query.split(separator: "&").map { pair -> (String, String) in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? decoded(String(parts[1])) : "")
    }
    return Dictionary(pairs) { _, last in last }
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until so many requests of a route have arrived.
  func untilRequests(_ route: Route, _ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        guard state.counts[route, default: 0] < count else { return true }
        state.watchers.append(Watcher(route: route, count: count, continuation: continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  // MARK: Streams

  /// How many streams are open.
  var openStreams: Int { state.withLock { $0.streams.count } }

  /// Refuses the next streams.
  func refuseStreams(_ count: Int) { state.withLock { $0.refusedStreams = count } }

  /// Sends text on all open streams.
  func push(_ text: String) {
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams { stream.yield(Array(text.utf8)) }
  }

  /// Tells the open streams of a new configuration.
  func pushUpdate(_ timestamp: Int64) {
    push("event: configuration-update-event\ndata: {\"ts\": \(timestamp)}\n\n")
  }

  /// Ends all open streams.
  func closeStreams() {
    let streams = state.withLock { state in
      defer { state.streams = [:] }
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }

  // MARK: HTTPTransport

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let route = Route(request)
    let (answer, watchers) = note(request, route)
    for watcher in watchers { watcher.continuation.resume() }
    await waitIfHeld(route)
    guard !Task.isCancelled else { throw HTTPError(code: .cancelled, message: "cancelled") }
    return try answer.get()
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let route = Route(request)
    let (_, watchers) = note(request, route)
    let isRefused = state.withLock { state in
      guard state.refusedStreams > 0 else { return false }
      state.refusedStreams -= 1
      return true
    }
    for watcher in watchers { watcher.continuation.resume() }
    await waitIfHeld(route)
    guard !Task.isCancelled else { throw HTTPError(code: .cancelled, message: "cancelled") }
    if isRefused { throw HTTPError(code: .connectFailed, message: "refused") }
    let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let id = state.withLock { state in
      let id = state.id()
      state.streams[id] = continuation
      return id
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.streams[id] = nil }
    }
    return HTTPStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
  }

  private func note(_ request: HTTPRequest, _ route: Route) -> (Answer, [Watcher]) {
    state.withLock { state in
      state.requests.append(request)
      state.counts[route, default: 0] += 1
      let reached = state.watchers.filter {
        $0.route == route && $0.count <= state.counts[route, default: 0]
      }
      state.watchers.removeAll { $0.route == route && $0.count <= state.counts[route, default: 0] }
      let answer: Answer
      if state.scripts[route, default: []].isEmpty {
        answer =
          state.defaults[route] ?? .failure(HTTPError(code: .other, message: "no script: \(route)"))
      } else {
        answer = state.scripts[route, default: []].removeFirst()
      }
      return (answer, reached)
    }
  }

  private func waitIfHeld(_ route: Route) async {
    let id = state.withLock { $0.id() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isHeld = state.withLock { state in
          guard state.held.contains(route), !Task.isCancelled else { return false }
          state.waiting[id] = (route, continuation)
          return true
        }
        if !isHeld { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id)?.continuation }?.resume()
    }
  }
}

extension Result where Success == HTTPResponse, Failure == HTTPError {
  /// A JSON document.
  static func json(
    _ bytes: [UInt8], lastModified: String? = nil, entityTag: String? = nil
  ) -> Self {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers["Last-Modified"] = lastModified
    headers["ETag"] = entityTag
    return .success(HTTPResponse(status: 200, headers: headers, body: bytes))
  }

  /// A JSON document.
  static func json(
    _ text: String, lastModified: String? = nil, entityTag: String? = nil
  ) -> Self {
    .json(Array(text.utf8), lastModified: lastModified, entityTag: entityTag)
  }

  /// A status without body.
  static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> Self {
    .success(HTTPResponse(status: status, headers: headers))
  }

  /// No answer.
  static var lost: Self { .failure(HTTPError(code: .connectionLost, message: "lost")) }
}
