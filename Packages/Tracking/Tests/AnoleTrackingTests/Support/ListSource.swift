// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage
import AnoleTracking

/// A source with events that a test puts in; they are taken once.
final class ListSource: TrackingSource {
  private struct State: Sendable {
    var events: [String: VisitorEvents] = [:]
    var changes: [RecordChange] = []
    var asked: [String] = []
  }

  private let state = Lock(State())

  /// The visitors that were asked for, in order.
  var asked: [String] { state.withLock { $0.asked } }

  func put(_ events: VisitorEvents, of visitorCode: String) {
    state.withLock { $0.events[visitorCode] = events }
  }

  func put(_ changes: [RecordChange]) {
    state.withLock { $0.changes += changes }
  }

  func takeEvents(of visitorCode: String) -> VisitorEvents? {
    state.withLock { state in
      state.asked.append(visitorCode)
      return state.events.removeValue(forKey: visitorCode)
    }
  }

  func takeRecordChanges() -> [RecordChange] {
    state.withLock { state in
      defer { state.changes = [] }
      return state.changes
    }
  }
}
