// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Owns the tasks that calls without `async` begin, so that they can be cancelled and awaited.
///
/// Any thread may call.
final class TaskBag: Sendable {
  private struct State: Sendable {
    var tasks: [Int: Task<Void, Never>] = [:]
    var nextNumber = 0
    var isClosed = false
  }

  private let state = Lock(State())

  /// Begins a task.
  ///
  /// - Returns: false if the bag is closed; nothing runs then.
  @discardableResult
  func run(_ work: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { [self] state in
      guard !state.isClosed else { return false }
      let number = state.nextNumber
      state.nextNumber += 1
      state.tasks[number] = Task {
        await work()
        self.ended(number)
      }
      return true
    }
  }

  /// Cancels all tasks, begins none from now on, and returns when they have ended.
  func close() async {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func ended(_ number: Int) {
    state.withLock { _ = $0.tasks.removeValue(forKey: number) }
  }
}
