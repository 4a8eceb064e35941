// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage

/// What callers have handed to a tracker and the outbox does not have yet.
///
/// Any thread may call; a call takes one short lock and no disk.
final class Intake: Sendable {
  /// How much is held in memory, and from where on it is handed over early.
  struct Limits: Sendable {
    var visitors: Int
    var events: Int
    var bytes: Int
  }

  /// What one hand-over takes.
  struct Load: Sendable {
    var visitorCodes: [String] = []
    var items: [OutboxItem] = []
    /// What was dropped since the last hand-over.
    var dropped: [DropReason: Int] = [:]
  }

  private struct State: Sendable {
    var queue = VisitorQueue()
    var items: [OutboxItem] = []
    var bytes = 0
    /// Dropped since the last hand-over.
    var dropped: [DropReason: Int] = [:]
    /// Whether an early hand-over was asked for and has not begun.
    var isEarly = false
    var isClosed = false

    /// Notes that a hand-over is due; true the first time.
    mutating func becomesEarly(_ isDue: Bool) -> Bool {
      guard isDue, !isEarly else { return false }
      isEarly = true
      return true
    }
  }

  private let state = Lock(State())
  private let limits: Limits
  private let wakeUp: @Sendable () -> Void

  /// - Parameter wakeUp: Called when memory is half full, once until the next hand-over begins.
  init(limits: Limits, wakeUp: @escaping @Sendable () -> Void) {
    self.limits = limits
    self.wakeUp = wakeUp
  }

  /// Queues a visitor.
  func enqueue(_ visitorCode: String) {
    let isDue = state.withLock { [limits] state -> Bool in
      guard !state.isClosed else {
        state.dropped[.closed, default: 0] += 1
        return false
      }
      guard state.queue.count < limits.visitors || state.queue.contains(visitorCode) else {
        state.dropped[.queueFull, default: 0] += 1
        return false
      }
      state.queue.insert(visitorCode)
      return state.becomesEarly(state.queue.count >= limits.visitors / 2)
    }
    if isDue { wakeUp() }
  }

  /// Accepts events that are ready for the outbox; those that find no room are dropped.
  func submit(_ items: [OutboxItem]) {
    let isDue = state.withLock { [limits] state -> Bool in
      for item in items {
        guard !state.isClosed else {
          state.dropped[.closed, default: 0] += 1
          continue
        }
        guard state.items.count < limits.events, state.bytes + item.body.count <= limits.bytes
        else {
          state.dropped[.bufferFull, default: 0] += 1
          continue
        }
        state.bytes += item.body.count
        state.items.append(item)
      }
      return state.becomesEarly(
        state.items.count >= limits.events / 2 || state.bytes >= limits.bytes / 2)
    }
    if isDue { wakeUp() }
  }

  /// Which visitors a hand-over takes; events have no place in the queue and are always taken.
  enum Share: Sendable {
    case everything
    /// One visitor, whether it is queued or not.
    case visitor(String)
    case noVisitor
  }

  /// Takes out what is handed over.
  func take(_ share: Share = .everything) -> Load {
    state.withLock { state in
      var load = Load(items: state.items, dropped: state.dropped)
      state.items = []
      state.bytes = 0
      state.dropped = [:]
      state.isEarly = false
      switch share {
      case .everything: load.visitorCodes = state.queue.takeAll()
      case .visitor(let code):
        state.queue.remove(code)
        load.visitorCodes = [code]
      case .noVisitor: break
      }
      return load
    }
  }

  /// From now on everything is dropped.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// How many visitors and events wait.
  var counts: (visitors: Int, events: Int) {
    state.withLock { ($0.queue.count, $0.items.count) }
  }
}
