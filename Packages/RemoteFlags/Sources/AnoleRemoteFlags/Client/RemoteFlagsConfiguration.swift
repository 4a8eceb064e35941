// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
public import AnoleNetworking

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a client of remote flags works with.
public struct RemoteFlagsConfiguration: Sendable {
  /// The application code, such as `A1B2C-D3E4F`: letters, digits and hyphens; nil until one is set.
  public var applicationCode: String?
  /// The device API token; without one requests carry no `Authorization`.
  public var apiToken: String?
  /// The base URL, which has to end in `json/1.3/`; nil for that of the application.
  public var baseURL: String?
  /// A proxy in place of the platform; nil for none.
  public var reverseProxy: ReverseProxy?
  /// The device's id; nil for one that is generated once and kept in the store.
  public var deviceID: String?
  /// The User ID to start with; nil for the one in the store, else the device's id.
  ///
  /// It is trimmed; a blank one counts as nil. One that differs from the stored one is a change of user.
  public var userID: String?
  /// The number of the platform: 1 for iOS, 3 for Android, 7 for macOS.
  public var deviceType = 1
  /// The version that requests name.
  public var version = "0.1.0"
  /// Whether this is an app extension, which never asks for flags.
  public var isAppExtension = false
  /// Whether `refresh` sends although the last request was less than five minutes ago.
  public var disablesThrottle = false
  /// Whether requests may leave from the start.
  public var allowsServerCommunication = true
  /// Where flags, user and device id are kept.
  public var store: any RemoteFlagsStore
  /// What sends requests.
  public var transport: any HTTPTransport
  /// The clock for sessions, timers and ages; it has to go on while the system sleeps.
  public var time = TimeSource.continuous
  /// The time of day, for stored and sent times only.
  public var wallClock = WallClock.system
  /// What local time is ahead of UTC at a time (in seconds since the epoch), in seconds.
  public var utcOffset: @Sendable (Int64) -> Int = RemoteFlagsConfiguration.systemOffset
  /// Where listeners and completions run; the main queue by default.
  ///
  /// A program that does not drain the main queue has to give another one.
  public var callbackExecutor: any CallbackExecutor = SerialCallbackExecutor.main
  /// Where the client hears of the application's life; nil if the host calls the client itself.
  public var lifecycle: (any AppLifecycle)?
  /// Called with what reaches no caller, on any thread, under no lock that readers take.
  public var report: @Sendable (RemoteFlagsReport) -> Void = { _ in }

  /// Makes a configuration with the defaults of its members.
  ///
  /// - Parameters:
  ///   - applicationCode: The application code; nil until one is set.
  ///   - store: Where flags, user and device id are kept.
  ///   - transport: What sends requests; the system's by default.
  public init(
    applicationCode: String?, store: any RemoteFlagsStore,
    transport: any HTTPTransport = RemoteFlagsConfiguration.systemTransport()
  ) {
    self.applicationCode = applicationCode
    self.store = store
    self.transport = transport
  }

  /// A transport of its own over libcurl, on Apple systems over URLSession.
  public static func systemTransport() -> any HTTPTransport {
    #if canImport(Darwin)
      return URLSessionTransport()
    #else
      return CurlTransport()
    #endif
  }

  /// What the system's local time is ahead of UTC at a time, in seconds.
  ///
  /// - Parameter time: Seconds since the epoch.
  public static func systemOffset(at time: Int64) -> Int {
    var time = time_t(time)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return 0 }
    return parts.tm_gmtoff
  }
}
