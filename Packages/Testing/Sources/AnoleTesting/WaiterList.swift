// SPDX-License-Identifier: Apache-2.0

/// Who waits for readiness.
struct WaiterList: Sendable {
  enum Waiter: Sendable {
    case callback(HandedOver<Bool>)
    case task(id: Int, CheckedContinuation<Bool, any Error>)
  }

  private var waiters: [Waiter] = []
  private var nextID = 0

  mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  mutating func add(_ waiter: Waiter) {
    waiters.append(waiter)
  }

  /// Takes all out.
  mutating func takeAll() -> [Waiter] {
    defer { waiters = [] }
    return waiters
  }

  /// Takes a waiting task out.
  mutating func take(_ id: Int) -> CheckedContinuation<Bool, any Error>? {
    for (index, waiter) in waiters.enumerated() {
      guard case .task(id, let continuation) = waiter else { continue }
      waiters.remove(at: index)
      return continuation
    }
    return nil
  }
}
