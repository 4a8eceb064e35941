// SPDX-License-Identifier: Apache-2.0

/// Why no usable answer arrived.
public struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
      case invalidRequest, resolveFailed, connectFailed, tlsFailed, timedOut, cancelled
      case connectionLost, malformedAnswer, bodyTooLarge, tooManyRedirects, other
    }
    private let kind: Kind

    /// The request cannot be sent as it is: its URL, a header or a file it names.
    public static let invalidRequest = Code(kind: .invalidRequest)
    /// The host or proxy name has no address.
    public static let resolveFailed = Code(kind: .resolveFailed)
    /// Nobody accepted the connection.
    public static let connectFailed = Code(kind: .connectFailed)
    /// The secure connection failed; most often the certificate is not trusted for the host.
    public static let tlsFailed = Code(kind: .tlsFailed)
    /// The time limit of the attempt has passed.
    public static let timedOut = Code(kind: .timedOut)
    /// The task was cancelled or the transport was shut down.
    public static let cancelled = Code(kind: .cancelled)
    /// The connection ended before the answer was complete.
    public static let connectionLost = Code(kind: .connectionLost)
    /// The answer is not HTTP, or its body does not decode.
    public static let malformedAnswer = Code(kind: .malformedAnswer)
    /// The body is larger than the request allows.
    public static let bodyTooLarge = Code(kind: .bodyTooLarge)
    /// More redirects than allowed.
    public static let tooManyRedirects = Code(kind: .tooManyRedirects)
    /// Anything else; the message tells.
    public static let other = Code(kind: .other)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, for a log line: without query, headers and body, which may be personal.
  public let message: String

  /// Makes an error.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// Kind and message.
  public var description: String { "\(code): \(message)" }
}
