// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)

  import AnoleConcurrency
  import Foundation

  /// The life of the application as the system reports it.
  ///
  /// It begins inactive: the system tells when the application has come to the foreground, which it does
  /// after launching. Make it before that.
  public final class SystemLifecycle: AppLifecycle {
    private let host = HostLifecycle()
    private let observers: Observers

    /// Starts to listen to the system.
    public init() {
      observers = Observers([
        ("UIApplicationDidBecomeActiveNotification", { [host] in host.becameActive() }),
        ("UIApplicationDidEnterBackgroundNotification", { [host] in host.wentToBackground() }),
      ])
    }

    /// Whether the system has said that the application is in the foreground.
    public var isActive: Bool { host.isActive }

    /// The device has registered for push; the system tells that to the application's delegate only.
    public func registeredForPush() { host.registeredForPush() }

    /// Calls a closure at every event from now on; see ``AppLifecycle/observe(_:)``.
    public func observe(
      _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
    ) -> any AnyObject & Sendable {
      host.observe(handler)
    }

    /// Registrations with the notification center, ended with the object.
    ///
    /// - Note: `@unchecked Sendable` is needed because the tokens are `NSObjectProtocol`. It is safe because
    ///   they are stored once and only handed back to the notification center, which any thread may call.
    private final class Observers: @unchecked Sendable {
      private let tokens: [any NSObjectProtocol]

      init(_ actions: [(name: String, action: @Sendable () -> Void)]) {
        tokens = actions.map { name, action in
          NotificationCenter.default.addObserver(
            forName: Notification.Name(name), object: nil, queue: nil
          ) { _ in action() }
        }
      }

      deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
      }
    }
  }

#endif
