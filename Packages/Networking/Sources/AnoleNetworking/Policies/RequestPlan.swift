// SPDX-License-Identifier: Apache-2.0

/// Decides about the attempts of one request: when there is another, and whether with a token.
///
/// A pure value.
struct RequestPlan: Sendable {
  /// What follows an attempt.
  enum Decision: Equatable {
    /// The attempt's outcome is final.
    case finish
    /// Try again after a pause, with a token if there is one.
    case retry(after: Duration)
    /// Try once more at once, without a token; that outcome is final.
    case retryWithoutToken
  }

  private let policy: RetryPolicy
  private var attemptsLeft: Int
  private var isLast = false

  init(policy: RetryPolicy) {
    self.policy = policy
    attemptsLeft = policy.attempts
  }

  /// Judges an attempt.
  ///
  /// - Parameters:
  ///   - isSuccess: Whether the attempt succeeded.
  ///   - isTokenRejected: Whether the answer was 401 and the request carried a token.
  mutating func ended(isSuccess: Bool, isTokenRejected: Bool) -> Decision {
    guard !isSuccess, !isLast else { return .finish }
    attemptsLeft -= 1
    if attemptsLeft > 0 { return .retry(after: policy.pause) }
    guard isTokenRejected else { return .finish }
    isLast = true
    return .retryWithoutToken
  }
}
