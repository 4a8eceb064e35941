// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage

extension TrackerCore {
  /// How many events one transaction holds, so that memory does not grow with the queue.
  static let transactionSize = 4_096

  /// Brings what was accepted to the outbox; one hand-over at a time, so that the events of a
  /// visitor stay in their order.
  ///
  /// - Parameter visitorCode: The only visitor to take; nil for all that are queued.
  /// - Returns: Where what was accepted is now. If nothing was written this time, it is where the
  ///   last hand-over left it: that the store has recovered since is not known.
  @discardableResult
  func handOver(_ visitorCode: String? = nil) async -> WriteOutcome {
    await enterTurnstile()
    defer { turnstile.leave() }
    let controls = currentControls
    // Before the start nobody could be asked for the visitors' events: they stay queued.
    let load = intake.take(
      !controls.hasStarted ? .noVisitor : visitorCode.map { .visitor($0) } ?? .everything)
    countDropped(load.dropped)
    let source = controls.source
    var items = load.items
    var changes: [RecordChange] = []
    // Later writes of one hand-over do not hide that an earlier one is not on disk.
    var outcomes: Set<WriteOutcome> = []
    for code in load.visitorCodes {
      guard let visitor = source?.takeEvents(of: code) else { continue }
      items += StoredLine.items(
        of: visitor.events, identity: visitor.identity, nonces: nonces, at: wallClock.milliseconds)
      changes += visitor.changes
      guard items.count >= Self.transactionSize else { continue }
      outcomes.insert(await store.append(items, applying: changes))
      items = []
      changes = []
    }
    changes += source?.takeRecordChanges() ?? []
    if !items.isEmpty || !changes.isEmpty {
      outcomes.insert(await store.append(items, applying: changes))
    }
    if !outcomes.isEmpty {
      noteWork()
      lastOutcome = outcomes.contains(.memory) ? .memory : .durable
    }
    return lastOutcome
  }

  private func enterTurnstile() async {
    while !turnstile.enter() {
      await withCheckedContinuation { turnstile.wait($0) }
    }
  }
}

/// Lets one pass at a time; those who wait are woken together and try again.
///
/// It lives in an actor, which guards it.
struct Turnstile {
  private var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Whether the way is free; it is taken then.
  mutating func enter() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  mutating func wait(_ waiter: CheckedContinuation<Void, Never>) {
    waiters.append(waiter)
  }

  mutating func leave() {
    isTaken = false
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}
