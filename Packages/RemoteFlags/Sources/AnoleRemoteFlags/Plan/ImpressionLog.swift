// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Decides whether an impression has to be sent: one for each user, flag, rule and state in a session.
///
/// A pure value: the owner sends what `begin` allows and reports the end.
struct ImpressionLog: Sendable {
  /// What is counted once.
  struct Key: Sendable, Hashable {
    let session: Int
    let user: ExactText
    let flag: ExactText
    let rule: ExactText
    let isEnabled: Bool
  }

  /// How many impressions of one session are remembered: far more than an application has flags; beyond
  /// it all are forgotten, so that some may be sent twice.
  static let limit = 10_000

  private var sent: Set<Key> = []
  private var underWay: Set<Key> = []

  /// Whether the impression has to be sent now.
  mutating func begin(_ key: Key) -> Bool {
    guard !sent.contains(key) else { return false }
    return underWay.insert(key).inserted
  }

  /// Notes how sending ended; after a failure the next call sends again.
  mutating func end(_ key: Key, isDelivered: Bool) {
    underWay.remove(key)
    guard isDelivered else { return }
    if sent.count >= Self.limit { sent = [] }
    sent.insert(key)
  }

  /// Forgets the impressions of earlier sessions.
  mutating func startSession() {
    sent = []
  }
}
