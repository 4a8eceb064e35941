// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
public import AnoleNetworking
public import AnoleRemoteFlags

/// What a host program can put in place of the operating system's services.
public struct PushwooshHost: Sendable {
  /// The folder for flags, user and device id; nil for `pushwoosh` under `$XDG_STATE_HOME` or
  /// `~/.local/state`, on Apple systems under the folder of the app group or Application Support.
  public var stateFolder: String?
  /// What sends requests.
  public var transport: any HTTPTransport
  /// What stands for the main thread; nil for the main queue.
  ///
  /// A program that does not drain the main queue needs one. Callbacks that are marked `@MainActor` run on
  /// it, so it has to run one closure after another.
  public var callbackExecutor: (any CallbackExecutor)?
  /// Where the application's life is told; nil for a program that is active from its first use of flags on.
  public var lifecycle: (any AppLifecycle)?
  /// Whether this is an app extension.
  public var isAppExtension: Bool
  /// The number of the platform: 1 for iOS, 3 for Android, 7 for macOS.
  public var deviceType: Int
  /// The clock for sessions, timers and ages.
  public var time = TimeSource.continuous
  /// The time of day.
  public var wallClock = WallClock.system
  /// Gives the value of an environment variable.
  public var environment: @Sendable (String) -> String? = { HTTPProxy.environmentVariable($0) }
  /// Called with what reaches no caller; nil to write it to standard error.
  public var report: (@Sendable (RemoteFlagsReport) -> Void)?

  /// Makes a host with the services of the system.
  public init() {
    transport = RemoteFlagsConfiguration.systemTransport()
    #if canImport(UIKit) && !os(watchOS)
      lifecycle = SystemLifecycle()
    #endif
    #if canImport(Darwin)
      isAppExtension = Bundle.main.bundlePath.hasSuffix(".appex")
    #else
      isAppExtension = false
    #endif
    #if os(macOS)
      deviceType = 7
    #else
      deviceType = 1
    #endif
  }
}
