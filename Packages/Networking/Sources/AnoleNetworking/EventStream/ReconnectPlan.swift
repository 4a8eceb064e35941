// SPDX-License-Identifier: Apache-2.0

/// Decides when an event stream is opened, given up and opened again.
///
/// A pure value: no clock, no chance, no I/O. The owner does what the transitions return. There is
/// one connection or one pause at any time, because each state holds at most one of them and a
/// transition that does not fit the state changes nothing.
struct ReconnectPlan: Sendable {
  private enum State: Sendable, Equatable {
    /// Not started. Next: `connecting`, `closed`.
    case idle
    /// A request is on its way since a moment. Next: `open`, `pausing`, `closed`.
    case connecting(since: Duration)
    /// The stream delivers; the last byte came at a moment. Next: `pausing`, `closed`.
    case open(lastByte: Duration)
    /// Waiting before the next request. Next: `connecting`, `closed`.
    case pausing
    /// The end.
    case closed
  }

  /// What to do with an answer.
  enum Answer: Equatable {
    /// Read it. `afterLoss`: events may have been missed.
    case accept(afterLoss: Bool)
    /// Give the connection up.
    case refuse(EventStreamLoss)
    /// The answer comes too late: drop it.
    case ignore
  }

  private var state: State = .idle
  private var hasLost = false
  private var askedPause: Duration?
  private let policy: EventSourcePolicy

  init(policy: EventSourcePolicy) { self.policy = policy }

  /// Whether a request is on its way or a stream is open.
  var hasConnection: Bool {
    switch state {
    case .connecting, .open: true
    case .idle, .pausing, .closed: false
    }
  }

  /// Whether a pause runs.
  var isPausing: Bool { state == .pausing }

  /// The moment at which the connection counts as lost if nothing happens; nil without one.
  var deadline: Duration? {
    switch state {
    case .connecting(let since): since + policy.connectLimit
    case .open(let lastByte): lastByte + policy.silenceLimit
    case .idle, .pausing, .closed: nil
    }
  }

  /// The loss if ``deadline`` has passed at a moment.
  func lossByTime(at now: Duration) -> EventStreamLoss? {
    guard let deadline, now >= deadline else { return nil }
    if case .connecting = state { return .connectLimitPassed }
    return .silent
  }

  /// Begins a connection; false if there is one or the plan is closed.
  mutating func connect(at now: Duration) -> Bool {
    guard state == .idle || state == .pausing else { return false }
    state = .connecting(since: now)
    return true
  }

  /// Judges the head of an answer.
  mutating func answered(status: Int, contentType: String?, at now: Duration) -> Answer {
    guard case .connecting = state else { return .ignore }
    guard status == 200 else { return .refuse(.refused(status: status)) }
    if let contentType, !ContentType(contentType).isEventStream {
      return .refuse(.notAnEventStream(contentType: contentType))
    }
    state = .open(lastByte: now)
    return .accept(afterLoss: hasLost)
  }

  /// Notes bytes.
  mutating func received(at now: Duration) {
    guard case .open = state else { return }
    state = .open(lastByte: now)
  }

  /// Notes the pause that the server asked for.
  mutating func serverAsked(pause: Duration) {
    askedPause = min(max(pause, policy.pause), policy.longestPause)
  }

  /// Gives the connection up and begins the pause; nil if there is none.
  ///
  /// - Parameter chance: From 0 to 1, for the jitter.
  mutating func lost(chance: Double) -> Duration? {
    guard hasConnection else { return nil }
    state = .pausing
    hasLost = true
    return (askedPause ?? policy.pause) * (1 + policy.jitter * chance)
  }

  /// Ends everything; false if it was the end already.
  mutating func close() -> Bool {
    guard state != .closed else { return false }
    state = .closed
    return true
  }
}
