// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleConformance
import AnoleModels
import AnoleNetworking
import AnoleWireRecordings
@_spi(AnoleConformance) import kameleoonClient

/// Runs one case of the evaluation vectors through clients.
///
/// Not through the public interface go only data that have no public type (system, version of the application,
/// conversions of another time) and looks into the record (assignments, segments).
final class EvaluationReplay {
  /// How long a request is waited for, in real time.
  private static let patience = Duration.seconds(5)

  private let item: JSONValue
  private let visitorCode: String
  private let time = ReplayTime()
  private let platform: VectorPlatform
  private let bench = WireBench()
  private let options: ClientOptions
  private let config: KameleoonClientConfig
  private let consent: EvaluationComparison.Consent
  private var clients: [String: any AnoleClient] = [:]
  /// Where the case passes by a decision only.
  private var decision: WireReport.Decision?

  /// - Parameter dataFile: the data file that the clients start with.
  init(_ item: JSONValue, dataFile: JSONValue) throws(VectorError) {
    self.item = item
    let isRequired = dataFile["configuration"]?["consentType"] == "REQUIRED"
    let answers = (item["steps"]?.arrayValue ?? []).filter { $0["op"] == "setLegalConsent" }
    consent = EvaluationComparison.Consent(
      isRequired: isRequired, isGiven: answers.last?["value"] == true)
    visitorCode = try VectorData.text(item, "visitor")
    platform = VectorPlatform(VectorPlatform.Answers(dataFile: nil), time: time)
    options = ClientOptions(
      proxy: .none, store: .memory, transport: platform, clock: time.clock,
      wallClock: time.wallClock.clock, callbackExecutor: InlineCallbackExecutor(),
      lifecycle: AlwaysActive(), deviceInfo: ReplayDevice.unknown)
    config = KameleoonClientConfig(defaultDataFile: dataFile.text())
  }

  /// Runs the case.
  func run() async throws -> WireVectors.Outcome {
    let now = try VectorData.time(item, "now").milliseconds
    let steps = item["steps"]?.arrayValue ?? []
    let start = item["visitStart"] == nil ? now : try VectorData.integer(item, "visitStart")
    time.wallClock.milliseconds = start
    let isTracking = steps.contains { $0["op"] == "tracking" }
    defer { time.monitor.note() }
    do {
      _ = try client(visitorCode)
    } catch KameleoonError.visitorCodeInvalid {
      let isExpected = steps.allSatisfy { $0["error"] == "visitorCodeInvalid" }
      return isExpected ? .passed : .differs("the visitor code was refused")
    }
    // The activity event of the start leaves before anything is done.
    if isTracking { try await pass() }
    time.wallClock.milliseconds = now
    var difference: String?
    for (position, step) in steps.enumerated() where difference == nil {
      difference = try await self.difference(in: step).map {
        "step \(position + 1) (\(step["op"] ?? .null)): \($0)"
      }
    }
    for client in clients.values { await client.close() }
    if let difference { return .differs(difference) }
    return decision.map(WireVectors.Outcome.decided) ?? .passed
  }

  private func client(_ code: String) throws -> any AnoleClient {
    if let client = clients[code] { return client }
    let client = try bench.client(
      siteCode: VectorClient.siteCode, visitorCode: code, config: config, options: options)
    guard client.ready else { throw VectorError("the data file was not taken as default file") }
    clients[code] = client
    return client
  }

  /// Lets a tracking interval pass; the time of day stands still.
  private func pass() async throws {
    try await time.jump(.seconds(5), isDayStill: true)
  }

  // MARK: - Steps

  private func difference(in step: JSONValue) async throws -> String? {
    let expectedError = step["error"]?.stringValue
    let actual: JSONValue
    do {
      actual = try await answer(step)
    } catch {
      guard let name = EvaluationAnswers.name(of: error) else { throw error }
      guard let expectedError else { return "failed with \(name)" }
      return name == expectedError ? nil : "expected the error \(expectedError), got \(name)"
    }
    if let expectedError { return "expected the error \(expectedError), got \(actual)" }
    guard let expected = step["expect"] else { return nil }
    let comparison = EvaluationComparison(expected: expected, actual: actual, consent: consent)
    switch step["op"] == "tracking" ? comparison.tracking() : comparison.answer() {
    case .passed, .skipped: return nil
    case .differs(let difference): return difference
    case .decided(let decision):
      self.decision = decision
      return nil
    }
  }

  private func answer(_ step: JSONValue) async throws -> JSONValue {
    let code = step["visitor"]?.stringValue ?? visitorCode
    let client = try client(code)
    switch try VectorData.text(step, "op") {
    case "addData": try add(step, client)
    case "loadRemote": try await load(step, client)
    case "setMappingIdentifier":
      let code = JSONValue.string(try VectorData.text(step, "value"))
      platform.change { $0.visitorData = ["currentVisit": ["visitorCode": code]] }
      try await client.getRemoteVisitorData(filter: .default, addData: false)
    case "advance":
      time.wallClock.milliseconds += try VectorData.integer(step, "ms")
    case "setLegalConsent":
      client.setLegalConsent(step["value"]?.boolValue ?? false)
    case "setForcedVariation":
      try client.setForcedVariation(
        experimentId: Int(try VectorData.integer(step, "experimentId")),
        variationKey: step["variationKey"]?.stringValue,
        forceTargeting: step["forceTargeting"]?.boolValue ?? true)
    case "assigned": return assigned(client)
    case "tracking":
      return try await tracking(code, expectsLines: step["expect"]?["events"] != [])
    case "evaluateAudiences":
      try client.evaluateAudiences()
      let segments = WireBench.record(of: client)?.profile?.targetedSegments ?? []
      return .array(segments.map(\.id).sorted().map { .number(.integer($0)) })
    case "getDataFile": return EvaluationAnswers.dataFile(try client.getDataFile())
    case let operation: return try decision(step, operation, client)
    }
    return .null
  }

  private func decision(
    _ step: JSONValue, _ operation: String, _ client: any AnoleClient
  ) throws -> JSONValue {
    let isTracked = step["track"]?.boolValue ?? true
    let withVariables = step["variables"]?.boolValue ?? false
    let deprecated: any DeprecatedCalls = DeprecatedClient(client: client)
    func key(_ name: String = "featureKey") throws -> String { try VectorData.text(step, name) }
    switch operation {
    case "getVariation":
      return EvaluationAnswers.variation(
        try client.getVariation(featureKey: try key(), track: isTracked),
        withVariables: withVariables)
    case "isFeatureActive":
      return .bool(try client.isFeatureActive(featureKey: try key(), track: isTracked))
    case "getVariations":
      return EvaluationAnswers.variations(
        try client.getVariations(
          onlyActive: step["onlyActive"]?.boolValue ?? false, track: isTracked),
        withVariables: withVariables)
    case "getActiveFeatures":
      return EvaluationAnswers.variations(
        deprecated.activeFeatures(), withVariables: withVariables)
    case "getActiveFeatureList":
      return Self.list(deprecated.activeFeatureList())
    case "getFeatureList": return Self.list(deprecated.featureList())
    case "getFeatureVariationKey":
      return .string(try deprecated.featureVariationKey(try key()))
    case "getFeatureVariable":
      return EvaluationAnswers.native(
        try deprecated.featureVariable(try key(), try key("variableKey")))
    case "getFeatureVariationVariables":
      return EvaluationAnswers.native(
        try deprecated.featureVariationVariables(try key(), try key("variationKey")))
    default: throw VectorError("unknown operation \"\(operation)\"")
    }
  }

  /// Sorted by scalars, as the lists of the vectors are.
  private static func list(_ keys: [String]) -> JSONValue {
    let sorted = keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    return .array(sorted.map(JSONValue.string))
  }

  // MARK: - Data

  private func add(_ step: JSONValue, _ client: any AnoleClient) throws {
    let items = step["data"]?.arrayValue ?? []
    let isTracked = step["track"]?.boolValue ?? true
    let hasTimes = items.contains { $0["time"] != nil }
    if !hasTimes, let data = try WireData.publicItems(items) {
      return client.addData(track: isTracked, data)
    }
    let now = Timestamp(milliseconds: time.wallClock.milliseconds)
    WireBench.add(
      try items.map { try VectorData.datum($0, now: now) }, isTracked: isTracked, to: client)
  }

  /// What the vectors load from the server comes with an answer about the visitor.
  private func load(_ step: JSONValue, _ client: any AnoleClient) async throws {
    let now = Timestamp(milliseconds: time.wallClock.milliseconds)
    guard let answer = try RemoteAnswer.json(step["data"]?.arrayValue ?? [], now: now) else {
      throw VectorError("the platform's answer has no place for \(step["data"] ?? .null)")
    }
    platform.change { $0.visitorData = answer }
    try await client.getRemoteVisitorData(
      filter: Types.RemoteVisitorDataFilter(
        conversions: true, experiments: true, kcs: true, visitorCode: false,
        personalization: true, cbs: true),
      addData: true)
  }

  private func assigned(_ client: any AnoleClient) -> JSONValue {
    let assignments = WireBench.record(of: client)?.assignments.all ?? []
    return .array(
      assignments.map { [.number(.integer($0.experimentID)), .number(.integer($0.variationID))] })
  }

  /// What the next interval sends of the visitor, under whatever code of the person.
  private func tracking(_ code: String, expectsLines: Bool) async throws -> JSONValue {
    let earlier = platform.requests(.tracking).count
    let codes = try personCodes(of: code)
    // Without consent there may be nothing to send.
    let isRestricted = consent.isMissing && !expectsLines
    try await pass()
    try await time.monitor.await(atMost: .milliseconds(isRestricted ? 20 : 60)) {
      platform.requests(.tracking).count > earlier
    }
    let isRegistered = try lines(after: earlier).contains { $0.visitor.value == code }
    if !isRegistered {
      // What a request would carry if the visitor were queued.
      let count = platform.requests(.tracking).count
      try client(code).flush(instant: true)
      try await time.monitor.await(atMost: isRestricted ? .milliseconds(100) : Self.patience) {
        platform.requests(.tracking).count > count
      }
      try await time.monitor.settle()
    }
    let lines = try lines(after: earlier).filter { codes.contains($0.visitor.value) }
    var events: [JSONValue] = []
    // The mapping identifier is part of every request.
    for case let event? in try lines.map({ try EvaluationAnswers.event($0) })
    where event["mappingIdentifier"] == nil || !events.contains(event) { events.append(event) }
    return ["registered": .bool(isRegistered), "events": .array(events)]
  }

  /// The code, and those that share its record.
  private func personCodes(of code: String) throws -> Set<String> {
    let record = WireBench.record(of: try client(code))
    let others = clients.filter { WireBench.record(of: $0.value) == record }
    return Set(others.keys).union([code])
  }

  private func lines(after count: Int) throws -> [TrackingLine] {
    var lines: [TrackingLine] = []
    for request in platform.requests(.tracking).dropFirst(count) {
      lines += try ObservedRequest(request, at: .zero).lines()
    }
    return lines
  }
}
