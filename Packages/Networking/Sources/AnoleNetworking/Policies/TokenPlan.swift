// SPDX-License-Identifier: Apache-2.0

/// Decides when a token is used, renewed and given up.
///
/// A pure value. Moments are durations since one origin. At most one fetch is under way.
struct TokenPlan: Sendable {
  /// What a request that wants a token does.
  enum Decision: Equatable {
    /// Use this one.
    case use(String)
    /// Use this one, and start a fetch in the background.
    case useAndFetch(String)
    /// Wait for the fetch that is under way.
    case wait
    /// Start a fetch and wait for it.
    case fetchAndWait
    /// Go without.
    case goWithout
  }

  /// After a failed fetch no token is asked for during this span.
  static let silence: Duration = .seconds(300)

  private struct Cached: Sendable {
    let value: String
    let isObsoleteAt: Duration
    let expiresAt: Duration
  }

  private var cached: Cached?
  private var silentUntil: Duration?
  private(set) var isFetching = false

  mutating func decide(at now: Duration) -> Decision {
    if let cached, now >= cached.expiresAt { self.cached = nil }
    let mayFetch = silentUntil.map { now >= $0 } ?? true
    guard let cached else {
      if isFetching { return .wait }
      guard mayFetch else { return .goWithout }
      isFetching = true
      return .fetchAndWait
    }
    guard now >= cached.isObsoleteAt, mayFetch, !isFetching else { return .use(cached.value) }
    isFetching = true
    return .useAndFetch(cached.value)
  }

  /// Ends the fetch; nil for a failed one.
  mutating func fetched(_ token: AccessToken?, at now: Duration) {
    isFetching = false
    guard let token else {
      silentUntil = now + Self.silence
      return
    }
    silentUntil = nil
    // The new token takes the old one's place even if it lives so short that it is not kept.
    cached =
      token.expiresAfter > .zero
      ? Cached(
        value: token.value, isObsoleteAt: now + token.isObsoleteAfter,
        expiresAt: now + token.expiresAfter)
      : nil
  }

  /// Ends the fetch without a judgement, because it was cancelled.
  mutating func fetchCancelled() { isFetching = false }

  /// Gives a token up that the server has rejected, if it is still the one in use.
  mutating func reject(_ token: String) {
    if cached?.value == token { cached = nil }
  }
}
