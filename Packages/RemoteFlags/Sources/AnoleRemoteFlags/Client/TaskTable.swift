// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// The tasks that a client has under way.
final class TaskTable: Sendable {
  enum Key: Sendable, Hashable {
    /// A request for flags, by its number.
    case flags(Int)
    /// Telling the server the user, by its number.
    case registration(Int)
    case other(Int)
  }

  private struct State {
    var tasks: [Key: Task<Void, Never>] = [:]
    var nextOther = 0
  }

  private let state = Lock(State())

  /// Starts work under a key; without one, under a new one.
  func start(_ key: Key? = nil, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      let key = key ?? .other(state.nextOther)
      state.nextOther += 1
      state.tasks[key] = Task {
        await work()
        self.remove(key)
      }
    }
  }

  func cancel(_ key: Key) {
    state.withLock { $0.tasks[key] }?.cancel()
  }

  func cancelAll() {
    for task in all { task.cancel() }
  }

  /// Returns when nothing is under way any more.
  func drain() async {
    while true {
      let tasks = all
      if tasks.isEmpty { return }
      for task in tasks { await task.value }
    }
  }

  var all: [Task<Void, Never>] { state.withLock { Array($0.tasks.values) } }

  private func remove(_ key: Key) {
    state.withLock { _ = $0.tasks.removeValue(forKey: key) }
  }
}
