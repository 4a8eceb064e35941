// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)

  import AnoleConcurrency
  import Foundation
  import UIKit

  /// The life of an application with UIKit, from its notifications.
  ///
  /// - Important: Not yet built or tested on an Apple system.
  public final class ApplicationLifecycle: AppLifecycle {
    private let isInForeground: Lock<Bool>
    private let observations: Lock<[NotificationObservation]>

    /// Makes the value; until the first notification the application counts as active.
    public init() {
      isInForeground = Lock(true)
      observations = Lock([])
      let own = NotificationObservation { [weak self] event in
        self?.isInForeground.withLock { $0 = event == .didBecomeActive }
      }
      observations.withLock { $0 = [own] }
    }

    /// Whether the application is in the foreground, by the last notification.
    public var isActive: Bool { isInForeground.withLock { $0 } }

    /// Reports changes from now on.
    ///
    /// - Parameter handler: Called on the thread that posts the notification, which is the main one.
    /// - Returns: An object that keeps the observation alive.
    public func observe(
      _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
    ) -> any AnyObject & Sendable {
      NotificationObservation(handler)
    }
  }

  /// Listens to the notifications of the application's state as long as it lives.
  private final class NotificationObservation: NSObject, Sendable {
    private let handler: @Sendable (AppLifecycleEvent) -> Void

    init(_ handler: @escaping @Sendable (AppLifecycleEvent) -> Void) {
      self.handler = handler
      super.init()
      // Observers by selector need not be removed when they are released.
      let center = NotificationCenter.default
      center.addObserver(
        self, selector: #selector(didBecomeActive),
        name: UIApplication.didBecomeActiveNotification, object: nil)
      center.addObserver(
        self, selector: #selector(didEnterBackground),
        name: UIApplication.didEnterBackgroundNotification, object: nil)
    }

    @objc private func didBecomeActive() { handler(.didBecomeActive) }

    @objc private func didEnterBackground() { handler(.didEnterBackground) }
  }

#endif
