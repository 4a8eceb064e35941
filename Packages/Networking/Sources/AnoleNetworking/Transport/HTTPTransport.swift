// SPDX-License-Identifier: Apache-2.0

/// Sends requests.
///
/// Everything above the transport sees only this protocol, so that tests script it and other HTTP
/// stacks can take its place.
///
/// Redirects are followed by the rules of the network specification, section 1.6: at most 8;
/// method and body are kept for 307 and 308; `Authorization` never goes to another host. Bodies are
/// decoded from gzip and deflate. Any status that arrives is an answer, not an error.
///
/// Cancelling the task that waits cancels the transfer.
public protocol HTTPTransport: Sendable {
  /// Sends a request and reads the whole answer.
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// Sends a request and hands out the answer's body as it arrives; returns with its head.
  ///
  /// - Throws: ``HTTPError`` if no head arrives. What fails later is thrown by the body.
  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream
}

/// A whole answer.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 200…599.
  public let status: Int
  /// The headers of the last answer, after redirects.
  public let headers: HTTPHeaders
  /// The decoded body.
  public let body: [UInt8]

  /// Makes an answer.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// An answer whose body is still arriving.
public struct HTTPStream: Sendable {
  /// The status code, 200…599.
  public let status: Int
  /// The headers of the last answer, after redirects.
  public let headers: HTTPHeaders
  /// The decoded body, piece by piece; one consumer.
  ///
  /// Ending the iteration, or cancelling the task that iterates, closes the connection. Fails with
  /// ``HTTPError``.
  public let body: AsyncThrowingStream<[UInt8], any Error>

  /// Makes a streaming answer.
  public init(
    status: Int, headers: HTTPHeaders, body: AsyncThrowingStream<[UInt8], any Error>
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
