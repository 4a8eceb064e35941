// SPDX-License-Identifier: Apache-2.0

public import AnoleNetworking

/// What became of a batch of events, or of all batches of an instant flush together.
public struct Delivery: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: Sendable, Hashable {
    /// There was nothing to send.
    case nothingToSend
    /// The server took the events; 403, "taken for a bot", counts as such.
    case delivered(status: Int)
    /// The server refused; the events wait for another attempt, or were dropped
    /// (``Delivery/droppedEvents``).
    case refused(status: Int)
    /// No answer arrived; the events wait for another attempt.
    case failed(HTTPError.Code)
    /// The request was cancelled; the events wait for another attempt.
    case cancelled
  }

  /// How the last request ended.
  public var outcome: Outcome
  /// How many events were delivered.
  public var events: Int
  /// How many events were dropped because the server will never take them.
  public var droppedEvents: Int
  /// The bytes of the delivered bodies, as sent.
  public var bytes: Int
  /// Whether the body of the last request was compressed.
  public var isCompressed: Bool
  /// How many requests were made: attempts, and repetitions without compression or token.
  public var attempts: Int

  /// Makes a result.
  public init(
    outcome: Outcome, events: Int = 0, droppedEvents: Int = 0, bytes: Int = 0,
    isCompressed: Bool = false, attempts: Int = 0
  ) {
    self.outcome = outcome
    self.events = events
    self.droppedEvents = droppedEvents
    self.bytes = bytes
    self.isCompressed = isCompressed
    self.attempts = attempts
  }

  /// Whether nothing went wrong.
  public var isSuccess: Bool {
    switch outcome {
    case .nothingToSend, .delivered: true
    case .refused, .failed, .cancelled: false
    }
  }

  /// Adds a later one, whose outcome counts unless there was nothing to send.
  public mutating func add(_ other: Delivery) {
    guard other.outcome != .nothingToSend else { return }
    outcome = other.outcome
    events += other.events
    droppedEvents += other.droppedEvents
    bytes += other.bytes
    isCompressed = other.isCompressed
    attempts += other.attempts
  }
}
