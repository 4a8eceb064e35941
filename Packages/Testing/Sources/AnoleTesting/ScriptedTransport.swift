// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import AnoleNetworking

/// A transport that answers from a script and keeps what it was asked.
///
/// An answer is taken from the queue: the first one whose place is part of the request's address. If there
/// is none, the standing answers are looked at, the newest first. If there is none either, the request
/// fails with a message that names it. No time passes: the limits of requests play no role.
///
/// Threading: any thread may call any member.
public final class ScriptedTransport: HTTPTransport {
  /// What a request gets.
  public enum Answer: Sendable {
    /// An answer of the server.
    case response(HTTPResponse)
    /// No answer arrives.
    case failure(HTTPError)
    /// Nothing happens until the task that waits is cancelled.
    case hanging
    /// An answer whose body the test sends.
    case stream(ScriptedStream)

    /// An answer 200 with JSON.
    ///
    /// - Parameters:
    ///   - text: The JSON text.
    ///   - headers: More headers.
    public static func json(_ text: String, headers: HTTPHeaders = [:]) -> Answer {
      var headers = headers
      headers["Content-Type"] = "application/json"
      return .response(HTTPResponse(status: 200, headers: headers, body: Array(text.utf8)))
    }

    /// An answer without body.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The headers.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Answer {
      .response(HTTPResponse(status: status, headers: headers))
    }
  }

  private struct Entry: Sendable {
    let place: String
    let answer: @Sendable (HTTPRequest) -> Answer
  }

  private struct Watcher: Sendable {
    let id: Int
    let place: String
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var queue: [Entry] = []
    var standing: [Entry] = []
    var requests: [HTTPRequest] = []
    var watchers: [Watcher] = []
    var nextID = 0

    func count(_ place: String) -> Int {
      requests.count { ScriptedTransport.matches($0, place) }
    }

    mutating func entry(for request: HTTPRequest) -> Entry? {
      if let index = queue.firstIndex(where: { ScriptedTransport.matches(request, $0.place) }) {
        return queue.remove(at: index)
      }
      return standing.last { ScriptedTransport.matches(request, $0.place) }
    }

    mutating func satisfiedWatchers() -> [Watcher] {
      let satisfied = watchers.filter { count($0.place) >= $0.count }
      let ids = Set(satisfied.map(\.id))
      watchers.removeAll { ids.contains($0.id) }
      return satisfied
    }
  }

  private let state = Lock(State())

  /// Makes a transport with a queue of answers to any requests.
  ///
  /// - Parameter answers: The answers in order.
  public init(_ answers: Answer...) {
    for answer in answers { enqueue(answer) }
  }

  /// Puts an answer at the end of the queue.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - place: A part of the address it is for, such as `/v3/`; empty for any.
  public func enqueue(_ answer: Answer, for place: String = "") {
    state.withLock { $0.queue.append(Entry(place: place) { _ in answer }) }
  }

  /// Answers all requests for which nothing is queued.
  ///
  /// - Parameters:
  ///   - place: A part of the address it is for; empty for any.
  ///   - answer: Makes the answer; called on the thread that sends.
  public func always(
    for place: String = "", _ answer: @escaping @Sendable (HTTPRequest) -> Answer
  ) {
    state.withLock { $0.standing.append(Entry(place: place, answer: answer)) }
  }

  /// The requests in the order in which they were sent.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The requests to a place, in the order in which they were sent.
  ///
  /// - Parameter place: A part of the address.
  public func requests(to place: String) -> [HTTPRequest] {
    requests.filter { Self.matches($0, place) }
  }

  /// Waits until a number of requests were sent; returns too when the task is cancelled.
  ///
  /// - Parameters:
  ///   - count: The number, from the start.
  ///   - place: A part of the address of those that count; empty for any.
  public func untilRequests(_ count: Int, to place: String = "") async {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if Task.isCancelled || state.count(place) >= count { return true }
          state.watchers.append(
            Watcher(id: id, place: place, count: count, continuation: continuation))
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state -> Watcher? in
        guard let index = state.watchers.firstIndex(where: { $0.id == id }) else { return nil }
        return state.watchers.remove(at: index)
      }
      watcher?.continuation.resume()
    }
  }

  /// Takes the next answer of the script as a whole one.
  ///
  /// - Parameter request: The request; it is kept.
  /// - Returns: The answer.
  /// - Throws: The scripted error; `HTTPError` too where the script has no answer, or a stream.
  public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    switch answer(to: request) {
    case .response(let response): return response
    case .failure(let error): throw error
    case .hanging: throw await Self.hang()
    case .stream:
      throw HTTPError(code: .other, message: "the script has a stream for \(Self.name(request))")
    }
  }

  /// Takes the next answer of the script as a stream.
  ///
  /// - Parameter request: The request; it is kept.
  /// - Returns: The answer; the body of a whole one arrives in one piece.
  /// - Throws: The scripted error; `HTTPError` too where the script has no answer.
  public func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    switch answer(to: request) {
    case .response(let response):
      let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      if !response.body.isEmpty { continuation.yield(response.body) }
      continuation.finish()
      return HTTPStream(status: response.status, headers: response.headers, body: body)
    case .failure(let error): throw error
    case .hanging: throw await Self.hang()
    case .stream(let stream): return stream.open()
    }
  }

  private func answer(to request: HTTPRequest) -> Answer {
    let (entry, watchers) = state.withLock { state in
      state.requests.append(request)
      return (state.entry(for: request), state.satisfiedWatchers())
    }
    for watcher in watchers { watcher.continuation.resume() }
    return entry?.answer(request)
      ?? .failure(
        HTTPError(code: .other, message: "the script has no answer for \(Self.name(request))"))
  }

  private static func hang() async -> HTTPError {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    // The sequence has no element; it ends when the task is cancelled.
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    return HTTPError(code: .cancelled, message: "the request was cancelled")
  }

  private static func matches(_ request: HTTPRequest, _ place: String) -> Bool {
    place.isEmpty || request.url.contains(place)
  }

  private static func name(_ request: HTTPRequest) -> String {
    "\(request.method.rawValue) \(request.url.prefix { $0 != "?" })"
  }
}
