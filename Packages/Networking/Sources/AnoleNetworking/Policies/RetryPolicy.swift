// SPDX-License-Identifier: Apache-2.0

/// How often a request is tried, and what lies between.
///
/// | request | attempts | pause |
/// | --- | --- | --- |
/// | data file | 2 | none |
/// | tracking | 2 | 5 s |
/// | remote data, visitor data, warehouse | 1 | |
/// | access token | 1 | |
///
/// The event stream has rules of its own, see ``EventSourcePolicy``. There is no growth of pauses.
/// A 401 to a request with a token adds one attempt without, see ``RequestSender``.
public struct RetryPolicy: Sendable, Hashable {
  /// The number of attempts, 1 or more.
  public let attempts: Int
  /// The pause between two attempts.
  public let pause: Duration

  /// The data file.
  public static let configuration = RetryPolicy(attempts: 2)
  /// Tracking.
  public static let tracking = RetryPolicy(attempts: 2, pause: .seconds(5))
  /// Remote data, remote visitor data and warehouse audiences.
  public static let remoteData = RetryPolicy(attempts: 1)
  /// Access tokens.
  public static let accessToken = RetryPolicy(attempts: 1)

  /// Makes a policy; fewer than one attempt count as one.
  public init(attempts: Int, pause: Duration = .zero) {
    self.attempts = max(1, attempts)
    self.pause = pause
  }
}
