// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// The keys of flags that refreshes have changed, from the moment on at which it was made.
///
/// An element is a list of keys in the order of their bytes: those of one refresh, or of several if the
/// consumer was busy meanwhile. Nothing is lost and memory stays bounded by the number of keys. It ends when
/// the client is shut down or the consuming task is cancelled. For one consumer; make another for each.
public struct RemoteFlagChanges: AsyncSequence, Sendable {
  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let subscription: ChangeSubscription

    /// The keys that have changed since the last call; nil at the end.
    public mutating func next() async -> [String]? {
      await subscription.next()
    }
  }

  let subscription: ChangeSubscription

  /// Makes the iterator of the one consumer.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: subscription)
  }
}

/// What one consumer has not seen yet.
final class ChangeSubscription: Sendable {
  private struct State {
    var keys: Set<ExactText> = []
    var isEnded = false
    var waiter: CheckedContinuation<[String]?, Never>?

    /// What a waiting consumer gets now; nil if he has to go on waiting.
    mutating func take() -> [String]?? {
      if !keys.isEmpty {
        defer { keys = [] }
        return .some(keys.map(\.text).sorted { $0.precedesByBytes($1) })
      }
      return isEnded ? .some(nil) : nil
    }
  }

  private let state = Lock(State())

  func add(_ keys: [String]) {
    change { $0.keys.formUnion(keys.map(ExactText.init)) }
  }

  func end() {
    change { $0.isEnded = true }
  }

  func next() async -> [String]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (result, former) = state.withLock { state in
          let former = state.waiter
          state.waiter = nil
          if Task.isCancelled { state.isEnded = true }
          let result = state.take()
          if result == nil { state.waiter = continuation }
          return (result, former)
        }
        // A second consumer ends the first one's wait.
        former?.resume(returning: nil)
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      end()
    }
  }

  private func change(_ body: (inout sending State) -> Void) {
    let (waiter, keys) = state.withLock {
      state -> (CheckedContinuation<[String]?, Never>?, [String]?) in
      body(&state)
      guard let waiter = state.waiter, let result = state.take() else { return (nil, nil) }
      state.waiter = nil
      return (waiter, result)
    }
    waiter?.resume(returning: keys)
  }
}

/// All consumers of a client's changes; they are held weakly.
final class ChangeHub: Sendable {
  private struct State {
    var subscriptions: [WeakReference] = []
    var isEnded = false
  }

  private let state = Lock(State())

  func subscribe() -> RemoteFlagChanges {
    let subscription = ChangeSubscription()
    let reference = WeakReference(subscription)
    let isEnded = state.withLock { state in
      state.subscriptions.removeAll { $0.object == nil }
      state.subscriptions.append(reference)
      return state.isEnded
    }
    if isEnded { subscription.end() }
    return RemoteFlagChanges(subscription: subscription)
  }

  func add(_ keys: [String]) {
    for subscription in all { subscription.add(keys) }
  }

  func end() {
    state.withLock { $0.isEnded = true }
    for subscription in all { subscription.end() }
  }

  private var all: [ChangeSubscription] {
    state.withLock { $0.subscriptions.compactMap { $0.object as? ChangeSubscription } }
  }
}
