// SPDX-License-Identifier: Apache-2.0

/// Decides when a visitor's activity is reported (network specification, section 3.8).
///
/// A pure value. Moments are durations since one origin.
///
/// - Once at the start, as soon as the client is ready and consent allows it.
/// - Then at an interval that counts from the visitor's last line and stands still in the background.
struct ActivityPlan: Sendable, Hashable {
  private enum State: Sendable, Hashable {
    /// Nothing was reported yet. Next: `running`, `paused`, `off`.
    case expected
    /// The next report is due at a moment. Next: `paused`.
    case running(due: Duration)
    /// In the background; so much of the interval is left. Next: `running`.
    case paused(remaining: Duration)
    /// There is no interval: one report was enough.
    case off
  }

  private let interval: Duration?
  private var state = State.expected
  private var isForeground: Bool

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - interval: the interval; nil for one report at the start.
  ///   - isForeground: whether the application is active.
  init(interval: Duration?, isForeground: Bool) {
    self.interval = interval
    self.isForeground = isForeground
  }

  /// When the next report is due; nil if none is.
  var due: Duration? {
    guard case .running(let due) = state else { return nil }
    return due
  }

  /// The client is ready and consent allows it.
  ///
  /// - Returns: whether to report now.
  mutating func begin(at now: Duration) -> Bool {
    guard state == .expected else { return false }
    restart(at: now)
    return true
  }

  /// Lines of the visitor leave: the interval begins anew.
  mutating func sent(at now: Duration) {
    guard state != .expected else { return }
    restart(at: now)
  }

  /// Time has passed.
  ///
  /// - Returns: whether to report now.
  mutating func advance(to now: Duration) -> Bool {
    guard case .running(let due) = state, now >= due else { return false }
    restart(at: now)
    return true
  }

  /// The application is in the background: the interval stands still.
  mutating func enteredBackground(at now: Duration) {
    isForeground = false
    guard case .running(let due) = state else { return }
    state = .paused(remaining: due - now)
  }

  /// The application is active: the interval goes on.
  mutating func becameActive(at now: Duration) {
    isForeground = true
    guard case .paused(let remaining) = state else { return }
    state = .running(due: now + remaining)
  }

  private mutating func restart(at now: Duration) {
    guard let interval else {
      state = .off
      return
    }
    state = isForeground ? .running(due: now + interval) : .paused(remaining: interval)
  }
}
