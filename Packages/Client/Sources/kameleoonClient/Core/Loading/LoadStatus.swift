// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking

/// How the loading of data files goes.
struct LoadStatus: Sendable, Hashable {
  /// How a fetch ended.
  enum Outcome: Sendable, Hashable {
    /// A new file is in force.
    case updated
    /// The server confirmed the one in force.
    case unchanged
    /// All attempts failed; one sentence without address.
    case failed(String)
  }

  /// A fetch that has ended.
  struct Fetch: Sendable, Hashable {
    /// When it ended.
    let time: Timestamp
    /// How.
    let outcome: Outcome
  }

  /// When a fetch last succeeded; nil if none has.
  private(set) var lastSuccess: Timestamp?
  /// The last fetch that has ended; nil if none has.
  private(set) var lastFetch: Fetch?
  /// The state of the event stream.
  var stream = LoadPlan.Stream.closed

  /// A fetch has succeeded.
  mutating func succeeded(at now: Timestamp, isUpdate: Bool) {
    lastSuccess = now
    lastFetch = Fetch(time: now, outcome: isUpdate ? .updated : .unchanged)
  }

  /// All attempts of a fetch have failed.
  mutating func failed(_ message: String, at now: Timestamp) {
    lastFetch = Fetch(time: now, outcome: .failed(message))
  }
}

/// Something about loading that belongs into the log.
enum LoadReport: Sendable {
  /// A fetch has failed after all its attempts.
  case fetchFailed(ConditionalFetchError)
  /// The event stream is lost and will open itself again.
  case streamLost(EventStreamLoss)
  /// An update event without a readable time was ignored.
  case unreadableEvent

  /// A sentence for the log.
  var message: String {
    switch self {
    case .fetchFailed(let error):
      "the data file could not be fetched (\(error)); the present one stays in use"
    case .streamLost(let loss): "\(loss); it is opened again"
    case .unreadableEvent: "an event of the stream has no readable \"ts\" and was ignored"
    }
  }
}
