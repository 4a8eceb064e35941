// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// Reports the activity of all visitors of an engine: does what their ``ActivityPlan``s decide.
///
/// One timer serves all. Any thread may call.
final class ActivityClock: Sendable {
  private struct State: Sendable {
    var plans: [ExactText: ActivityPlan] = [:]
    var isForeground: Bool
    var isClosed = false
    /// Reports a visitor's activity; nil after the end, as what it reports to may lead back to this clock.
    var report: (@Sendable (_ visitorCode: String) -> Void)?
    var timer: Task<Void, Never>?
    var timerMoment: Duration?
  }

  private let state: Lock<State>
  private let interval: Duration?
  private let time: TimeSource

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - interval: the interval; nil for one report at the start.
  ///   - time: measures it.
  ///   - isForeground: whether the application is active.
  ///   - report: reports a visitor's activity; called without a lock, kept until ``close()``.
  init(
    interval: Duration?, time: TimeSource, isForeground: Bool,
    report: @escaping @Sendable (_ visitorCode: String) -> Void
  ) {
    self.interval = interval
    self.time = time
    state = Lock(State(isForeground: isForeground, report: report))
  }

  /// A visitor may be reported from now on: the client is ready and consent allows it.
  ///
  /// Only the first call for a visitor has an effect.
  func begin(_ visitorCode: String) {
    let now = time.now
    let (report, hasTimer) = state.withLock { [interval] state in
      let plan = ActivityPlan(interval: interval, isForeground: state.isForeground)
      let isDue =
        !state.isClosed && state.plans[ExactText(visitorCode), default: plan].begin(at: now)
      return (isDue ? state.report : nil, state.timer != nil)
    }
    report?(visitorCode)
    // All intervals are equal, so a timer that runs rings for an earlier visitor.
    if !hasTimer { adjustTimer() }
  }

  /// Lines of a visitor leave.
  func sent(_ visitorCode: String) {
    let now = time.now
    state.withLock { $0.plans[ExactText(visitorCode)]?.sent(at: now) }
  }

  /// A visitor is gone.
  func end(_ visitorCode: String) {
    state.withLock { $0.plans[ExactText(visitorCode)] = nil }
  }

  /// The application is in the background.
  func enteredBackground() {
    let now = time.now
    state.withLock { state in
      state.isForeground = false
      for key in state.plans.keys { state.plans[key]?.enteredBackground(at: now) }
    }
    adjustTimer()
  }

  /// The application is active again.
  func becameActive() {
    let now = time.now
    state.withLock { state in
      state.isForeground = true
      for key in state.plans.keys { state.plans[key]?.becameActive(at: now) }
    }
    adjustTimer()
  }

  /// Stops for good and returns when the timer has ended.
  func close() async {
    let timer = state.withLock { state in
      state.isClosed = true
      state.plans = [:]
      state.report = nil
      return state.timer
    }
    timer?.cancel()
    await timer?.value
  }

  /// Sets the timer for the first visitor that is due; it is not moved if it rings earlier.
  private func adjustTimer() {
    let former = state.withLock { [self] state -> Task<Void, Never>? in
      guard !state.isClosed else { return nil }
      let next = state.plans.values.compactMap(\.due).min()
      guard let next else {
        defer { (state.timer, state.timerMoment) = (nil, nil) }
        return state.timer
      }
      if let moment = state.timerMoment, moment <= next { return nil }
      defer {
        state.timerMoment = next
        state.timer = Task { await ring(at: next) }
      }
      return state.timer
    }
    former?.cancel()
  }

  private func ring(at moment: Duration) async {
    // Cancelled: another timer counts.
    guard (try? await time.sleep(until: moment)) != nil else { return }
    let now = time.now
    let (due, report) = state.withLock { state in
      guard state.timerMoment == moment else { return ([String](), state.report) }
      (state.timer, state.timerMoment) = (nil, nil)
      let due = state.plans.keys.filter { state.plans[$0]?.advance(to: now) ?? false }
      return (due.map(\.text), state.report)
    }
    for visitorCode in due { report?(visitorCode) }
    adjustTimer()
  }
}
