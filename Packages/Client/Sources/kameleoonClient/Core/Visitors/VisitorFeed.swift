// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleStorage
import AnoleTracking

/// Gives the tracker the events of queued visitors, and the records that have to be written.
final class VisitorFeed: TrackingSource {
  /// What the feed tells.
  struct Hooks: Sendable {
    /// Lines of a visitor leave.
    let sent: @Sendable (_ visitorCode: String) -> Void
    /// An interval has passed.
    let ticked: @Sendable () -> Void
  }

  private let visitors: VisitorTable
  private let keeper: VisitorKeeper
  private let project: @Sendable () -> ProjectSnapshot?
  private let hooks: Hooks

  init(
    visitors: VisitorTable, keeper: VisitorKeeper,
    project: @escaping @Sendable () -> ProjectSnapshot?, hooks: Hooks
  ) {
    self.visitors = visitors
    self.keeper = keeper
    self.project = project
    self.hooks = hooks
  }

  func takeEvents(of visitorCode: String) -> VisitorEvents? {
    guard let project = project(), let (slot, isUnique) = visitors.find(visitorCode) else {
      return nil
    }
    let evaluation = project.evaluation
    let (events, dirty) = slot.change { [keeper] record -> VisitorEvents? in
      let now = keeper.now
      keeper.expire(&record, at: now)
      keeper.noteActivity(in: &record, at: now)
      return VisitorEvents(
        taking: &record, visitorCode: visitorCode, isUniqueIdentifier: isUnique,
        configuration: evaluation.dataFile.configuration, catalogue: evaluation.customData,
        now: now)
    }
    guard var events else {
      visitors.noteDirty(dirty)
      return nil
    }
    // What is marked as sent must become durable together with what is sent.
    let owner = slot.current
    if let record = owner.takeDirtyRecord() {
      events.changes.append(LocalState.change(owner.code, record))
    }
    hooks.sent(visitorCode)
    return events
  }

  func takeRecordChanges() -> [RecordChange] {
    hooks.ticked()
    return visitors.takeRecordChanges()
  }
}
