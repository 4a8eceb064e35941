// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleStorage

/// Brings changes to the store one after another, and none that belongs to a former user.
///
/// Its lock is held while the store works: that one write does not overtake another is what it is for.
/// Readers of flags never take it.
final class StoreLine: Sendable {
  private struct State {
    var userNumber: Int
    var generation: Int
  }

  private let store: any RemoteFlagsStore
  private let state: Lock<State>

  init(_ store: any RemoteFlagsStore, _ subject: FlagPlan.Subject) {
    self.store = store
    state = Lock(State(userNumber: subject.userNumber, generation: subject.generation))
  }

  /// Removes all sets and stores the user, if the subject is of a later user than the last one.
  ///
  /// When it returns that has been done, whoever has done it.
  func advance(to subject: FlagPlan.Subject) {
    state.withLock { advance(&$0, to: subject) }
  }

  /// Writes a set, unless its subject has been replaced.
  func write(_ set: FlagPlan.StorableFlags, for subject: FlagPlan.Subject, generation: Int) {
    state.withLock { state in
      advance(&state, to: subject)
      guard generation == state.generation else { return }
      store.apply([StoreRecords.set(set)])
    }
  }

  func write(_ change: RecordChange) {
    state.withLock { _ in _ = store.apply([change]) }
  }

  private func advance(_ state: inout State, to subject: FlagPlan.Subject) {
    state.generation = max(state.generation, subject.generation)
    guard subject.userNumber > state.userNumber else { return }
    state.userNumber = subject.userNumber
    StoreRecords.changeUser(to: subject.user.text, in: store)
  }
}
