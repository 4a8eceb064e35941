// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Dispatch

/// Opened once; scripts (threads) and tests (tasks) wait for it.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())
  private let semaphore = DispatchSemaphore(value: 0)

  func open() {
    let tasks = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.isOpen = true
      defer { state.tasks = [] }
      return state.tasks
    }
    for task in tasks { task.resume() }
    semaphore.signal()
  }

  /// Blocks a script's thread.
  func blockUntilOpen() {
    semaphore.wait()
    // For the next one who waits.
    semaphore.signal()
  }

  func waitUntilOpen() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
