// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting

/// The clock of a scenario: it moves only when the replay says so, and shows who waits on it.
struct ReplayClock: Clock {
  typealias Instant = ManualClock.Instant

  let base: ManualClock
  let monitor: IdleMonitor

  var now: Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    monitor.note()
    defer { monitor.note() }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

/// Clock and time of day of a scenario, which move together.
struct ReplayTime: Sendable {
  /// When the scenarios take place: after everything that the recorded visitor data tell about.
  static let start: Int64 = 1_764_001_000_000

  let monitor = IdleMonitor()
  let clock: ReplayClock
  let wallClock = ManualWallClock(milliseconds: Self.start)

  init() {
    clock = ReplayClock(base: ManualClock(), monitor: monitor)
  }

  /// The time since the start.
  var now: Duration { clock.now.offset }

  /// Moves on to the next moment at which somebody wakes, at most to `limit`; then waits until nothing
  /// happens any more.
  func advance(upTo limit: Duration) async throws {
    let next = clock.base.nextDeadline.map { min($0.offset, limit) } ?? limit
    try await jump(max(next - now, .zero))
  }

  /// Moves in one step, whatever lies between; then waits until nothing happens any more.
  ///
  /// - Parameters:
  ///   - span: how far.
  ///   - isDayStill: whether the time of day stands still.
  func jump(_ span: Duration, isDayStill: Bool = false) async throws {
    try await monitor.settle()
    let (sleepers, changes) = (clock.base.sleeperCount, monitor.changes)
    if !isDayStill { wallClock.advance(by: span) }
    clock.base.advance(by: span)
    let woken = sleepers - clock.base.sleeperCount
    try await monitor.awaitReturn(of: woken, since: changes)
    try await monitor.settle()
  }

  /// Lets a span pass.
  func pass(_ span: Duration) async throws {
    try await monitor.settle()
    let end = now + span
    while now < end { try await advance(upTo: end) }
  }
}
