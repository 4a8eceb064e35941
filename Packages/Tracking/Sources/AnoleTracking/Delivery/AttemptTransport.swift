// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// Sends the attempts of one request: counts them, and repeats a compressed body uncompressed if
/// the server seems not to take it (network specification, section 3.12).
///
/// It lies below ``RequestSender``, since the repetition belongs to the attempt.
struct AttemptTransport: HTTPTransport {
  /// What came of the attempts so far.
  final class Log: Sendable {
    private struct State: Sendable {
      var requests = 0
      var isPlainAccepted = false
    }

    private let state = Lock(State())

    /// How many requests were made.
    var requests: Int { state.withLock { $0.requests } }
    /// Whether the body was accepted only without compression.
    var isPlainAccepted: Bool { state.withLock { $0.isPlainAccepted } }

    fileprivate func countRequest() { state.withLock { $0.requests += 1 } }
    fileprivate func notePlainAccepted() { state.withLock { $0.isPlainAccepted = true } }
  }

  /// Answers that a server gives which does not know compressed bodies.
  private static let compressionRefusals: Set<Int> = [400, 411, 415, 501]

  let base: any HTTPTransport
  let plainSize: Int
  let log: Log

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    log.countRequest()
    let response = try await base.send(request)
    guard Self.compressionRefusals.contains(response.status),
      let plain = uncompressed(request)
    else { return response }
    log.countRequest()
    let second = try await base.send(plain)
    if StatusRule.platform.accepts(second.status) { log.notePlainAccepted() }
    return second
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    try await base.open(request)
  }

  /// The same request without compression; nil if it has none.
  ///
  /// The lines are read back from the compressed body, so that they need not be kept.
  private func uncompressed(_ request: HTTPRequest) -> HTTPRequest? {
    guard request.headers["Content-Encoding"] != nil, let body = request.body else { return nil }
    // The limits are for bodies of others; this one's size is known, and any ratio is right.
    let limits = DecompressionLimits(maximumSize: plainSize, maximumRatio: .max)
    // Our own body decompresses, unless there is no memory; then the answer stands as it is.
    guard let lines = try? Gzip.decompress(body, limits: limits) else { return nil }
    var plain = request
    plain.headers["Content-Encoding"] = nil
    plain.body = lines
    return plain
  }
}
