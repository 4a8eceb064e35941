// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Keeps callbacks until the test runs them: a main thread that is busy.
final class ManualExecutor: CallbackExecutor {
  private let waiting = Lock<[@Sendable () -> Void]>([])

  func execute(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
  }

  var count: Int { waiting.withLock { $0.count } }

  /// Runs the oldest closure.
  func runOne() {
    let work = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    work?()
  }

  /// Runs what waits, and what that adds.
  func runAll() {
    while count > 0 { runOne() }
  }
}
