// SPDX-License-Identifier: Apache-2.0

/// One request and its answer on the server's thread.
final class Exchange: BodyReader {
  let connection: Connection
  var request: Request
  /// How many bytes of the body were received beyond the limit.
  var discarded = 0
  /// What is done about the request, once that is decided.
  var plan: AnswerPlan?
  /// Whether the delay of the plan is over.
  var isDelayOver = false
  /// Whether the connection is to be closed whatever the plan says.
  var isAborted = false
  /// Whether the connection is suspended.
  var isSuspended = false
  /// Whether the socket took no more raw bytes, so that its readiness must be waited for.
  var isBlocked = false
  /// How many bytes of the body, or raw bytes, have been sent.
  private(set) var sent = 0
  /// How many bytes may be sent before the next wait; nil where there is no pace.
  private(set) var allowance: Int?
  /// The wait for a delay or the next bytes.
  var timer: Task<Void, Never>?
  /// What is done elsewhere before there is a plan.
  var work: Task<Void, Never>?
  /// Whether the work is that of a function which answers for the platform.
  var isForwarded = false
  /// Hands on the body of an answer that comes in pieces.
  var pieces: Task<Void, Never>?
  /// The wait for the end of a stream.
  var lifetime: Task<Void, Never>?
  private unowned let server: Server

  init(_ request: Request, on connection: Connection, server: Server) {
    self.request = request
    self.connection = connection
    self.server = server
  }

  func begin(_ plan: AnswerPlan) {
    self.plan = plan
    allowance = plan.drip?.bytes
  }

  /// Allows the next bytes of a body with a pace.
  func refill() { allowance = plan?.drip?.bytes }

  /// How many bytes may be sent now out of a number that is there.
  func permitted(_ count: Int) -> Int { min(count, allowance ?? count) }

  func didSend(_ count: Int) {
    sent += count
    if let allowance { self.allowance = allowance - count }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Microhttpd.Reading {
    guard !isAborted, case .answer(let answer, let cut, let announced) = plan?.action else {
      return .abort
    }
    let room = min(buffer.count, (cut ?? .max) - sent)
    if room <= 0 { return .abort }
    guard permitted(1) > 0 else { return server.suspendForDrip(self) }
    switch answer.body {
    case .bytes(let body):
      let count = permitted(min(room, body.count - sent))
      if count == 0 { return announced == nil ? .end : .abort }
      body.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[sent..<sent + count])) }
      didSend(count)
      return .bytes(count)
    case .stream:
      switch server.takeStreamBytes(self, atMost: permitted(room)) {
      case .abort: return .abort
      case .end: return .end
      case .nothingYet: return server.suspendForNews(self)
      case .bytes(let bytes):
        bytes.withUnsafeBytes { buffer.copyMemory(from: $0) }
        didSend(bytes.count)
        return .bytes(bytes.count)
      }
    }
  }
}
