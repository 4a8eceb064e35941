// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Waits for one moment at a time.
final class DeadlineTimer: Sendable {
  private struct State {
    var sequence: UInt64 = 0
    var deadline: Duration?
    var task: Task<Void, Never>?
    var isActing = false
  }

  private let time: TimeSource
  private let state = Lock(State())

  init(_ time: TimeSource) {
    self.time = time
  }

  /// Replaces the moment that is waited for.
  ///
  /// - Parameters:
  ///   - deadline: The moment; nil to wait for none.
  ///   - sequence: Tells a later wish from an earlier one that arrives late.
  ///   - action: Called once when the moment has come.
  func set(_ deadline: Duration?, sequence: UInt64, _ action: @escaping @Sendable () -> Void) {
    let obsolete = state.withLock { state -> Task<Void, Never>? in
      guard sequence > state.sequence else { return nil }
      state.sequence = sequence
      guard deadline != state.deadline else { return nil }
      let obsolete = state.task
      state.deadline = deadline
      state.task = deadline.map { wait(until: $0, sequence, action) }
      return obsolete
    }
    obsolete?.cancel()
  }

  /// Whether a moment has come whose action has not been done yet.
  var isDue: Bool {
    let now = time.now
    return state.withLock { state in
      state.isActing || state.deadline.map { $0 <= now } ?? false
    }
  }

  private func wait(
    until deadline: Duration, _ sequence: UInt64, _ action: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    Task { [self] in
      // Cancellation is the only failure, and then another moment is waited for.
      guard (try? await time.sleep(until: deadline)) != nil else { return }
      let isCurrent = state.withLock { state in
        guard state.deadline == deadline, !Task.isCancelled else { return false }
        state.deadline = nil
        state.isActing = true
        return true
      }
      guard isCurrent else { return }
      action()
      self.state.withLock { $0.isActing = false }
    }
  }
}
