// SPDX-License-Identifier: Apache-2.0

/// Where the value of a flag comes from.
public enum RemoteFlagOrigin: Sendable, Hashable, CustomStringConvertible {
  /// A complete answer that this client has received itself.
  case fresh
  /// The store: a complete answer that an earlier client asked for at this time.
  ///
  /// Milliseconds since the epoch.
  case stored(since: Int64)
  /// An answer that the server marked as not yet complete; it is not stored.
  case incomplete
  /// No answer in force has the flag: the caller's default counts.
  case `default`

  /// One word: `fresh`, `stored`, `incomplete` or `default`.
  public var description: String {
    switch self {
    case .fresh: "fresh"
    case .stored: "stored"
    case .incomplete: "incomplete"
    case .default: "default"
    }
  }
}

/// The answer that a flag came with.
struct FlagSource: Sendable, Hashable {
  let origin: RemoteFlagOrigin
  /// When the request was sent: milliseconds since the epoch.
  let requestedAt: Int64
  /// When the request was sent, by the monotonic clock of this process.
  let moment: Duration
}
