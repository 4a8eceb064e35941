// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleStorage

/// The visitors whose records are in memory, by visitor code.
///
/// Any thread may call. The table's lock is held for look-ups only; each record has a lock of its own.
final class VisitorTable: Sendable {
  private struct Entry: Sendable {
    var slot: VisitorSlot
    /// Whether the code is a customer's own identifier; a mark of the code, not of the record.
    var isUnique: Bool
    /// How many clients use the code.
    var clientCount: Int
  }

  private struct State: Sendable {
    var entries: [ExactText: Entry] = [:]
    /// What took the place of slots that were given up; never leads in a circle.
    var successors: [ObjectIdentifier: (givenUp: VisitorSlot, successor: VisitorSlot)] = [:]
    var dirty: [VisitorSlot] = []
    /// How many codes at most no client uses.
    var unusedCount = 0

    func newest(_ slot: VisitorSlot) -> VisitorSlot {
      var slot = slot
      while let next = successors[ObjectIdentifier(slot)] { slot = next.successor }
      return slot
    }
  }

  private let state = Lock(State())

  /// The slot of a code that is in memory, and whether the code is a customer's own identifier.
  func find(_ code: String) -> (slot: VisitorSlot, isUnique: Bool)? {
    state.withLock { state in
      state.entries[ExactText(code)].map { (state.newest($0.slot), $0.isUnique) }
    }
  }

  /// Begins the use of a code by a client.
  ///
  /// - Parameters:
  ///   - code: the code.
  ///   - isUnique: whether it is a customer's own identifier; the newest client decides.
  ///   - slot: the slot to use where the code is not in memory yet.
  func begin(_ code: String, isUnique: Bool, slot: VisitorSlot) -> VisitorSlot {
    let slot = slot.current
    return state.withLock { state in
      var entry =
        state.entries[ExactText(code)] ?? Entry(slot: slot, isUnique: isUnique, clientCount: 0)
      entry.slot = state.newest(entry.slot)
      entry.isUnique = isUnique
      entry.clientCount += 1
      state.entries[ExactText(code)] = entry
      return entry.slot
    }
  }

  /// Ends the use of a code by a client; without clients it is forgotten as soon as it is written.
  ///
  /// - Returns: whether no client uses it any more.
  @discardableResult
  func end(_ code: String) -> Bool {
    state.withLock { state in
      state.entries[ExactText(code)]?.clientCount -= 1
      state.unusedCount += 1
      return (state.entries[ExactText(code)]?.clientCount ?? 0) <= 0
    }
  }

  /// Lets a user's code share the record of a visitor from now on; what was known under the user's
  /// code is lost.
  ///
  /// - Returns: whether that changed anything.
  func link(_ userCode: String, to slot: VisitorSlot) -> Bool {
    let slot = slot.current
    let change = state.withLock { state -> (old: VisitorSlot?, new: VisitorSlot)? in
      let new = state.newest(slot)
      let key = ExactText(userCode)
      guard var entry = state.entries[key] else {
        state.entries[key] = Entry(slot: new, isUnique: false, clientCount: 0)
        state.unusedCount += 1
        return (nil, new)
      }
      let old = state.newest(entry.slot)
      guard old !== new else { return nil }
      state.successors[ObjectIdentifier(old)] = (old, new)
      entry.slot = new
      state.entries[key] = entry
      return (old, new)
    }
    guard let change else { return false }
    change.old?.giveUp(for: change.new)
    return true
  }

  // MARK: - What has to be written

  /// Notes that a slot's record has to be written; nil does nothing.
  func noteDirty(_ slot: VisitorSlot?) {
    guard let slot else { return }
    state.withLock { $0.dirty.append(slot) }
  }

  /// The changes that write the records that have to be written; they count as written from now on.
  func takeRecordChanges() -> [RecordChange] {
    let slots = state.withLock { state in
      defer { state.dirty = [] }
      return state.dirty
    }
    defer { forgetUnused() }
    return slots.compactMap { slot in
      slot.takeDirtyRecord().map { LocalState.change(slot.code, $0) }
    }
  }

  /// Forgets the codes that no client uses any more.
  private func forgetUnused() {
    state.withLock { state in
      // Looking at all codes pays only if many of them go.
      guard state.unusedCount > 0, state.unusedCount * 4 >= state.entries.count else { return }
      state.unusedCount = 0
      state.entries = state.entries.filter { $0.value.clientCount > 0 }
      let used = Set(state.entries.values.map { ObjectIdentifier(state.newest($0.slot)) })
      state.successors = state.successors.filter {
        used.contains(ObjectIdentifier($0.value.successor))
      }
    }
  }
}
