// SPDX-License-Identifier: Apache-2.0

/// A change of an application's state.
public enum AppLifecycleEvent: Sendable, Hashable {
  /// The application is in the foreground from now on.
  case didBecomeActive
  /// The application is in the background from now on.
  case didEnterBackground
}

/// Tells whether the application is in the foreground.
///
/// Visits, signs of activity, polling and reports follow it.
public protocol AppLifecycle: Sendable {
  /// Whether the application is in the foreground.
  var isActive: Bool { get }

  /// Reports changes from now on.
  ///
  /// - Parameter handler: Called on any thread, in the order of the changes.
  /// - Returns: An object that keeps the observation alive; none is reported any more once it is released.
  func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable
}

/// The life of a command-line program or a server: in the foreground from start to exit.
public struct AlwaysActive: AppLifecycle {
  private final class Observation: Sendable {}

  /// Makes the value.
  public init() {}

  /// True.
  public var isActive: Bool { true }

  /// Reports nothing, since nothing changes.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: An object without meaning.
  public func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable {
    Observation()
  }
}
