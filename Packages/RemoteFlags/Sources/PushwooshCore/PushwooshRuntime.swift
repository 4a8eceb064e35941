// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleRemoteFlags
import AnoleStorage

/// The one client of the process, as the vendor's API demands.
///
/// The client is made at the first call that needs it, with the settings made until then.
final class PushwooshRuntime: Sendable {
  static let shared = PushwooshRuntime()

  private struct Setup {
    var host = PushwooshHost()
    var appCode: String?
    var apiToken: String?
    var proxy: ReverseProxy?
    var allowsCommunication: Bool?
  }

  private struct Running {
    let client: RemoteFlagsClient
    let flags: PWFeatureFlags
    /// Whether the session starts with the first use of flags.
    let startsWithUse: Bool
  }

  private struct State {
    var setup = Setup()
    var running: Running?
  }

  /// Held also while the client is made and its store is opened: that there is only one is what it is for.
  private let state = Lock(State())

  var client: RemoteFlagsClient { run().client }

  var featureFlags: PWFeatureFlags {
    let running = run()
    if running.startsWithUse { running.client.becameActive() }
    return running.flags
  }

  // MARK: Settings

  func setHost(_ host: PushwooshHost) {
    let former = state.withLock { state in
      defer { state = State(setup: Setup(host: host)) }
      return state.running
    }
    // Released here, where no lock is held; the client ends when the last reference to it does.
    withExtendedLifetime(former) {}
  }

  func setAppCode(_ code: String) {
    guard !code.contains(".") else {
      report("the application code is not used: it must have the form XXXXX-XXXXX, without a dot")
      return
    }
    set({ $0.appCode = code }, { $0.setApplicationCode(code) })
  }

  func setApiToken(_ token: String) {
    set({ $0.apiToken = token }, { $0.setAPIToken(token) })
  }

  func setReverseProxy(_ proxy: ReverseProxy) {
    let host = state.withLock { $0.setup.host }
    guard PushwooshSettings(host.environment).flag(.allowsReverseProxy) != false else {
      report(
        "the reverse proxy is not used: \(PushwooshSettings.Name.allowsReverseProxy.rawValue) forbids it"
      )
      return
    }
    set({ $0.proxy = proxy }, { $0.setReverseProxy(proxy) })
  }

  func setCommunication(_ isAllowed: Bool) {
    set(
      { $0.allowsCommunication = isAllowed },
      { isAllowed ? $0.startServerCommunication() : $0.stopServerCommunication() })
  }

  func setUserId(_ userId: String, _ completion: (((any Error)?) -> Void)?) {
    guard let completion else { return client.setUserID(userId) }
    // Needed because the documented closure is not Sendable. Safe because it is handed over here, called
    // once, on the executor of all callbacks, and not touched otherwise.
    nonisolated(unsafe) let handedOver = completion
    client.setUserID(userId) { error in handedOver(error.map(NSError.init(flags:))) }
  }

  /// Notes a setting, and tells the client if there is one.
  private func set(
    _ note: @Sendable (inout Setup) -> Void, _ tell: @Sendable (RemoteFlagsClient) -> Void
  ) {
    let client = state.withLock { state -> RemoteFlagsClient? in
      note(&state.setup)
      return state.running?.client
    }
    if let client { tell(client) }
  }

  private func report(_ message: String) {
    let host = state.withLock { $0.setup.host }
    Self.reporter(host, PushwooshSettings(host.environment))(
      RemoteFlagsReport(code: .configuration, message: message))
  }

  // MARK: Making

  private func run() -> Running {
    state.withLock { state in
      if let running = state.running { return running }
      let made = Self.make(state.setup)
      state.running = made
      return made
    }
  }

  private static func make(_ setup: Setup) -> Running {
    let host = setup.host
    let settings = PushwooshSettings(host.environment)
    let report = reporter(host, settings)
    if let problem = settings.problem {
      report(RemoteFlagsReport(code: .configuration, message: problem))
    }
    var configuration = RemoteFlagsConfiguration(
      applicationCode: setup.appCode ?? settings.text(.applicationCode),
      store: store(host, settings, report), transport: host.transport)
    configuration.apiToken = setup.apiToken ?? settings.text(.apiToken)
    configuration.baseURL = settings.text(.baseURL)
    configuration.reverseProxy = setup.proxy
    configuration.deviceType = host.deviceType
    configuration.isAppExtension = host.isAppExtension
    configuration.disablesThrottle = settings.flag(.disablesThrottle) ?? false
    configuration.allowsServerCommunication =
      setup.allowsCommunication ?? settings.flag(.allowsServerCommunication) ?? true
    configuration.time = host.time
    configuration.wallClock = host.wallClock
    if let executor = host.callbackExecutor { configuration.callbackExecutor = executor }
    configuration.lifecycle = host.lifecycle
    configuration.report = report
    let client = RemoteFlagsClient(configuration)
    let main = MainThread(isReplaced: host.callbackExecutor != nil)
    return Running(
      client: client, flags: PWFeatureFlags(client, main), startsWithUse: host.lifecycle == nil)
  }

  private static func store(
    _ host: PushwooshHost, _ settings: PushwooshSettings,
    _ report: @escaping @Sendable (RemoteFlagsReport) -> Void
  ) -> any RemoteFlagsStore {
    guard let folder = host.stateFolder ?? standardFolder(host, settings) else {
      report(
        RemoteFlagsReport(
          code: .store, message: "there is no folder to keep flags in; they are kept in memory"))
      return InMemoryStorage()
    }
    var configuration = SQLiteStorage.Configuration(folder: folder)
    configuration.wallClock = host.wallClock
    configuration.time = host.time
    // The store reports while it is being written; the host may answer with calls that write to it.
    let queue = SerialCallbackExecutor(label: "pushwoosh.reports")
    configuration.report = { event in
      queue.execute { report(RemoteFlagsReport(code: .store, message: event.message)) }
    }
    return SQLiteStorage(configuration)
  }

  private static func standardFolder(
    _ host: PushwooshHost, _ settings: PushwooshSettings
  ) -> String? {
    #if canImport(Darwin)
      let group = settings.text(.appGroup).flatMap {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
      }
      let support = FileManager.default.urls(
        for: .applicationSupportDirectory, in: .userDomainMask
      ).first
      return (group ?? support)?.appendingPathComponent("Pushwoosh").path
    #else
      return StateFolder.standard(host.environment).map { $0 + "/pushwoosh" }
    #endif
  }

  /// Where reports go: the host's closure, else standard error unless the log level is below warnings.
  private static func reporter(
    _ host: PushwooshHost, _ settings: PushwooshSettings
  ) -> @Sendable (RemoteFlagsReport) -> Void {
    if let report = host.report { return report }
    let level = settings.text(.logLevel)?.uppercased() ?? ""
    guard !["NONE", "ERROR", "0", "1"].contains(level) else { return { _ in } }
    return { report in
      FileHandle.standardError.write(Data("Pushwoosh: \(report)\n".utf8))
    }
  }
}
