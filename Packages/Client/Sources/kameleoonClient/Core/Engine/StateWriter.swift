// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleStorage

/// Writes records one batch after another, away from the threads that hand them over.
///
/// Of several changes of one record that wait, the last is written. Any thread may call.
final class StateWriter: Sendable {
  private struct Place: Hashable, Sendable {
    let namespace: String
    let key: ExactText
  }

  private struct State: Sendable {
    var waiting: [Place: RecordChange] = [:]
    /// The order in which the records were handed over.
    var order: [Place] = []
    var task: Task<Void, Never>?
    var lastOutcome: WriteOutcome?

    mutating func take() -> [RecordChange] {
      defer { (waiting, order) = ([:], []) }
      return order.compactMap { waiting[$0] }
    }
  }

  private let state = Lock(State())
  private let store: any RecordStore

  init(store: any RecordStore) {
    self.store = store
  }

  /// Where the last batch is; nil before the first.
  var lastOutcome: WriteOutcome? { state.withLock { $0.lastOutcome } }

  /// Hands changes over; they are written soon.
  func write(_ changes: [RecordChange]) {
    guard !changes.isEmpty else { return }
    state.withLock { [self] state in
      for change in changes {
        let place = Self.place(of: change)
        if state.waiting.updateValue(change, forKey: place) == nil { state.order.append(place) }
      }
      if state.task == nil { state.task = Task { await run() } }
    }
  }

  /// Returns when what was handed over before is written.
  func drain() async {
    while let task = state.withLock({ $0.task }) { await task.value }
  }

  private func run() async {
    while true {
      let changes = state.withLock { state -> [RecordChange] in
        let changes = state.take()
        if changes.isEmpty { state.task = nil }
        return changes
      }
      guard !changes.isEmpty else { return }
      let outcome = await store.apply(changes)
      state.withLock { $0.lastOutcome = outcome }
    }
  }

  private static func place(of change: RecordChange) -> Place {
    switch change {
    case .write(let namespace, let key, _), .remove(let namespace, let key):
      Place(namespace: namespace, key: ExactText(key))
    }
  }
}
