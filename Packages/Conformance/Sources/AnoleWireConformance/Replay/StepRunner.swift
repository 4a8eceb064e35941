// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleWireRecordings
@_spi(AnoleConformance) import kameleoonClient

/// Performs the steps of a scenario.
final class StepRunner {
  /// The longest wait for requests, on the clock of the scenario: more than two refresh intervals.
  private static let longestWait = Duration.seconds(150)
  /// How long requests are waited for before the clock is turned.
  private static let grace = Duration.milliseconds(100)
  /// The longest a call may take, in real time.
  private static let patience = Duration.seconds(30)

  private let clients: ReplayClients
  private let server: ReplayServer
  private let transport: ReplayTransport
  private let time: ReplayTime

  init(
    clients: ReplayClients, server: ReplayServer, transport: ReplayTransport, time: ReplayTime
  ) {
    self.clients = clients
    self.server = server
    self.transport = transport
    self.time = time
  }

  /// Performs a step.
  ///
  /// - Returns: where its result and the recorded one part; nil if they agree.
  func difference(in step: RecordedStep) async throws -> String? {
    switch step.operation {
    case .awaitRequests: return try await awaitRequests(step)
    case .sleep:
      try await time.pass(.milliseconds(try step.integer("ms")))
      return nil
    case .pushSse:
      server.push(try step.text("text"))
      try await time.monitor.settle()
      return nil
    case .closeSse:
      server.closeStreams()
      try await time.monitor.settle()
      return nil
    default: break
    }
    let actual = try await result(of: step)
    try await time.monitor.settle()
    return ResultComparison.difference(of: step, actual: actual)
  }

  // MARK: - Waiting

  private func awaitRequests(_ step: RecordedStep) async throws -> String? {
    let (name, count) = (try step.text("endpoint"), try step.integer("count"))
    guard let endpoint = WireEndpoint(rawValue: name) else {
      throw WireFormatError("step \(step.number): unknown endpoint \"\(name)\"")
    }
    try await time.monitor.settle()
    // What needs no clock comes first; an early turn of the clock would change its time.
    try await time.monitor.await(atMost: Self.grace) {
      transport.answeredCount(endpoint) >= count
    }
    let end = time.now + Self.longestWait
    while transport.answeredCount(endpoint) < count, time.now < end {
      // What has been found wrong will not become right by waiting.
      guard transport.differences.isEmpty else { return nil }
      try await time.advance(upTo: end)
    }
    let answered = transport.answeredCount(endpoint)
    return answered < count ? "only \(answered) of \(count) \(endpoint) requests came" : nil
  }

  // MARK: - Calls

  /// What a call returns, in the form of the recordings; nil for nothing.
  private func result(of step: RecordedStep) async throws -> JSONValue? {
    let client = try clients.client(step.visitorCode)
    switch step.operation {
    case .waitReady: return .bool(try await isReadyInTime(client))
    case .isReady: return .bool(client.ready)
    case .updateHandlerCalls: return .number(.integer(Int64(clients.updateCount)))
    case .featureList:
      return .array(try client.getDataFile().featureFlags.keys.sorted().map(JSONValue.string))
    case .visitorState: return WireBench.record(of: client).map(VisitorState.json)
    case .getVariation, .getVariations, .isFeatureActive: return try decision(step, client)
    case .getRemoteData, .getRemoteVisitorData, .getVisitorWarehouseAudience:
      return try await remote(step, client)
    default:
      try change(step, client)
      return nil
    }
  }

  private func isReadyInTime(_ client: any AnoleClient) async throws -> Bool {
    do {
      try await within(Self.patience) { try await client.runWhenReady() }
      return true
    } catch KameleoonError.sdkNotReady {
      return false
    }
  }

  private func change(_ step: RecordedStep, _ client: any AnoleClient) throws {
    switch step.operation {
    case .addData: try add(step, client)
    case .flush: client.flush(instant: step.fields["instant"]?.boolValue ?? false)
    case .trackConversion:
      client.trackConversion(
        goalId: try step.integer("goalId"), revenue: step.fields["revenue"]?.doubleValue ?? 0,
        negative: step.fields["negative"]?.boolValue ?? false,
        metadata: try WireData.metadata(step.fields["metadata"]))
    case .setForcedVariation:
      try client.setForcedVariation(
        experimentId: try step.integer("experimentId"),
        variationKey: step.fields["variationKey"]?.stringValue)
    case .evaluateAudiences: try client.evaluateAudiences()
    case .setLegalConsent:
      guard let consent = step.fields["consent"]?.boolValue else {
        throw WireFormatError("step \(step.number): \"consent\" is no Boolean")
      }
      client.setLegalConsent(consent)
    default: throw WireFormatError("step \(step.number): \(step.operation) is no change")
    }
  }

  private func add(_ step: RecordedStep, _ client: any AnoleClient) throws {
    let items = WireData.items(step)
    let isTracked = step.fields["track"]?.boolValue ?? true
    if let data = try WireData.publicItems(items) {
      client.addData(track: isTracked, data)
    } else {
      let now = Timestamp(milliseconds: time.wallClock.milliseconds)
      WireBench.add(
        try items.map { try WireData.datum($0, now: now) }, isTracked: isTracked, to: client)
    }
  }

  private func decision(_ step: RecordedStep, _ client: any AnoleClient) throws -> JSONValue {
    let isTracked = step.fields["track"]?.boolValue ?? true
    do {
      switch step.operation {
      case .getVariation:
        return Self.json(
          try client.getVariation(featureKey: try step.text("featureKey"), track: isTracked))
      case .isFeatureActive:
        return .bool(
          try client.isFeatureActive(featureKey: try step.text("featureKey"), track: isTracked))
      default:
        let onlyActive = step.fields["onlyActive"]?.boolValue ?? false
        let variations = try client.getVariations(onlyActive: onlyActive, track: isTracked)
        return .object(variations.map { .init(key: $0.key, value: Self.json($0.value)) })
      }
    } catch KameleoonError.Feature.environmentDisabled {
      return ["error": "FeatureEnvironmentDisabled"]
    } catch KameleoonError.Feature.notFound {
      return ["error": "FeatureNotFound"]
    }
  }

  private static func json(_ variation: Types.Variation) -> JSONValue {
    func id(_ value: Int) -> JSONValue { value == -1 ? nil : .number(.integer(Int64(value))) }
    return [
      "key": .string(variation.key), "id": id(variation.id),
      "experimentId": id(variation.experimentId),
    ]
  }

  // MARK: - Remote data

  private func remote(_ step: RecordedStep, _ client: any AnoleClient) async throws -> JSONValue? {
    let format: WireFormatError
    do {
      return try await within(Self.patience) { try await Self.remote(step, client) }
    } catch let error as WireFormatError {
      format = error
    } catch let error as OutOfPatience {
      throw error
    } catch {
      return WireDecision.failure
    }
    throw format
  }

  private static func remote(
    _ step: RecordedStep, _ client: any AnoleClient
  ) async throws -> JSONValue? {
    switch step.operation {
    case .getRemoteData:
      let data = try await client.getRawRemoteData(key: try step.text("key"))
      return try JSONValue(parsing: Array(data))
    case .getVisitorWarehouseAudience:
      let data = try await client.getVisitorWarehouseAudience(
        warehouseKey: step.fields["warehouseKey"]?.stringValue ?? "",
        customDataIndex: try step.integer("customDataIndex"))
      return WireData.json(data)
    default: return try await visitorData(step, client)
    }
  }

  private static func visitorData(
    _ step: RecordedStep, _ client: any AnoleClient
  ) async throws -> JSONValue? {
    let addData = step.fields["addData"]?.boolValue ?? true
    let filter = step.fields["filter"]
    func flag(_ name: String, _ otherwise: Bool = false) -> Bool {
      filter?[name]?.boolValue ?? otherwise
    }
    let own = Types.RemoteVisitorDataFilter(
      previousVisitAmount: Int(filter?["previousVisitAmount"]?.integerValue ?? 1),
      currentVisit: flag("currentVisit", true), customData: flag("customData", true),
      conversions: flag("conversions"), experiments: flag("experiments"),
      geolocation: flag("geolocation"), kcs: flag("kcs"), visitorCode: flag("visitorCode", true),
      personalization: flag("personalization"), cbs: flag("cbs"))
    let serverSide = ["pageViews", "device", "browser", "operatingSystem"]
    guard serverSide.contains(where: { flag($0) }) else {
      let data = try await client.getRemoteVisitorData(filter: own, addData: addData)
      return .array(data.compactMap(WireData.json))
    }
    let data = try await WireBench.remoteVisitorData(
      of: client, filter: own, pages: flag("pageViews"), device: flag("device"),
      browser: flag("browser"), operatingSystem: flag("operatingSystem"), addData: addData)
    return data.map { .array($0.compactMap(WireData.json)) }
  }
}
