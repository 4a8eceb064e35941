// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import kameleoonClient

/// An application's life that a test leads.
public final class ManualLifecycle: AppLifecycle {
  private final class Observation: Sendable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

    deinit { onRelease() }
  }

  private struct State: Sendable {
    var isActive: Bool
    var handlers: [Int: @Sendable (AppLifecycleEvent) -> Void] = [:]
    var nextID = 0
  }

  private let state: Lock<State>

  /// Makes a life that starts in the foreground or in the background.
  ///
  /// - Parameter isActive: Whether it starts in the foreground.
  public init(isActive: Bool = true) {
    state = Lock(State(isActive: isActive))
  }

  /// Whether the application is in the foreground.
  public var isActive: Bool { state.withLock { $0.isActive } }

  /// How many observe.
  public var observerCount: Int { state.withLock { $0.handlers.count } }

  /// Reports changes from now on.
  ///
  /// - Parameter handler: Called on the thread that makes the change.
  /// - Returns: An object that keeps the observation alive.
  public func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.handlers[state.nextID] = handler
      return state.nextID
    }
    return Observation { [weak self] in
      self?.state.withLock { $0.handlers[id] = nil }
    }
  }

  /// Brings the application to the foreground; nothing happens if it is there.
  public func becomeActive() { move(to: true, .didBecomeActive) }

  /// Brings the application to the background; nothing happens if it is there.
  public func enterBackground() { move(to: false, .didEnterBackground) }

  private func move(to isActive: Bool, _ event: AppLifecycleEvent) {
    let handlers = state.withLock { state in
      guard state.isActive != isActive else { return [] as [@Sendable (AppLifecycleEvent) -> Void] }
      state.isActive = isActive
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(event) }
  }
}
