// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleStorage
import Foundation

/// What an engine takes from outside: network, time, chance, disk, and the host application.
struct EngineServices: Sendable {
  /// Sends all requests.
  var transport: any HTTPTransport
  /// Ends the transport, where it is the engine's own.
  var closeTransport: @Sendable () -> Void = {}
  /// Measures intervals, pauses and limits.
  var clock: any Clock<Duration>
  /// The time of day.
  var wallClock: WallClock
  /// Gives jitter.
  var random = RandomSource()
  /// Where callbacks run.
  var executor: any CallbackExecutor
  /// Tells when the application is active.
  var lifecycle: any AppLifecycle
  /// Describes the device.
  var deviceInfo: any DeviceInfo
  /// The text about program and device in requests; made of ``deviceInfo`` if it is nil.
  var userAgent: UserAgent?
  /// Keeps what survives the process.
  var store: any LocalStore
  /// Name and version by which the platform knows the client.
  var identity = ClientIdentity.anole
  /// Places of single endpoints, where they are not the platform's.
  var endpoints: [PlatformEndpoint: EndpointAddress] = [:]
  /// Whether tracking bodies are compressed.
  var isCompressionEnabled = true
}

extension ClientIdentity {
  /// Name and version on the wire, and in conditions on the SDK.
  ///
  /// The version is that of the vendor's interface which this client follows, so that conditions on
  /// versions mean the same to both.
  static let anole = ClientIdentity(name: "SWIFT", version: "4.27.3")
}

extension EngineServices {
  /// The services that options ask for.
  ///
  /// - Parameters:
  ///   - options: the options.
  ///   - siteCode: the site, which has a folder of its own in the store.
  init(_ options: ClientOptions, siteCode: String) {
    let agent = UserAgent(options.deviceInfo)
    userAgent = agent
    if let transport = options.transport {
      self.transport = transport
    } else {
      let userAgent = HTTPUserAgent(agent.text)
      #if canImport(Darwin)
        transport = URLSessionTransport(
          userAgent: userAgent, requestHeaders: options.requestHeaders)
      #else
        let own = CurlTransport(
          CurlTransport.Configuration(
            userAgent: userAgent, caFile: options.caFile, proxy: options.proxy,
            requestHeaders: options.requestHeaders))
        transport = own
        closeTransport = { own.shutdown() }
      #endif
    }
    clock = options.clock
    wallClock = options.wallClock
    executor =
      options.callbackExecutor
      ?? SerialCallbackExecutor.platformDefault(label: "kameleoonClient.callbacks")
    lifecycle = options.lifecycle
    deviceInfo = options.deviceInfo
    store = Self.store(options, siteCode: siteCode)
    endpoints = options.endpoints
    isCompressionEnabled = options.isCompressionEnabled
  }

  private static func store(_ options: ClientOptions, siteCode: String) -> any LocalStore {
    let base: String
    switch options.store {
    case .memory:
      return InMemoryStorage(wallClock: options.wallClock, report: log)
    case .folder(let path): base = path
    case .standard: base = standardFolder()
    }
    // One folder is one store with one outbox, and an outbox belongs to one site.
    var configuration = SQLiteStorage.Configuration(
      folder: "\(base)/\(PercentEncoding.encode(siteCode).replacingDots)")
    configuration.wallClock = options.wallClock
    // `create` reads on the calling thread; it must not wait for another process for long.
    configuration.busyTimeout = .milliseconds(500)
    configuration.report = log
    return SQLiteStorage(configuration)
  }

  /// `$XDG_STATE_HOME/anole` or `~/.local/state/anole`; the application's support folder on Apple
  /// systems.
  static func standardFolder(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    #if canImport(Darwin)
      let support = FileManager.default.urls(
        for: .applicationSupportDirectory, in: .userDomainMask
      ).first
      if let support { return support.appendingPathComponent("anole").path }
    #endif
    let state = StateFolder.standard { environment[$0] } ?? "\(NSHomeDirectory())/.local/state"
    return "\(state)/anole"
  }

  private static let log: @Sendable (StorageReport) -> Void = { report in
    let isGood = report.code == .recovered
    KameleoonLogger.write(isGood ? .info : .warning, "store: \(report.message)")
  }
}

extension String {
  /// The text with its dots encoded, so that it is never the name of a parent folder.
  fileprivate var replacingDots: String {
    split(separator: ".", omittingEmptySubsequences: false).joined(separator: "%2E")
  }
}

extension UserAgent {
  /// The text for this program on a device.
  init(_ device: any DeviceInfo) {
    let path = CommandLine.arguments.first ?? ""
    let name =
      Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
      ?? path.split(separator: "/").last.map { String($0) } ?? ""
    self.init(
      name: name, version: device.appVersion ?? "", model: device.model ?? "",
      system: device.osName, systemVersion: device.osVersion)
  }
}
