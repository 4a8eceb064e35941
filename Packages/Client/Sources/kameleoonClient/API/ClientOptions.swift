// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
public import AnoleNetworking

/// What a client uses that the vendor's settings do not mention; an extension.
///
/// The defaults are those of an application in production.
public struct ClientOptions: Sendable {
  /// Where a client keeps what it must not lose.
  public enum Store: Sendable, Hashable {
    /// A folder of the user's state: `$XDG_STATE_HOME` or `~/.local/state`, or the application's support
    /// folder on Apple systems.
    case standard
    /// A folder of one's own, made if it is missing; a client has its own subfolder there.
    case folder(String)
    /// Nowhere: everything ends with the process.
    case memory
  }

  /// The file of settings, in place of the usual places; used where no settings are given in code.
  public var configurationFile: String?
  /// Other places for single endpoints, such as a relay or a server for tests.
  public var endpoints: [PlatformEndpoint: EndpointAddress]
  /// The proxy; that of the environment by default.
  public var proxy: HTTPProxy
  /// A file of trusted certificates (PEM) in place of the system's; nil for the system's.
  public var caFile: String?
  /// Gives headers for a request, beside its own: a name that the request has itself wins.
  public var requestHeaders: @Sendable (HTTPRequest) -> HTTPHeaders
  /// Whether reports are compressed.
  public var isCompressionEnabled: Bool
  /// Where the client keeps its state.
  public var store: Store
  /// What sends requests; nil for a transport of the client's own.
  ///
  /// Proxy, certificates and headers of these options are for the client's own only.
  public var transport: (any HTTPTransport)?
  /// What waits and measures spans.
  public var clock: any Clock<Duration>
  /// The time of day, read with every call; by default the system's, some milliseconds behind at most.
  public var wallClock: WallClock
  /// Where callbacks run; nil for the main queue on Apple systems, a queue of the client's own elsewhere.
  public var callbackExecutor: (any CallbackExecutor)?
  /// Tells whether the application is in the foreground.
  public var lifecycle: any AppLifecycle
  /// Tells about the device.
  public var deviceInfo: any DeviceInfo

  /// Makes options; each has a default.
  ///
  /// - Parameters:
  ///   - configurationFile: The file of settings.
  ///   - endpoints: Other places for single endpoints.
  ///   - proxy: The proxy.
  ///   - caFile: A file of trusted certificates.
  ///   - requestHeaders: Gives headers for a request.
  ///   - isCompressionEnabled: Whether reports are compressed.
  ///   - store: Where the client keeps its state.
  ///   - transport: What sends requests.
  ///   - clock: What waits and measures spans.
  ///   - wallClock: The time of day.
  ///   - callbackExecutor: Where callbacks run.
  ///   - lifecycle: Tells whether the application is in the foreground.
  ///   - deviceInfo: Tells about the device.
  public init(
    configurationFile: String? = nil, endpoints: [PlatformEndpoint: EndpointAddress] = [:],
    proxy: HTTPProxy = .environment(), caFile: String? = nil,
    requestHeaders: @escaping @Sendable (HTTPRequest) -> HTTPHeaders = { _ in [:] },
    isCompressionEnabled: Bool = true, store: Store = .standard,
    transport: (any HTTPTransport)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: WallClock = .coarse, callbackExecutor: (any CallbackExecutor)? = nil,
    lifecycle: any AppLifecycle = ClientOptions.platformLifecycle,
    deviceInfo: any DeviceInfo = SystemDeviceInfo()
  ) {
    self.configurationFile = configurationFile
    self.endpoints = endpoints
    self.proxy = proxy
    self.caFile = caFile
    self.requestHeaders = requestHeaders
    self.isCompressionEnabled = isCompressionEnabled
    self.store = store
    self.transport = transport
    self.clock = clock
    self.wallClock = wallClock
    self.callbackExecutor = callbackExecutor
    self.lifecycle = lifecycle
    self.deviceInfo = deviceInfo
  }

  /// The application's own life where the platform has one, otherwise ``AlwaysActive``.
  public static var platformLifecycle: any AppLifecycle {
    #if canImport(UIKit) && !os(watchOS)
      ApplicationLifecycle()
    #else
      AlwaysActive()
    #endif
  }

  /// Sends all requests to one address over plain HTTP, such as a server for tests.
  ///
  /// - Parameters:
  ///   - host: The host; an IPv6 address in brackets.
  ///   - port: The port.
  public mutating func redirectEndpoints(toHost host: String = "127.0.0.1", port: Int) {
    for endpoint in PlatformEndpoint.allCases {
      endpoints[endpoint] = EndpointAddress(host: host, port: port)
    }
  }
}
