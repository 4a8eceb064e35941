// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleStorage

/// A store that lets appending and claiming wait until a test says go on, as one over a network may.
final class SlowStore: StateStore {
  private struct State: Sendable {
    var isHeld = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [CheckedContinuation<Void, Never>] = []
    var sizes: [Int] = []
  }

  private let state = Lock(State())
  private let base: InMemoryStorage

  init(_ wallClock: WallClock) { base = InMemoryStorage(wallClock: wallClock) }

  /// How many items each append had.
  var sizes: [Int] { state.withLock { $0.sizes } }

  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let waiting = state.withLock { state in
      state.isHeld = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until a call waits.
  func untilWaiting() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.waiting.isEmpty else { return true }
        state.watchers.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Waits if the store is held.
  private func pass() async {
    await withCheckedContinuation { continuation in
      let (isHeld, watchers) = state.withLock { state in
        guard state.isHeld else { return (false, [CheckedContinuation<Void, Never>]()) }
        state.waiting.append(continuation)
        defer { state.watchers = [] }
        return (true, state.watchers)
      }
      if !isHeld { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  func append(_ items: [OutboxItem], applying changes: [RecordChange]) async -> WriteOutcome {
    state.withLock { $0.sizes.append(items.count) }
    await pass()
    return base.append(items, applying: changes)
  }

  func append(_ items: [OutboxItem]) async -> WriteOutcome { await append(items, applying: []) }
  func claim(upTo count: Int, bytes: Int, lease: Duration) async -> OutboxClaim {
    await pass()
    return base.claim(upTo: count, bytes: bytes, lease: lease)
  }
  func acknowledge(_ receipts: [OutboxReceipt]) async -> WriteOutcome {
    base.acknowledge(receipts)
  }
  func release(_ receipts: [OutboxReceipt]) async -> WriteOutcome { base.release(receipts) }
  func discard(_ receipts: [OutboxReceipt], reason: DropReason) async -> WriteOutcome {
    base.discard(receipts, reason: reason)
  }
  func statistics() async -> OutboxStatistics { base.statistics() }
  func read(namespace: String, key: String) async -> Record? {
    base.read(namespace: namespace, key: key)
  }
  func apply(_ changes: [RecordChange]) async -> WriteOutcome { base.apply(changes) }
  func write(_ value: [UInt8], namespace: String, key: String) async -> WriteOutcome {
    base.write(value, namespace: namespace, key: key)
  }
  func remove(namespace: String, key: String) async -> WriteOutcome {
    base.remove(namespace: namespace, key: key)
  }
  func removeAll(namespace: String) async -> WriteOutcome { base.removeAll(namespace: namespace) }
  func removeRecords(olderThan age: Duration) async -> WriteOutcome {
    base.removeRecords(olderThan: age)
  }
  func keys(namespace: String) async -> [String] { base.keys(namespace: namespace) }
}
