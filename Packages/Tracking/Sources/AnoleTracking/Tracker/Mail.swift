// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// Sends a tracking body by the platform's rules, and tells what came of it.
struct Mail: Sendable {
  /// What came of a body.
  struct Result: Sendable {
    let ending: DeliveryPlan.Ending
    /// The answer, if it is one of those that can carry `Retry-After`.
    let refusal: HTTPResponse?
    /// How many requests were made.
    let requests: Int
    /// Whether the body was accepted only without compression.
    let isPlainAccepted: Bool
  }

  /// The longest time limit of a transfer; with it, what one request can last fits a lease.
  static let longestTimeout = Duration.seconds(60)
  /// The transfers that one request can last: in each of two attempts waiting for a token, a
  /// transfer and its uncompressed repetition; then the last attempt without token, and its
  /// repetition.
  static let transfersPerRequest = 8
  /// What a lease is longer than the longest request: for clocks that differ and slow disks.
  static let leaseMargin = Duration.seconds(30)

  private let transport: any HTTPTransport
  private let makeSender: @Sendable (any HTTPTransport) -> RequestSender
  private let makeRequest: @Sendable ([UInt8]) -> HTTPRequest
  private let policy = RetryPolicy.tracking

  init(
    transport: any HTTPTransport, tokens: AccessTokenSource?, clock: some Clock<Duration>,
    requests: @escaping @Sendable ([UInt8]) -> HTTPRequest
  ) {
    self.transport = transport
    makeSender = { RequestSender(transport: $0, tokens: tokens, clock: clock) }
    makeRequest = requests
  }

  /// How long nobody else may send what is claimed for a request.
  var lease: Duration {
    timeout(of: makeRequest([])) * Self.transfersPerRequest + policy.pause + Self.leaseMargin
  }

  /// Sends a body in up to two attempts; returns early when the task is cancelled.
  func send(_ body: TrackingBody) async -> Result {
    var request = makeRequest(body.bytes)
    request.timeout = timeout(of: request)
    if body.isCompressed { request.headers["Content-Encoding"] = "gzip" }
    let log = AttemptTransport.Log()
    let sender = makeSender(
      AttemptTransport(base: transport, plainSize: body.plainSize, log: log))
    let ending: DeliveryPlan.Ending
    var refusal: HTTPResponse?
    do throws(RequestError) {
      ending = .answered(status: try await sender.send(request, policy: policy).status)
    } catch {
      switch error {
      case .refused(let response):
        ending = .answered(status: response.status)
        refusal = response
      case .failed(let error): ending = .unanswered(error.code)
      case .cancelled: ending = .cancelled
      }
    }
    return Result(
      ending: ending, refusal: refusal, requests: log.requests,
      isPlainAccepted: log.isPlainAccepted)
  }

  private func timeout(of request: HTTPRequest) -> Duration {
    min(request.timeout ?? Self.longestTimeout, Self.longestTimeout)
  }
}
