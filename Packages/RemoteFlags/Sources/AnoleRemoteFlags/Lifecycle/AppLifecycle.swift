// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// What the host application tells a client about itself.
public enum AppLifecycleEvent: Sendable, Hashable {
  /// The application has come to the foreground.
  case didBecomeActive
  /// The application has gone to the background.
  case didEnterBackground
  /// The device has registered for push.
  case didRegisterForPush
  /// The application has another user now.
  case didChangeUser(String)
}

/// Where a client hears of the application's life.
public protocol AppLifecycle: Sendable {
  /// Whether the application is in the foreground now.
  var isActive: Bool { get }

  /// Calls a closure at every event from now on.
  ///
  /// - Parameter handler: Called on any thread, in the order of the events.
  /// - Returns: The observation; it ends when the object is released.
  func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable
}

/// A program that is active from its start to its end, such as one of a command line.
public struct AlwaysActive: AppLifecycle {
  /// Makes one.
  public init() {}

  /// True.
  public var isActive: Bool { true }

  /// Nothing ever happens.
  public func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable {
    Nothing()
  }

  private final class Nothing: Sendable {}
}

/// A life that the host application tells, call by call.
///
/// Any thread may call it; handlers run on that thread before the call returns.
public final class HostLifecycle: AppLifecycle {
  private struct State {
    var isActive: Bool
    var handlers: [ObjectIdentifier: @Sendable (AppLifecycleEvent) -> Void] = [:]
  }

  private let state: Lock<State>

  /// Makes one.
  ///
  /// - Parameter isActive: Whether the application is in the foreground now.
  public init(isActive: Bool = false) {
    state = Lock(State(isActive: isActive))
  }

  /// Whether the application is in the foreground now.
  public var isActive: Bool { state.withLock { $0.isActive } }

  /// The application has come to the foreground.
  public func becameActive() { tell(.didBecomeActive) }

  /// The application has gone to the background.
  public func wentToBackground() { tell(.didEnterBackground) }

  /// The device has registered for push.
  public func registeredForPush() { tell(.didRegisterForPush) }

  /// The application has another user now.
  public func userChanged(to userID: String) { tell(.didChangeUser(userID)) }

  /// Calls a closure at every event from now on; see ``AppLifecycle/observe(_:)``.
  public func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable {
    let observation = Observation(self)
    state.withLock { $0.handlers[ObjectIdentifier(observation)] = handler }
    return observation
  }

  private func tell(_ event: AppLifecycleEvent) {
    let handlers = state.withLock { state in
      switch event {
      case .didBecomeActive: state.isActive = true
      case .didEnterBackground: state.isActive = false
      case .didRegisterForPush, .didChangeUser: break
      }
      return Array(state.handlers.values)
    }
    for handler in handlers { handler(event) }
  }

  private func remove(_ identifier: ObjectIdentifier) {
    state.withLock { _ = $0.handlers.removeValue(forKey: identifier) }
  }

  private final class Observation: Sendable {
    private let lifecycle: HostLifecycle

    init(_ lifecycle: HostLifecycle) {
      self.lifecycle = lifecycle
    }

    deinit {
      lifecycle.remove(ObjectIdentifier(self))
    }
  }
}
