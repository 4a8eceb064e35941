// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Dispatch

/// Tells when the clients have nothing more to do until their clock moves.
///
/// It counts what passes its gates: requests under way, waits on the clock, pieces of a stream. There is no
/// way to ask the scheduler whether work is pending, so two signs decide: who was woken by the clock has
/// come back to it or to the network, and then there is silence, longer on a machine that is slow to run what
/// is ready.
final class IdleMonitor: Sendable {
  private struct State: Sendable {
    var pending = 0
    var changes = 0
  }

  /// The shortest silence that counts.
  private static let quiet = Duration.milliseconds(15)
  /// The longest silence that is asked for, however slow the machine is at the moment.
  private static let longestQuiet = Duration.milliseconds(500)
  /// The longest wait; then whatever is still under way must wait for the clock.
  private static let limit = Duration.seconds(20)
  /// The longest wait for those who were woken.
  private static let absence = Duration.seconds(10)

  private let state = Lock(State())

  /// Something happened.
  func note() { state.withLock { $0.changes += 1 } }

  /// Something began that will end without the clock.
  func begin() {
    state.withLock { state in
      state.pending += 1
      state.changes += 1
    }
  }

  /// It ended.
  func end() {
    state.withLock { state in
      state.pending -= 1
      state.changes += 1
    }
  }

  /// How much has happened so far.
  var changes: Int { state.withLock { $0.changes } }

  /// Waits until those who were woken have been heard of again, but not for ever: a wait that has ended
  /// need not lead to anything.
  ///
  /// - Parameters:
  ///   - count: how many were woken; each is heard of once when it wakes.
  ///   - before: ``changes`` before they were.
  func awaitReturn(of count: Int, since before: Int) async throws {
    let clock = ContinuousClock()
    let end = clock.now + Self.absence
    while changes < before + 2 * count, clock.now < end {
      try await clock.sleep(for: .milliseconds(2))
    }
  }

  /// Waits until something expected has happened, but not for ever: it may be wrong to expect it.
  func await(
    atMost span: Duration, _ hasHappened: () -> Bool
  ) async throws {
    let clock = ContinuousClock()
    let end = clock.now + span
    while !hasHappened(), clock.now < end { try await clock.sleep(for: .milliseconds(2)) }
  }

  /// Waits until nothing happens any more.
  func settle() async throws {
    let clock = ContinuousClock()
    let end = clock.now + Self.limit
    var seen = changes
    var since = clock.now
    var needed = Self.quiet
    while clock.now < end {
      try await clock.sleep(for: .milliseconds(3))
      let now = state.withLock { $0 }
      if now.changes != seen {
        seen = now.changes
        since = clock.now
      }
      guard now.pending <= 0, clock.now - since >= needed else { continue }
      needed = min(max(Self.quiet, await Self.latency() * 6), Self.longestQuiet)
      if changes == seen, clock.now - since >= needed { return }
    }
  }

  /// How long ready work waits to be run, by tasks and by queues.
  ///
  /// Work of the same priority that was ready before has been begun when this returns; several rounds, because
  /// what has been begun makes other work ready.
  private static func latency() async -> Duration {
    await ContinuousClock().measure {
      for _ in 0..<3 {
        await Task {}.value
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume() }
        }
      }
    }
  }
}
