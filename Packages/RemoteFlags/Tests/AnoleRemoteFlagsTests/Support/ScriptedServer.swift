// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking

/// A server in the process: answers by a closure, keeps what it was asked, and holds answers back.
final class ScriptedServer: HTTPTransport {
  /// A request as the server sees it.
  struct Call: Sendable {
    let request: HTTPRequest
    /// The last part of the path.
    let method: String
    /// The member `request` of the body.
    let body: JSONValue

    init(_ request: HTTPRequest) {
      self.request = request
      method = request.url.split(separator: "/").last.map(String.init) ?? ""
      let root = try? JSONValue(parsing: request.body ?? [])
      body = root?["request"] ?? .null
    }

    var user: String { body["userId"]?.stringValue ?? "" }
    var isForFlags: Bool { method == "getFeatureFlags" }
  }

  enum Reply: Sendable {
    case answer(Int, [UInt8], HTTPHeaders = [:])
    /// An answer whose body breaks off.
    case broken(Int, [UInt8])
    case failure(HTTPError.Code)
    /// Nothing until the test releases it.
    case held

    static func json(_ text: String) -> Reply { .answer(200, Array(text.utf8)) }
  }

  private struct Held {
    let number: Int
    let call: Call
    let continuation: CheckedContinuation<Reply, Never>
  }

  private struct State {
    var calls: [Call] = []
    var held: [Held] = []
    var cancelled: Set<Int> = []
    var next = 0
    var answer: @Sendable (Call) -> Reply
  }

  private let state: Lock<State>
  /// Whether answers arrive although the client does not want them any more.
  let answersCancelled: Bool

  init(
    answersCancelled: Bool = true,
    _ answer: @escaping @Sendable (Call) -> Reply = { _ in .held }
  ) {
    self.answersCancelled = answersCancelled
    state = Lock(State(answer: answer))
  }

  /// All requests so far.
  var calls: [Call] { state.withLock { $0.calls } }
  /// The requests for flags so far.
  var flagCalls: [Call] { calls.filter(\.isForFlags) }
  var heldCount: Int { state.withLock { $0.held.count } }

  /// Answers by another closure from now on.
  func answer(_ answer: @escaping @Sendable (Call) -> Reply) {
    state.withLock { $0.answer = answer }
  }

  /// Answers the oldest request that is held.
  func release(_ reply: Reply) {
    let held = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
    held?.continuation.resume(returning: reply)
  }

  /// Answers everything that is held by the closure.
  func releaseAll(_ answer: (Call) -> Reply) {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for held in held { held.continuation.resume(returning: answer(held.call)) }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .other, message: "this server answers as a stream only")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    let call = Call(request)
    let (number, answer) = state.withLock { state in
      state.calls.append(call)
      state.next += 1
      return (state.next, state.answer)
    }
    var reply = answer(call)
    if case .held = reply { reply = await hold(call, number) }
    switch reply {
    case .answer(let status, let body, let headers):
      return HTTPStream(status: status, headers: headers, body: Self.body([body], nil))
    case .broken(let status, let body):
      let error = HTTPError(code: .connectionLost, message: "the connection was lost")
      return HTTPStream(status: status, headers: [:], body: Self.body([body], error))
    case .failure(let code): throw HTTPError(code: code, message: "by the script")
    case .held: throw HTTPError(code: .other, message: "held twice")
    }
  }

  private func hold(_ call: Call, _ number: Int) async -> Reply {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(number), !answersCancelled { return true }
          state.held.append(Held(number: number, call: call, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled)) }
      }
    } onCancel: {
      guard !answersCancelled else { return }
      let held = state.withLock { state -> Held? in
        state.cancelled.insert(number)
        guard let index = state.held.firstIndex(where: { $0.number == number }) else { return nil }
        return state.held.remove(at: index)
      }
      held?.continuation.resume(returning: .failure(.cancelled))
    }
  }

  private static func body(
    _ pieces: [[UInt8]], _ error: HTTPError?
  ) -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { continuation in
      for piece in pieces where !piece.isEmpty { continuation.yield(piece) }
      continuation.finish(throwing: error)
    }
  }
}

/// A flag as a server writes it.
struct TestFlag: Sendable {
  var key: String
  var isEnabled = true
  var rule = "r_1"
  var values = "{}"

  init(_ key: String, _ isEnabled: Bool = true, rule: String = "r_1", _ values: String = "{}") {
    self.key = key
    self.isEnabled = isEnabled
    self.rule = rule
    self.values = values
  }

  init(_ key: String, _ values: String) {
    self.init(key, true, values)
  }

  var text: String {
    """
    {"key":\(JSONValue.string(key)),"enabled":\(isEnabled),"rule_id":\(JSONValue.string(rule)),\
    "properties":\(values)}
    """
  }
}

extension ScriptedServer.Reply {
  /// A complete answer, or one that is marked as not complete.
  static func flags(
    _ flags: TestFlag..., partial: Bool = false, baseURL: String? = nil
  ) -> ScriptedServer.Reply {
    flagList(flags, partial: partial, baseURL: baseURL)
  }

  static func flagList(
    _ flags: [TestFlag], partial: Bool = false, baseURL: String? = nil
  ) -> ScriptedServer.Reply {
    let list = flags.map(\.text).joined(separator: ",")
    let base = baseURL.map { ",\"base_url\":\(JSONValue.string($0))" } ?? ""
    return .json(
      """
      {"status_code":200,"status_message":"OK","response":{"flags":[\(list)],\
      "partial":\(partial)}\(base)}
      """)
  }

  /// Success of a call other than for flags.
  static let done = json(#"{"status_code":200,"status_message":"OK","response":null}"#)
}
