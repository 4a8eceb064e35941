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

  /// Counts by reason; numbers, because dropping must be no dearer than accepting.
  private struct Dropped: Sendable {
    var closed = 0
    var queueFull = 0
    var bufferFull = 0

    var byReason: [DropReason: Int] {
      let counts = [
        DropReason.closed: closed, .queueFull: queueFull, .bufferFull: bufferFull,
      ]
      return counts.filter { $0.value > 0 }
    }
  }

  private struct State: Sendable {
    var queue = VisitorQueue()
    var items: [OutboxItem] = []
    var bytes = 0
    /// Dropped since the last hand-over.
    var dropped = Dropped()
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
    let key = VisitorQueue.Key(visitorCode)
    let isDue = state.withLock { [limits] state -> Bool in
      guard !state.isClosed else {
        state.dropped.closed += 1
        return false
      }
      guard state.queue.insert(key, limit: limits.visitors) != .full else {
        state.dropped.queueFull += 1
        return false
      }
      return state.becomesEarly(state.queue.count >= limits.visitors / 2)
    }
    if isDue { wakeUp() }
  }

  /// Accepts events that are ready for the outbox; those that find no room are dropped.
  func submit(_ items: [OutboxItem]) {
    let isDue = state.withLock { [limits] state -> Bool in
      for item in items {
        guard !state.isClosed else {
          state.dropped.closed += 1
          continue
        }
        guard state.items.count < limits.events, state.bytes + item.body.count <= limits.bytes
        else {
          state.dropped.bufferFull += 1
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
    let single: VisitorQueue.Key? =
      if case .visitor(let code) = share { VisitorQueue.Key(code) } else { nil }
    let (items, dropped, queue) = state.withLock { state in
      var queue = VisitorQueue()
      switch share {
      case .everything: queue = state.queue.takeAll()
      case .visitor, .noVisitor:
        if let single { state.queue.remove(single) }
      }
      defer {
        state.items = []
        state.bytes = 0
        state.dropped = Dropped()
        state.isEarly = false
      }
      return (state.items, state.dropped, queue)
    }
    // Out of the lock, since there may be many.
    return Load(
      visitorCodes: single.map { [$0.code] } ?? queue.codes, items: items,
      dropped: dropped.byReason)
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
