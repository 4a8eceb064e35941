// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Hands every result to all who listen.
///
/// A listener that does not keep up loses the oldest results. Any thread may call.
final class DeliveryFeed: Sendable {
  /// How many results wait for one listener.
  static let bufferSize = 64

  private struct State: Sendable {
    var listeners: [Int: AsyncStream<Delivery>.Continuation] = [:]
    var nextID = 0
    var isFinished = false
  }

  private let state = Lock(State())

  /// A stream of its own for one listener, from now on.
  func stream() -> AsyncStream<Delivery> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Delivery.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
    let id = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      defer { state.nextID += 1 }
      state.listeners[state.nextID] = continuation
      return state.nextID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  func send(_ delivery: Delivery) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(delivery) }
  }

  /// Ends all streams, those to come too.
  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  private func remove(_ id: Int) {
    state.withLock { _ = $0.listeners.removeValue(forKey: id) }
  }
}
