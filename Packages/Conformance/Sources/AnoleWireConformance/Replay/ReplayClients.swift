// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleWireRecordings
@_spi(AnoleConformance) import kameleoonClient

/// The clients of a scenario: one for each visitor code, made when a step first names it.
final class ReplayClients {
  private let recording: WireRecording
  private let config: (Bool) -> KameleoonClientConfig
  private let options: ClientOptions
  private let bench = WireBench()
  private var clients: [String: any AnoleClient] = [:]
  private var first: (any AnoleClient)?
  private let updates = Counter()

  /// - Throws: ``WireFormatError`` for settings that cannot be expressed.
  init(_ recording: WireRecording, transport: any HTTPTransport, time: ReplayTime) throws {
    self.recording = recording
    config = try Self.config(recording)
    // Where a visitor's record is compared, nothing may be in it that the recorded SDK did not have.
    let needsPlainRecord = recording.steps.contains {
      $0.operation == .visitorState || $0.operation == .getRemoteVisitorData
    }
    options = ClientOptions(
      proxy: .none, store: .memory, transport: transport, clock: time.clock,
      wallClock: time.wallClock.clock, callbackExecutor: InlineCallbackExecutor(),
      lifecycle: AlwaysActive(),
      deviceInfo: needsPlainRecord ? ReplayDevice.unknown : ReplayDevice.detected)
  }

  /// How often the update handler was called.
  var updateCount: Int { updates.count }

  /// The client of a visitor; nil: that of the first visitor, for calls that are about none.
  func client(_ visitorCode: String?) throws -> any AnoleClient {
    if visitorCode == nil, let first { return first }
    let code = visitorCode ?? recording.visitorCodes[0]
    if let client = clients[code] { return client }
    let client = try bench.client(
      siteCode: recording.siteCode, visitorCode: code,
      config: config(recording.uniqueIdentifiers.contains(code)), options: options)
    if first == nil {
      first = client
      client.updateConfigurationHandler { [updates] in updates.increment() }
    }
    clients[code] = client
    return client
  }

  /// Ends all clients.
  ///
  /// - Returns: what still runs; nil if nothing does.
  func close() async -> String? {
    for client in clients.values { await client.close() }
    clients = [:]
    first = nil
    return bench.engineCount == 0 ? nil : "after close() of all clients an engine still runs"
  }

  /// The settings, for a plain visitor code or a customer's own identifier.
  private static func config(
    _ recording: WireRecording
  ) throws(WireFormatError) -> (Bool) -> KameleoonClientConfig {
    let known = [
      "environment", "networkDomain", "refreshIntervalMinute", "trackingIntervalMillisecond",
    ]
    let settings = recording.settings
    if let other = settings.objectValue?.first(where: { !known.contains($0.key) }) {
      throw WireFormatError("config: \"\(other.key)\" is not known")
    }
    // The least that the client allows; the clock makes it short.
    let refresh = recording.refreshIntervalMinutes.map { max(1, Int($0)) }
    return { isUniqueIdentifier in
      KameleoonClientConfig(
        clientId: recording.credentials?.clientID,
        clientSecret: recording.credentials?.clientSecret, refreshIntervalMinute: refresh,
        trackingIntervalMillisecond: settings["trackingIntervalMillisecond"]?.integerValue
          .map { Int($0) },
        environment: settings["environment"]?.stringValue,
        isUniqueIdentifier: isUniqueIdentifier,
        networkDomain: settings["networkDomain"]?.stringValue)
    }
  }
}

/// Counts the calls of a handler, on whatever thread they come.
private final class Counter: Sendable {
  private let value = Lock(0)

  var count: Int { value.withLock { $0 } }

  func increment() { value.withLock { $0 += 1 } }
}
