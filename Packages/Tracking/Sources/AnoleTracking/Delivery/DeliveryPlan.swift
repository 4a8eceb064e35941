// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import AnoleStorage

/// Decides what the next request may carry, and what becomes of the events of one that has ended
/// (network specification, sections 1.6 and 3.11).
///
/// | the request ended with | its events | from then on |
/// | --- | --- | --- |
/// | 2xx, 304, 403 | are delivered | full batches |
/// | 400, several events | wait | halves are sent until the event is found that was meant |
/// | 400, one event | are dropped | |
/// | 413, several events | wait | half as many events a request, for the session |
/// | 413, one event | are dropped | the greatest number that was accepted |
/// | any other status, or no answer | wait | one visitor a request, until one succeeds |
/// | cancellation | wait | |
///
/// A pure value: no clock, no lock, no I/O.
struct DeliveryPlan: Sendable {
  /// What a request ended with, after all its attempts.
  enum Ending: Sendable, Equatable {
    case answered(status: Int)
    case unanswered(HTTPError.Code)
    case cancelled
  }

  /// What becomes of the events of a request.
  enum Verdict: Sendable, Equatable {
    case acknowledge
    case release
    case discard(DropReason)
  }

  private enum Mode: Sendable, Equatable {
    /// Full batches, several at a time. Next: `probing`, `searching`.
    case normal
    /// Requests fail: one visitor at a time. Next: `normal` with a success, `searching`.
    case probing
    /// The first so many events have one among them that the server rejects. Next: `normal` when
    /// it is found, `probing`.
    case searching(suspects: Int)
  }

  /// The most requests at once: one that waits for its second attempt must not hold up newer
  /// events, but a server that answers slowly must not meet ever more of them.
  static let mostInFlight = 4

  private var mode = Mode.normal
  /// The most events of a request, once the server has answered 413.
  private(set) var eventLimit: Int?
  /// The most events of a request that succeeded under ``eventLimit``.
  private var acceptedEvents = 0
  private(set) var inFlight = 0
  /// Before this time, by the monotonic clock, only an instant flush sends.
  private(set) var notBefore = Duration.zero

  var isProbing: Bool { mode == .probing }

  /// What a request that starts now may carry; nil if none may start.
  ///
  /// - Parameter isInstant: Whether it is asked for by an instant flush, which no `Retry-After`
  ///   delays.
  func allowance(at now: Duration, isInstant: Bool = false) -> BatchPlan.Allowance? {
    guard isInstant || now >= notBefore, inFlight < (mode == .normal ? Self.mostInFlight : 1)
    else { return nil }
    switch mode {
    case .normal: return BatchPlan.Allowance(events: eventLimit)
    case .probing: return BatchPlan.Allowance(events: eventLimit, isSingleVisitor: true)
    case .searching(let suspects):
      let half = max(1, suspects / 2)
      return BatchPlan.Allowance(events: min(half, eventLimit ?? half))
    }
  }

  /// Whether requests are smaller than usual, so that one an interval would be too few.
  var isReduced: Bool {
    if case .searching = mode { return true }
    return mode == .normal && eventLimit != nil
  }

  /// Notes that a request is being made.
  mutating func started() {
    inFlight += 1
  }

  /// Notes that there was nothing to make a request of.
  mutating func foundNothing() {
    inFlight -= 1
  }

  /// Judges a request of so many events.
  ///
  /// - Parameter delay: The `Retry-After` of the answer.
  mutating func ended(
    _ ending: Ending, events: Int, delay: Duration? = nil, at now: Duration
  ) -> Verdict {
    inFlight -= 1
    switch ending {
    case .cancelled: return .release
    case .answered(let status) where StatusRule.platform.accepts(status):
      succeeded(events: events)
      return .acknowledge
    case .answered(400):
      guard events > 1 else {
        if case .searching = mode { mode = .normal }
        return .discard(.rejected)
      }
      mode = .searching(suspects: events)
      return .release
    case .answered(413): return foundTooLarge(events: events)
    case .answered, .unanswered:
      mode = .probing
      if let delay { notBefore = max(notBefore, now + delay) }
      return .release
    }
  }

  private mutating func succeeded(events: Int) {
    if eventLimit != nil { acceptedEvents = max(acceptedEvents, events) }
    if case .searching(let suspects) = mode, suspects > events {
      // What was accepted came first: the event that is looked for is among the rest.
      mode = .searching(suspects: suspects - events)
    } else {
      mode = .normal
    }
  }

  private mutating func foundTooLarge(events: Int) -> Verdict {
    guard events > 1 else {
      // That event was the cause, not the number: what was accepted before fits again.
      eventLimit = acceptedEvents > 0 ? acceptedEvents : nil
      return .discard(.tooLarge)
    }
    if eventLimit == nil { acceptedEvents = 0 }
    eventLimit = max(1, min(eventLimit ?? events, events) / 2)
    return .release
  }
}
