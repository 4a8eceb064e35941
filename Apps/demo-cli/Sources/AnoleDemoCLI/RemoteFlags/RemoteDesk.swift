// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import AnoleStorage

/// A client of remote flags over a folder, for single commands.
struct RemoteDesk: Sendable {
  /// The client.
  let client: RemoteFlagsClient
  /// The platform inside the program; nil if another one is asked.
  let emulator: Emulator?

  private let store: SQLiteStorage
  private let transport: CurlTransport
  private let reports: Remarks

  /// What a desk works with.
  struct Settings: Sendable {
    var application: String
    var token: String?
    /// The address of a platform; nil for the emulator inside the program.
    var base: String?
    var folder: String
    /// The flags of the emulator inside.
    var rules: [UInt8]
  }

  /// Makes a desk; an emulator inside is started.
  ///
  /// - Throws: a sentence if it cannot be, or if the rules are wrong.
  init(_ settings: Settings, in environment: Environment) throws(Failure) {
    var emulator: Emulator?
    if settings.base == nil { emulator = try Self.start(settings.rules) }
    let reports = Remarks()
    var stored = SQLiteStorage.Configuration(folder: settings.folder)
    stored.wallClock = environment.wallClock
    stored.report = { reports.add($0.message) }
    let store = SQLiteStorage(stored)
    let host = try settings.base.map { (base) throws(Failure) in
      try PlatformURLs.address(of: base).host
    }
    let transport = CurlTransport(
      CurlTransport.Configuration(
        proxy: emulator == nil ? .reaching(host) : HTTPProxy.none))
    var configuration = RemoteFlagsConfiguration(
      applicationCode: settings.application, store: store, transport: transport)
    configuration.apiToken = settings.token
    configuration.baseURL = (settings.base ?? emulator?.baseURL).map { "\($0)/json/1.3/" }
    configuration.disablesThrottle = true
    configuration.time = TimeSource(environment.clock)
    configuration.wallClock = environment.wallClock
    configuration.callbackExecutor = SerialCallbackExecutor(label: "demo-cli.remote")
    configuration.report = { reports.add($0.message) }
    client = RemoteFlagsClient(configuration)
    self.emulator = emulator
    self.store = store
    self.transport = transport
    self.reports = reports
  }

  private static func start(_ rules: [UInt8]) throws(Failure) -> Emulator {
    let emulator = Emulator()
    try emulator.takeRemoteFlags(rules)
    try emulator.begin()
    return emulator
  }

  /// Sentences about what went wrong on the way, in order.
  var remarks: [String] { reports.all }

  /// Ends the client and the emulator inside.
  func close() async {
    await client.shutdown()
    transport.shutdown()
    store.close()
    emulator?.stop()
  }
}
