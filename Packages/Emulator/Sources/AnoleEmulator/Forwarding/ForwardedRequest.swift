// SPDX-License-Identifier: Apache-2.0

/// A complete request that is answered by a function instead of the platform.
public struct ForwardedRequest: Sendable, Hashable {
  /// What it asks for.
  public let route: Route
  /// The method as received.
  public let method: String
  /// The target as received: path and query, not decoded.
  public let target: String
  /// The header fields in their order, repeated ones included.
  public let fields: [HeaderField]
  /// The bytes of the body as received, without the framing of chunks.
  public let body: [UInt8]

  init(_ request: Request, route: Route) {
    self.route = route
    method = request.head.method
    target = request.head.target
    fields = request.head.fields
    body = request.body
  }
}

/// The answer of a function to a request.
public struct ForwardedAnswer: Sendable {
  /// The part after the head.
  public enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// Whatever comes, as it comes, in chunks; the answer ends with the sequence. A client that does not
    /// read is cut off when 4 MB wait for it.
    case pieces(AsyncStream<[UInt8]>)
  }

  /// The status, 200–999; any other becomes 502.
  public var status: Int
  /// The header fields.
  ///
  /// Those that concern one connection only, as `Connection` and
  /// `Transfer-Encoding`, are left out, and `Content-Length`, which follows from the body.
  public var fields: [HeaderField]
  /// The body.
  public var body: Body

  /// Makes an answer.
  public init(status: Int, fields: [HeaderField] = [], body: Body = .bytes([])) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}

extension Emulator {
  /// Answers the requests of a route; nil closes the connection without an answer.
  public typealias Responder = @Sendable (ForwardedRequest) async -> ForwardedAnswer?

  /// Lets a function answer the requests of a route instead of the platform: to record what another
  /// server says, for example.
  ///
  /// Each request has a task of its own, which is cancelled when the client leaves or the emulator stops;
  /// until it is answered it counts as kept waiting. It enters the journal when the function returns.
  /// Faults and latencies are applied to what the function says; a fault that replaces the answer leaves
  /// it unasked. Control requests and bodies that are too large are never given to it.
  /// - Parameters:
  ///   - route: The route; nil for all that have no function of their own, unknown paths included.
  ///   - responder: The function; nil, as at first, for the platform.
  public func setResponder(on route: Route? = nil, _ responder: Responder?) {
    core.change { $0.responders[route] = responder }
  }
}

extension ForwardedAnswer {
  /// What concerns one connection and not the answer (RFC 9110, section 7.6.1).
  private static let hopByHop: Set<String> = [
    "connection", "content-length", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// The answer as the server sends it.
  var answer: Answer {
    guard (200...999).contains(status) else {
      return .sentence(502, "The function that answers this route gave the status \(status).")
    }
    var answer = Answer(status: status, fields: [], body: .bytes([]))
    answer.fields = fields.filter { !Self.hopByHop.contains($0.name.lowercased()) }
    switch body {
    case .bytes(let bytes): answer.body = .bytes(answer.mayHaveBody ? bytes : [])
    case .pieces: answer.body = answer.mayHaveBody ? .stream : .bytes([])
    }
    return answer
  }
}
