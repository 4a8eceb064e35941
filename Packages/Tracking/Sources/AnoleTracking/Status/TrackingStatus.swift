// SPDX-License-Identifier: Apache-2.0

public import AnoleModels
public import AnoleStorage

/// The state of a tracker at a moment, for monitoring.
public struct TrackingStatus: Sendable, Hashable {
  /// How a request ended, and when.
  public struct Answer: Sendable, Hashable {
    /// How it ended.
    public let outcome: Delivery.Outcome
    /// When.
    public let time: Timestamp

    /// Makes an answer.
    public init(outcome: Delivery.Outcome, time: Timestamp) {
      self.outcome = outcome
      self.time = time
    }
  }

  /// Visitors that wait in memory for the next interval.
  public var queuedVisitors = 0
  /// Events that wait in memory for the next interval.
  public var bufferedEvents = 0
  /// Events in the outbox, of all processes that share it, those on the wire included.
  public var storedEvents = 0
  /// The bytes of the events in the outbox.
  public var storedBytes = 0
  /// When the oldest event in the outbox was accepted; nil if there is none.
  public var oldest: Timestamp?
  /// Requests under way.
  public var requestsInFlight = 0
  /// Events that this tracker has delivered.
  public var sent = 0
  /// What was lost: from the outbox by all processes ever, from memory by this tracker.
  public var dropped: [DropReason: Int] = [:]
  /// How this tracker's last request ended; nil before the first.
  public var lastAnswer: Answer?
  /// Whether sending is paused.
  public var isPaused = false
  /// Whether requests fail, so that each interval tries with one visitor only.
  public var isProbing = false
  /// Whether bodies are compressed.
  public var isCompressing = false
  /// The most events of a request, because the server found more too large; nil for no limit.
  public var eventLimit: Int?

  /// A tracker that has done nothing.
  public init() {}

  /// Events that wait, in memory and in the outbox.
  public var queued: Int { bufferedEvents + storedEvents }
}
