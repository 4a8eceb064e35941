// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Carries a streaming answer from the transport's thread to one consumer.
///
/// It keeps at most ``capacity`` bytes and one piece more; then it tells the producer to stop until
/// the consumer has taken what is there.
final class BodyPipe: Sendable {
  /// How much may lie in the pipe: a few round trips of a fast connection.
  static let capacity = 256 << 10

  typealias HeadWaiter = CheckedContinuation<Result<HTTPHead, HTTPError>, Never>
  typealias PieceWaiter = CheckedContinuation<Result<[UInt8]?, HTTPError>, Never>

  /// Status and headers, and who sent them.
  struct HTTPHead: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let origin: String
  }

  private struct State {
    var head: Result<HTTPHead, HTTPError>?
    var buffer: [UInt8] = []
    var end: Result<Void, HTTPError>?
    var isPaused = false
    var headWaiter: HeadWaiter?
    var pieceWaiter: PieceWaiter?
  }

  private let state = Lock(State())

  // MARK: The producer's side

  /// Hands over the head.
  func receive(_ head: HTTPHead) {
    let waiter = state.withLock { state -> HeadWaiter? in
      state.head = .success(head)
      defer { state.headWaiter = nil }
      return state.headWaiter
    }
    waiter?.resume(returning: .success(head))
  }

  /// True if there is room; otherwise the consumer's next call of ``next()`` says "resume".
  func hasRoom() -> Bool {
    state.withLock { state in
      state.isPaused = state.buffer.count >= Self.capacity
      return !state.isPaused
    }
  }

  /// Takes a piece of the body.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    let piece = [UInt8](bytes)
    let waiter = state.withLock { state -> PieceWaiter? in
      guard let waiter = state.pieceWaiter else {
        state.buffer += piece
        return nil
      }
      state.pieceWaiter = nil
      return waiter
    }
    waiter?.resume(returning: .success(piece))
  }

  /// Ends the answer, once.
  func finish(_ end: Result<Void, HTTPError>) {
    let (headWaiter, pieceWaiter) = state.withLock { state -> (HeadWaiter?, PieceWaiter?) in
      guard state.end == nil else { return (nil, nil) }
      state.end = end
      if state.head == nil { state.head = Self.headless(end) }
      defer { (state.headWaiter, state.pieceWaiter) = (nil, nil) }
      return (state.headWaiter, state.pieceWaiter)
    }
    headWaiter?.resume(returning: Self.headless(end))
    pieceWaiter?.resume(returning: Self.last(end))
  }

  // MARK: The consumer's side

  /// Waits for the head.
  func head() async -> Result<HTTPHead, HTTPError> {
    await withCheckedContinuation { waiter in
      let known = state.withLock { state -> Result<HTTPHead, HTTPError>? in
        if state.head == nil { state.headWaiter = waiter }
        return state.head
      }
      if let known { waiter.resume(returning: known) }
    }
  }

  /// Waits for what has arrived since the last call; nil at the end.
  ///
  /// - Parameter resume: Called if the producer was told to stop and may go on.
  func next(resume: @Sendable () -> Void) async -> Result<[UInt8]?, HTTPError> {
    await withCheckedContinuation { waiter in
      let (known, wasPaused) = state.withLock { state -> (Result<[UInt8]?, HTTPError>?, Bool) in
        if !state.buffer.isEmpty {
          let piece = state.buffer
          let wasPaused = state.isPaused
          state.buffer = []
          state.isPaused = false
          return (.success(piece), wasPaused)
        }
        if let end = state.end { return (Self.last(end), false) }
        precondition(state.pieceWaiter == nil, "a body has one consumer")
        state.pieceWaiter = waiter
        return (nil, false)
      }
      if wasPaused { resume() }
      if let known { waiter.resume(returning: known) }
    }
  }

  private static func headless(_ end: Result<Void, HTTPError>) -> Result<HTTPHead, HTTPError> {
    switch end {
    case .success: .failure(HTTPError(code: .malformedAnswer, message: "the answer has no head"))
    case .failure(let error): .failure(error)
    }
  }

  private static func last(_ end: Result<Void, HTTPError>) -> Result<[UInt8]?, HTTPError> {
    end.map { nil }
  }
}
