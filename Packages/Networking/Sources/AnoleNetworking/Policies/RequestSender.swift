// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Sends requests by the platform's rules: attempts, pauses, tokens and the handling of 401.
///
/// | answer to a request with a token | attempts left | what follows |
/// | --- | --- | --- |
/// | 401 | yes | the token is given up; normal pause; a new token; next attempt |
/// | 401 | no | the token is given up; one more attempt at once without token, which is final |
///
/// A 401 to a request without token is an ordinary failure. The body of a request is the same in
/// every attempt. Any thread may call.
public struct RequestSender: Sendable {
  private let transport: any HTTPTransport
  private let tokens: AccessTokenSource?
  private let time: TimeSource

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - transport: Sends the attempts.
  ///   - tokens: Gives tokens; nil if there are no credentials.
  ///   - clock: Measures the pauses.
  public init(
    transport: any HTTPTransport, tokens: AccessTokenSource? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.tokens = tokens
    time = TimeSource(clock)
  }

  /// Sends a request until it succeeds or its attempts are used up.
  ///
  /// - Parameters:
  ///   - request: The request. Its time limit holds for each attempt, and for waiting for a token.
  ///   - policy: How often it is tried.
  ///   - rule: Which statuses are successes.
  ///   - isAuthorized: Whether it carries a token, if there is one.
  /// - Returns: The answer of the successful attempt.
  /// - Throws: ``RequestError`` with the outcome of the last attempt.
  public func send(
    _ request: HTTPRequest, policy: RetryPolicy, rule: StatusRule = .platform,
    isAuthorized: Bool = true
  ) async throws(RequestError) -> HTTPResponse {
    var plan = RequestPlan(policy: policy)
    var mayCarryToken = isAuthorized
    while true {
      let token = mayCarryToken ? await tokens?.token(timeout: request.timeout) : nil
      guard !Task.isCancelled else { throw .cancelled }
      let outcome = await attempt(request, token: token)
      let isTokenRejected = token != nil && outcome.status == 401
      if let token, isTokenRejected { tokens?.discard(token) }
      let isSuccess = outcome.status.map(rule.accepts) ?? false
      switch plan.ended(isSuccess: isSuccess, isTokenRejected: isTokenRejected) {
      case .finish: return try outcome.result(isSuccess: isSuccess)
      case .retryWithoutToken: mayCarryToken = false
      case .retry(let pause):
        guard !outcome.isCancelled else { throw .cancelled }
        do { try await time.sleep(for: pause) } catch { throw .cancelled }
      }
    }
  }

  private enum Outcome {
    case answer(HTTPResponse)
    case failure(HTTPError)

    var status: Int? {
      guard case .answer(let response) = self else { return nil }
      return response.status
    }

    var isCancelled: Bool {
      guard case .failure(let error) = self else { return false }
      return error.code == .cancelled
    }

    func result(isSuccess: Bool) throws(RequestError) -> HTTPResponse {
      switch self {
      case .answer(let response) where isSuccess: return response
      case .answer(let response): throw .refused(response)
      case .failure(let error): throw isCancelled ? .cancelled : .failed(error)
      }
    }
  }

  private func attempt(_ request: HTTPRequest, token: String?) async -> Outcome {
    var request = request
    if let token { request.headers["Authorization"] = "Bearer \(token)" }
    do {
      return .answer(try await transport.send(request))
    } catch {
      return .failure(error)
    }
  }
}
