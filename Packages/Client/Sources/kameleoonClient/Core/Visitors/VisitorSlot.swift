// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// The place of one visitor's record in memory, with a lock of its own, so that visitors do not wait
/// for each other.
///
/// Two codes of one person share a slot: the one that is given up names the other as its successor,
/// and whoever still holds it is led there.
final class VisitorSlot: Sendable {
  private struct State: Sendable {
    var record: VisitorRecord
    /// Whether the record has changed since it was last written.
    var isDirty = false
    var successor: VisitorSlot?
  }

  /// The code under which the record is stored.
  let code: String
  private let state: Lock<State>

  /// Makes a slot.
  ///
  /// - Parameters:
  ///   - code: the code under which the record is stored.
  ///   - record: the record.
  ///   - isDirty: whether it is not in the store yet.
  init(code: String, record: VisitorRecord, isDirty: Bool) {
    self.code = code
    state = Lock(State(record: record, isDirty: isDirty))
  }

  /// The slot that holds the record now: this one, or its last successor.
  var current: VisitorSlot {
    var slot = self
    while let next = slot.state.withLock({ $0.successor }) { slot = next }
    return slot
  }

  /// A copy of the record as it is now.
  var record: VisitorRecord {
    var slot = self
    while true {
      let (record, next) = slot.state.withLock { ($0.record, $0.successor) }
      guard let next else { return record }
      slot = next
    }
  }

  /// Changes the record.
  ///
  /// - Parameter change: runs under the lock: quick, no I/O, no callbacks.
  /// - Returns: what the change returned, and the slot if its record became dirty by it; hand that to
  ///   ``VisitorTable/noteDirty(_:)``.
  func change<Result: Sendable>(
    _ change: (inout VisitorRecord) -> Result
  ) -> (result: Result, dirty: VisitorSlot?) {
    decide { (change(&$0), hasNews: true) }
  }

  /// Decides by the record and saves in it, under one lock.
  ///
  /// - Parameter body: decides and saves; tells whether what it saved has to be written. Quick, no I/O,
  ///   no callbacks.
  /// - Returns: the result, and the slot if its record became dirty.
  @inline(__always)
  func decide<Result: Sendable, Failure: Error>(
    _ body: (inout VisitorRecord) throws(Failure) -> (Result, hasNews: Bool)
  ) throws(Failure) -> (result: Result, dirty: VisitorSlot?) {
    if let (result, becameDirty) = try decideHere(body) {
      return (result, becameDirty ? self : nil)
    }
    var slot = current
    while true {
      if let (result, becameDirty) = try slot.decideHere(body) {
        return (result, becameDirty ? slot : nil)
      }
      slot = slot.current
    }
  }

  /// ``decide(_:)`` for this slot; nil if it was given up.
  @inline(__always)
  private func decideHere<Result: Sendable, Failure: Error>(
    _ body: (inout VisitorRecord) throws(Failure) -> (Result, hasNews: Bool)
  ) throws(Failure) -> (Result, becameDirty: Bool)? {
    try state.withLock { (state) throws(Failure) -> (Result, becameDirty: Bool)? in
      guard state.successor == nil else { return nil }
      let (result, hasNews) = try body(&state.record)
      let becameDirty = hasNews && !state.isDirty
      if becameDirty { state.isDirty = true }
      return (result, becameDirty)
    }
  }

  /// The record if it has to be written; it counts as written from now on.
  func takeDirtyRecord() -> VisitorRecord? {
    state.withLock { state in
      guard state.isDirty, state.successor == nil else { return nil }
      state.isDirty = false
      return state.record
    }
  }

  /// Gives the slot up for another one, which holds the record of both codes from now on.
  ///
  /// Only ``VisitorTable`` calls it, which sees to it that no slot leads back to itself.
  func giveUp(for successor: VisitorSlot) {
    state.withLock { state in
      guard state.successor == nil else { return }
      state.successor = successor
      state.isDirty = false
      state.record = VisitorRecord(visitStart: state.record.visitStart)
    }
  }
}
