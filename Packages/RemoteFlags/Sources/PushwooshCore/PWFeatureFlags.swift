// SPDX-License-Identifier: Apache-2.0

import AnoleRemoteFlags

/// Is told after a refresh that changed a flag; on the main thread.
@MainActor
public protocol PWFeatureFlagsUpdateListener: AnyObject {
  /// Flags have changed.
  func featureFlagsDidUpdate()
}

/// The feature flags of this device and user.
///
/// Any thread may call it. Reads answer from memory. Every error has the domain
/// ``PWFeatureFlagsErrorDomain`` and the codes of `RemoteFlagsError.number`.
public final class PWFeatureFlags: Sendable {
  private let client: RemoteFlagsClient
  private let main: MainThread

  init(_ client: RemoteFlagsClient, _ main: MainThread) {
    self.client = client
    self.main = main
  }

  /// The flag of a key; nil if there is none now.
  public func get(_ key: String) -> PWFeatureFlag? {
    client.get(key).map { PWFeatureFlag($0) }
  }

  /// The state of a flag; the default exactly when ``get(_:)`` returns nil.
  public func isEnabled(_ key: String, default defaultValue: Bool) -> Bool {
    client.isEnabled(key, default: defaultValue)
  }

  /// Asks for the flags.
  ///
  /// - Parameter completion: Called exactly once on the main thread, after `refresh` has returned and after
  ///   the listeners; the error is an `NSError`, nil for success.
  public func refresh(completion: (@MainActor @Sendable ((any Error)?) -> Void)?) {
    guard let completion else { return client.refresh(completion: nil) }
    client.refresh { [main] error in
      let error = error.map(NSError.init(flags:))
      main.run { completion(error) }
    }
  }

  /// Tells an object of changes from now on; it is held weakly.
  public func addUpdateListener(_ listener: any PWFeatureFlagsUpdateListener) {
    let reference = WeakReference(listener)
    client.addListener(reference) { [main] _ in
      main.run {
        (reference.object as? any PWFeatureFlagsUpdateListener)?.featureFlagsDidUpdate()
      }
    }
  }

  /// Tells an object of changes no more.
  public func removeUpdateListener(_ listener: any PWFeatureFlagsUpdateListener) {
    client.removeListener(WeakReference(listener))
  }

  /// Reports that the user has reached a feature: once for each flag, rule and state in a session.
  public func logImpression(_ key: String) {
    client.logImpression(key)
  }
}
