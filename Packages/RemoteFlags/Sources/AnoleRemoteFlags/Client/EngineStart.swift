// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state in which an engine starts: what was configured and what the store has.
struct EngineStart {
  let fixed: FlagEngine.Fixed
  let plan: FlagPlan
  let server: ServerSettings
  let reports: [RemoteFlagsReport]

  init(_ configuration: RemoteFlagsConfiguration, wire: some FeatureFlagWire) {
    var reports: [RemoteFlagsReport] = []
    let store = configuration.store
    let deviceID = Self.deviceID(configuration)
    let now = FlagPlan.Now(
      moment: configuration.time.now, wall: configuration.wallClock.milliseconds)

    let subject = Self.subject(configuration, deviceID: deviceID, &reports)
    let application = subject.application
    let stored = application.flatMap {
      StoreRecords.flags(
        in: store.read(namespace: StoreRecords.sets, key: $0.text), application: $0,
        user: subject.user, now)
    }
    server = Self.server(configuration, application: application?.text, &reports)
    plan = FlagPlan(
      subject: subject,
      conditions: FlagPlan.Conditions(
        hasAddress: Self.hasAddress(server, subject, wire),
        allowsCommunication: configuration.allowsServerCommunication,
        isAppExtension: configuration.isAppExtension,
        isUnlimited: configuration.disablesThrottle),
      stored: stored, now: now.moment)
    fixed = FlagEngine.Fixed(
      deviceID: deviceID, deviceType: configuration.deviceType, version: configuration.version)
    self.reports = reports
  }

  /// True also without an application code: what an address lacks then is the code.
  static func hasAddress(
    _ server: ServerSettings, _ subject: FlagPlan.Subject, _ wire: some FeatureFlagWire
  ) -> Bool {
    guard let application = subject.application else { return true }
    return server.flagsURL(application: application.text, wire) != nil
  }

  static let unusableCode = RemoteFlagsReport(
    code: .configuration,
    message: "the application code is not used: it must have the form XXXXX-XXXXX, without a dot")

  static func unusableHeaders(_ names: [String]) -> RemoteFlagsReport {
    let count = names.count
    return RemoteFlagsReport(
      code: .configuration,
      message: "\(count) header(s) of the reverse proxy are left out: a name or value has "
        + "forbidden characters, or the transport sets the header itself")
  }

  private static func deviceID(_ configuration: RemoteFlagsConfiguration) -> String {
    if let given = configuration.deviceID?.trimmingWhiteSpace(), !given.isEmpty { return given }
    let store = configuration.store
    let record = store.read(namespace: StoreRecords.names, key: "device")
    if let stored = StoreRecords.device(in: record) { return stored }
    let made = UUID().uuidString
    store.apply([StoreRecords.device(made)])
    return made
  }

  private static func subject(
    _ configuration: RemoteFlagsConfiguration, deviceID: String,
    _ reports: inout [RemoteFlagsReport]
  ) -> FlagPlan.Subject {
    let store = configuration.store
    var application = configuration.applicationCode
    if let code = application, !ServerAddress.isApplicationCode(code) {
      reports.append(unusableCode)
      application = nil
    }
    let stored = StoreRecords.user(
      in: store.read(namespace: StoreRecords.names, key: "user"))
    var user = stored ?? deviceID
    if let given = configuration.userID?.trimmingWhiteSpace(), !given.isEmpty,
      !given.hasSameBytes(as: user)
    {
      user = given
      // A change of user like any other: the sets of the former one go.
      StoreRecords.changeUser(to: given, in: store)
    }
    return FlagPlan.Subject(
      application: application.map(ExactText.init), user: ExactText(user))
  }

  private static func server(
    _ configuration: RemoteFlagsConfiguration, application: String?,
    _ reports: inout [RemoteFlagsReport]
  ) -> ServerSettings {
    var server = ServerSettings(
      apiToken: configuration.apiToken, proxy: configuration.reverseProxy)
    if let text = configuration.baseURL {
      server.base = ServerAddress.base(text).map { .url($0) } ?? .unusable
      if server.base == .unusable {
        reports.append(
          RemoteFlagsReport(
            code: .configuration,
            message: "the base URL cannot be used: it must be http or https with a host"))
      }
    }
    if let application, let configured = server.configuredBase(application) {
      let record = configuration.store.read(
        namespace: StoreRecords.addresses, key: application)
      server.toldBase = StoreRecords.address(in: record, configured: configured)
    }
    if !server.unusableHeaders.isEmpty { reports.append(unusableHeaders(server.unusableHeaders)) }
    return server
  }
}
