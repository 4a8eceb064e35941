// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import AnoleNetworking

/// An answer whose body a test sends piece by piece, such as an event stream; for one request.
public final class ScriptedStream: Sendable {
  private let status: Int
  private let headers: HTTPHeaders
  private let body: AsyncThrowingStream<[UInt8], any Error>
  private let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
  private let closed: Lock<Bool>

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The headers; those of an event stream by default.
  public init(status: Int = 200, headers: HTTPHeaders = ["Content-Type": "text/event-stream"]) {
    self.status = status
    self.headers = headers
    closed = Lock(false)
    (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    continuation.onTermination = { [weak self] _ in self?.closed.withLock { $0 = true } }
  }

  /// Whether the answer has ended, by whichever side.
  public var isClosed: Bool { closed.withLock { $0 } }

  /// Sends a piece of the body; what is sent before the request arrives waits for it.
  ///
  /// - Parameter text: The piece.
  public func send(_ text: String) { continuation.yield(Array(text.utf8)) }

  /// Ends the body as a server does.
  public func end() { continuation.finish() }

  /// Ends the body by a failure.
  ///
  /// - Parameter error: The failure.
  public func fail(_ error: HTTPError) { continuation.finish(throwing: error) }

  func open() -> HTTPStream { HTTPStream(status: status, headers: headers, body: body) }
}
