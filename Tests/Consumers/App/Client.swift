// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleStorage
import kameleoonClient

/// What a view shows; it belongs to the main actor.
final class Screen {
  var lines: [String] = []

  func show(_ line: String) { lines.append(line) }
}

func useClient() async throws {
  try await useCreation()
  useData()
  useTypes()
  useLogging()
  useErrors()
}

// MARK: Creation

private struct OwnLifecycle: AppLifecycle {
  final class Token: Sendable {}

  var isActive: Bool { true }

  func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable {
    Token()
  }
}

private struct OwnDevice: DeviceInfo {
  var device: Device? { .tablet }
  var osName: String { "Linux" }
  var osVersion: String { "6.1" }
  var model: String? { nil }
  var language: String { "en" }
  var timeZoneOffset: Int { 3_600 }
  var appVersion: String? { "1.2.3" }
}

private struct NoNetwork: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(code: .connectFailed, message: "there is no network")
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .connectFailed, message: "there is no network")
  }
}

private let dataFile = """
  {"featureFlags": [{"id": 1, "featureKey": "checkout", "environmentEnabled": true,
    "defaultVariationKey": "on", "rules": [], "variations": [{"key": "on", "name": "On",
      "variables": [{"key": "price", "type": "NUMBER", "value": 9.5}]}]}]}
  """

private func useCreation() async throws {
  // As the documentation has it; `try` is not needed.
  print(try KameleoonClientConfig() == KameleoonClientConfig(environment: nil))
  let config = KameleoonClientConfig(
    clientId: "id", clientSecret: "secret", refreshIntervalMinute: 60,
    dataExpirationIntervalMinute: 1_440, defaultTimeoutMillisecond: 10_000,
    trackingIntervalMillisecond: 1_000, environment: "production", isUniqueIdentifier: false,
    networkDomain: "example.com", defaultDataFile: dataFile,
    activityTrackingIntervalMillisecond: 60_000)
  print(
    config.clientId ?? "", config.clientSecret ?? "", config.refreshIntervalMinute ?? 0,
    config.dataExpirationIntervalMinute ?? 0, config.defaultTimeoutMillisecond ?? 0,
    config.trackingIntervalMillisecond ?? 0, config.environment ?? "",
    config.isUniqueIdentifier ?? false, config.networkDomain ?? "", config.defaultDataFile ?? "",
    config.activityTrackingIntervalMillisecond ?? 0, Set([config]).count)
  var options = ClientOptions(
    configurationFile: nil, endpoints: [:], proxy: .none, caFile: nil,
    requestHeaders: { _ in ["X-App": "consumer"] }, isCompressionEnabled: true, store: .memory,
    transport: NoNetwork(), clock: ContinuousClock(), wallClock: .system,
    callbackExecutor: SerialCallbackExecutor(label: "consumer"), lifecycle: OwnLifecycle(),
    deviceInfo: OwnDevice())
  options.redirectEndpoints(toHost: "127.0.0.1", port: 9)
  let store: ClientOptions.Store = .folder("/nonexistent")
  options.store = store
  options.store = .standard
  options.store = .memory
  options.lifecycle = ClientOptions.platformLifecycle
  options.lifecycle = AlwaysActive()
  options.deviceInfo = SystemDeviceInfo()
  options.endpoints[.events] = nil
  options.proxy = .none
  options.caFile = nil
  options.requestHeaders = { _ in [:] }
  options.isCompressionEnabled = false
  options.configurationFile = nil
  options.transport = NoNetwork()
  options.clock = ContinuousClock()
  options.wallClock = .system
  options.callbackExecutor = nil
  // The closures of this application belong to the main actor.
  options.callbackExecutor = SerialCallbackExecutor.main

  let client = try KameleoonClientFactory.create(
    siteCode: "consumer", visitorCode: "visitor", config: config, options: options)
  let same = try KameleoonClientFactory.create(
    siteCode: "consumer", visitorCode: "visitor", config: config)
  print(same === client)
  useReadiness(same)
  try await same.runWhenReady()
  try await same.runWhenReady(timeoutMilliseconds: 1_000)
  try useFlags(same)
  useVisitor(same)
  useRemoteCallbacks(same)
  await useRemote(same)
  try await useExtensions(client)
  await client.close()
}

private func useReadiness(_ client: any KameleoonClient) {
  let screen = Screen()
  client.runWhenReady { isReady in screen.show("ready \(isReady)") }
  client.runWhenReady(timeoutMilliseconds: 500) { isReady in screen.show("ready \(isReady)") }
  client.updateConfigurationHandler { screen.show("updated") }
  client.updateConfigurationHandler(nil)
  print(client.ready, client.visitorCode)
}

private func useFlags(_ client: any KameleoonClient) throws {
  print(try client.isFeatureActive(featureKey: "checkout"))
  print(try client.isFeatureActive(featureKey: "checkout", track: false))
  print(try client.getVariation(featureKey: "checkout").key)
  print(try client.getVariation(featureKey: "checkout", track: false).key)
  print(try client.getVariations().count, try client.getVariations(onlyActive: true).count)
  print(try client.getVariations(track: false).count)
  print(try client.getVariations(onlyActive: true, track: false).count)
  // The file of this program has no experiment.
  try? client.setForcedVariation(experimentId: 1, variationKey: "on")
  try? client.setForcedVariation(experimentId: 1, variationKey: nil, forceTargeting: false)
  try client.evaluateAudiences()
  print(try client.getDataFile().dateModified)
  print(client.getFeatureList(), client.getActiveFeatureList(), client.getActiveFeatures().count)
  print(try client.getFeatureVariationKey(featureKey: "checkout"))
  print(try client.getFeatureVariable(featureKey: "checkout", variableKey: "price") ?? "nil")
  print(try client.getFeatureVariationVariables(featureKey: "checkout", variationKey: "on"))
}

private func useVisitor(_ client: any KameleoonClient) {
  let datum = CustomData(index: 1, values: "a")
  client.trackConversion(goalId: 1)
  client.trackConversion(goalId: 1, revenue: 2)
  client.trackConversion(goalId: 1, revenue: 2, negative: true, metadata: datum, datum)
  client.trackConversion(goalId: 1, metadata: [datum])
  client.trackConversion(goalId: 1, revenue: 2, metadata: [datum])
  client.trackConversion(goalId: 1, negative: true, metadata: [datum])
  client.trackConversion(goalId: 1, revenue: 2, negative: true, metadata: [datum])
  client.addData(datum)
  client.addData(datum, Device.phone)
  client.addData([datum, Conversion(goalId: 1)])
  client.addData(track: false, datum)
  client.addData(track: false, [datum])
  // As the documentation has it; `try?` is not needed.
  try? client.addData(datum)
  client.flush()
  client.flush(instant: true)
  client.setLegalConsent(true)
  let cookie = client.visitorCodeCookie(domain: "example.com")
  print(
    VisitorCodeCookie.name, cookie.value, cookie.domain, cookie.path, cookie.secure,
    cookie.maxAgeSeconds ?? 0, cookie.setCookieHeaderValue)
  print(VisitorCodeCookie(value: "v", domain: "example.com", maxAgeSeconds: nil) == cookie)
}

// MARK: Remote data

private struct Plan: Decodable {
  let plan: String
}

private func useRemoteCallbacks(_ client: any KameleoonClient) {
  let screen = Screen()
  client.getRemoteData(key: "k") { (result: Result<[String: Int], Error>) in
    screen.show("\(result)")
  }
  client.getRemoteData { (result: Result<[String: Int], Error>) in screen.show("\(result)") }
  client.getRemoteData(key: "k") { (result: Result<Data, Error>) in screen.show("\(result)") }
  client.getRemoteData { (result: Result<Data, Error>) in screen.show("\(result)") }
  client.getRemoteVisitorData { result in screen.show("\(result)") }
  client.getRemoteVisitorData(addData: false) { result in screen.show("\(result)") }
  client.getRemoteVisitorData(filter: .default) { result in screen.show("\(result)") }
  client.getRemoteVisitorData(filter: .default, addData: false) { screen.show("\($0)") }
  client.getVisitorWarehouseAudience(customDataIndex: 1) { result in screen.show("\(result)") }
  client.getVisitorWarehouseAudience(warehouseKey: "k", customDataIndex: 1) { result in
    screen.show("\(result)")
  }
}

private func useRemote(_ client: any KameleoonClient) async {
  do {
    let plan: [String: String] = try await client.getRemoteData()
    let other: [String: String] = try await client.getRemoteData(key: "k")
    print(
      plan, other, try await client.getRawRemoteData(), try await client.getRawRemoteData(key: "k"))
    try await client.getRemoteVisitorData()
    try await client.getRemoteVisitorData(addData: false)
    try await client.getRemoteVisitorData(filter: .default)
    try await client.getRemoteVisitorData(filter: .default, addData: false)
    try await client.getVisitorWarehouseAudience(customDataIndex: 1)
    try await client.getVisitorWarehouseAudience(warehouseKey: "k", customDataIndex: 1)
  } catch {
    print("no remote data:", error)
  }
}

// MARK: Extensions

private struct Banner: Decodable {
  let title: String
}

private func showStored() {
  let names: Set<String> = StoredClientState.namespaces
  // There is no store in that place.
  guard let inspection = try? StorageInspection(folder: "/nowhere", reading: names),
    let stored = StoredClientState(inspection)
  else { return }
  print(stored.visitorCode ?? "", stored.visitorCount, stored.isDataFileUnreadable)
  if let file: StoredClientState.DataFile = stored.dataFile {
    print(
      file.siteCode, file.environment ?? "", file.networkDomain ?? "", file.lastModified ?? "",
      file.entityTag ?? "", file.fetchedAt, file.bytes.count)
  }
}

private func useExtensions(_ client: any AnoleClient) async throws {
  showStored()
  let decision = try client.decision(featureKey: "checkout")
  print(
    decision, decision.featureKey, decision.variation.key, decision.reason, decision.ruleId ?? 0,
    decision.isActive, decision.origin?.description ?? "", decision.trace?.description ?? "")
  let made: FlagDecision.Reason = decision.reason
  print(FlagDecision(featureKey: "f", variation: decision.variation, reason: made).description)
  print(try JSONEncoder().encode(decision).count)
  let variation = decision.variation
  print(
    variation.bool("vip", default: false), variation.int("n", default: 1),
    variation.double("price", default: 1), variation.string("title", default: "-"))
  do {
    print(try variation.decode("banner", as: Banner.self).title)
  } catch let error as VariableError {
    let code: VariableError.Code = error.code
    print(code == .missing, code == .mismatch, error.message, error.code.description)
    print(error.description, error.errorDescription ?? "")
  }
  for await variation in client.changes(of: "checkout") {
    print(variation.key)
    break
  }
  print(client.dataFileOrigin?.description ?? "no configuration")
  let origin: DataFileOrigin? = client.dataFileOrigin
  switch origin {
  case .defaultDataFile: print("default")
  case .stored(let since): print(since)
  case .fetched(let at): print(at)
  case .streamed(let at): print(at)
  case nil: break
  }
  var health = await client.health
  print(
    health.isReady, health.isClosed, health.dataFileOrigin == nil, health.dataFileModified == nil,
    health.stream == .off, health.isStoreDurable)
  if let fetch = health.lastFetch {
    let outcome: ClientHealth.Fetch.Outcome = fetch.outcome
    switch outcome {
    case .updated, .unchanged: print(fetch.time)
    case .failed(let reason): print(reason)
    }
  }
  let streams: [ClientHealth.Stream] = [.off, .connecting, .open]
  print(streams.contains(health.stream))
  health.lastFetch = ClientHealth.Fetch(time: Date(), outcome: .unchanged)
  health.tracking = ClientHealth.Tracking(
    waiting: 1, oldest: nil, sent: 2, dropped: [:], lastStatus: 200, isPaused: false,
    isProbing: false)
  let tracking = health.tracking
  print(
    tracking.waiting, tracking.oldest == nil, tracking.sent, tracking.dropped,
    tracking.lastStatus ?? 0, tracking.isPaused, tracking.isProbing)
  print(
    ClientHealth(
      isReady: true, isClosed: false, dataFileOrigin: nil, dataFileModified: nil, lastFetch: nil,
      stream: .open, isStoreDurable: false, tracking: tracking) == health)
}

// MARK: Values

private func useData() {
  let values = [
    CustomData(id: 1, values: "a", "b"), CustomData(id: 1, values: ["a"]),
    CustomData(index: 1, values: "a"), CustomData(index: 1, overwrite: false, values: ["a"]),
    CustomData(name: "plan", values: "a"),
    CustomData(name: "plan", overwrite: false, values: ["a"]),
  ]
  for value in values { print(value.id, value.values, value.name ?? "", value.overwrite) }
  let conversion = Conversion(goalId: 1, revenue: 2, negative: false, metadata: values[0])
  print(conversion.goalId, conversion.revenue, conversion.negative, conversion.metadata.count)
  print(conversion == Conversion(goalId: 1, metadata: values))
  print(Device.allCases, Device.phone == Device.tablet, Device.desktop)
  let place = Geolocation(
    country: "France", region: "Île-de-France", city: "Paris", postalCode: "75001",
    latitude: 48.85, longitude: 2.35)
  print(
    place.country, place.region ?? "", place.city ?? "", place.postalCode ?? "",
    place.latitude ?? 0, place.longitude ?? 0)
  let all: [KameleoonData] = [values[0], conversion, Device.phone, place]
  print(all.count)
}

private func useTypes() {
  let variable = Types.Variable(key: "k", type: "NUMBER", value: 5)
  print(variable.key, variable.type, variable.value ?? "nil", variable.value as? NSNumber ?? 0)
  print(variable.json ?? "no value")
  let variation = Types.Variation(
    name: "On", key: "on", id: 1, experimentId: 2, variables: ["k": variable])
  print(
    variation.name, variation.key, variation.id, variation.experimentId, variation.variables.count)
  print(Types.Variation(key: "on", id: 1, experimentId: 2, variables: [:]) == variation)
  let flag = Types.FeatureFlag(
    environmentEnabled: true, defaultVariationKey: "on", variations: ["on": variation],
    rules: [Types.Rule(variations: ["on": variation])])
  print(
    flag.environmentEnabled, flag.defaultVariationKey, flag.defaultVariation?.key ?? "",
    flag.variations.count, flag.rules.first?.variations.count ?? 0)
  let file = Types.DataFile(featureFlags: ["f": flag], dateModified: 1)
  print(file.featureFlags.count, file.dateModified)
  let filter = Types.RemoteVisitorDataFilter(
    previousVisitAmount: 5, currentVisit: true, customData: true, conversions: true,
    experiments: true, geolocation: true, kcs: true, visitorCode: true, personalization: true,
    cbs: true)
  print(
    filter.previousVisitAmount, filter.currentVisit, filter.customData, filter.conversions,
    filter.experiments, filter.geolocation, filter.kcs, filter.visitorCode,
    filter.personalization, filter.cbs, filter == .default)
  let device = SystemDeviceInfo()
  print(
    device.device == nil, device.osName, device.osVersion, device.model ?? "", device.language,
    device.timeZoneOffset, device.appVersion ?? "")
  let lifecycle = AlwaysActive()
  let observation = lifecycle.observe { event in
    switch event {
    case .didBecomeActive, .didEnterBackground: break
    }
  }
  print(lifecycle.isActive, type(of: observation))
}

/// A logger with state of its own, as plain classes have it; the main actor must not own it.
private final class OwnLogger: Logging {
  func log(level: LogLevel, message: String) { print(level.rawValue, message) }
}

private func useLogging() {
  let (level, logger) = (KameleoonLogger.logLevel, KameleoonLogger.logger)
  KameleoonLogger.logLevel = .debug
  KameleoonLogger.logger = OwnLogger()
  KameleoonLogger.logger.log(level: .error, message: "from the application")
  KameleoonLogger.logger = StandardErrorLogger()
  StandardErrorLogger().log(level: .info, message: "from the application")
  for level in LogLevel.allCases { KameleoonLogger.logLevel = level }
  KameleoonLogger.logLevel = level
  KameleoonLogger.logger = logger
}

private func useErrors() {
  let errors: [Error] = [
    KameleoonError.sdkNotReady, KameleoonError.siteCodeIsEmpty,
    KameleoonError.visitorCodeInvalid("x"), KameleoonError.dataFileInvalid,
    KameleoonError.Feature.notFound("f"), KameleoonError.Feature.environmentDisabled("f", nil),
    KameleoonError.Feature.variableNotFound("f", "v", "k"),
    KameleoonError.Feature.variationNotFound("f", "v"),
    KameleoonError.Feature.experimentNotFound(1),
  ]
  for error in errors {
    switch error {
    case let error as KameleoonError: print(error.description, error.errorDescription ?? "")
    case let error as KameleoonError.Feature: print(error.description, error.errorDescription ?? "")
    default: print(error.localizedDescription)
    }
  }
}
