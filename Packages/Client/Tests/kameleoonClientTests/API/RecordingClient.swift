// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import kameleoonClient

/// A client with only the members that have no default: it writes down what reaches it.
final class RecordingClient: KameleoonClient {
  private let lines = Lock<[String]>([])
  private let remoteValue: String
  private let dataFile: Types.DataFile?
  let visitorCode: String

  init(visitorCode: String = "visitor", remoteValue: String = "{}", dataFile: Types.DataFile? = nil)
  {
    self.visitorCode = visitorCode
    self.remoteValue = remoteValue
    self.dataFile = dataFile
  }

  var calls: [String] { lines.withLock { $0 } }
  var lastCall: String { calls.last ?? "" }
  var ready: Bool { dataFile != nil }

  private func record(_ line: String) { lines.withLock { $0.append(line) } }

  func runWhenReady(timeoutMilliseconds: Int, callback: @escaping (Bool) -> Void) {
    record("runWhenReady(\(timeoutMilliseconds), callback)")
    callback(ready)
  }

  func runWhenReady(timeoutMilliseconds: Int) async throws {
    record("runWhenReady(\(timeoutMilliseconds))")
    guard ready else { throw KameleoonError.sdkNotReady }
  }

  func isFeatureActive(featureKey: String, track: Bool) throws -> Bool {
    record("isFeatureActive(\(featureKey), \(track))")
    return true
  }

  func getVariation(featureKey: String, track: Bool) throws -> Types.Variation {
    record("getVariation(\(featureKey), \(track))")
    guard let variation = dataFile?.featureFlags[featureKey]?.defaultVariation else {
      throw KameleoonError.Feature.notFound(featureKey)
    }
    return variation
  }

  func getVariations(onlyActive: Bool, track: Bool) throws -> [String: Types.Variation] {
    record("getVariations(\(onlyActive), \(track))")
    guard let dataFile else { throw KameleoonError.sdkNotReady }
    return dataFile.featureFlags.compactMapValues(\.defaultVariation)
  }

  func setForcedVariation(experimentId: Int, variationKey: String?, forceTargeting: Bool) throws {
    record("setForcedVariation(\(experimentId), \(variationKey ?? "nil"), \(forceTargeting))")
  }

  func evaluateAudiences() throws { record("evaluateAudiences()") }

  func getDataFile() throws -> Types.DataFile {
    guard let dataFile else { throw KameleoonError.sdkNotReady }
    return dataFile
  }

  func trackConversion(goalId: Int, revenue: Double, negative: Bool, metadata: [CustomData]) {
    record("trackConversion(\(goalId), \(revenue), \(negative), \(metadata.map(\.id)))")
  }

  func addData(track: Bool, _ data: [any KameleoonData]) {
    record("addData(\(track), \(data.count))")
  }

  func flush(instant: Bool) { record("flush(\(instant))") }

  func setLegalConsent(_ legalConsent: Bool) { record("setLegalConsent(\(legalConsent))") }

  func updateConfigurationHandler(_ handler: (() -> Void)?) { handler?() }

  func getRemoteData(key: String, completion: @escaping (Result<Data, any Error>) -> Void) {
    record("getRemoteData(\(key), completion)")
    completion(.success(Data(remoteValue.utf8)))
  }

  func getRawRemoteData(key: String) async throws -> Data {
    record("getRawRemoteData(\(key))")
    return Data(remoteValue.utf8)
  }

  func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter, addData: Bool,
    completion: @escaping (Result<[any KameleoonData], any Error>) -> Void
  ) {
    record("getRemoteVisitorData(\(filter.previousVisitAmount), \(addData), completion)")
    completion(.success([]))
  }

  func getRemoteVisitorData(
    filter: Types.RemoteVisitorDataFilter, addData: Bool
  ) async throws -> [any KameleoonData] {
    record("getRemoteVisitorData(\(filter.previousVisitAmount), \(addData))")
    return []
  }

  func getVisitorWarehouseAudience(
    warehouseKey: String, customDataIndex: Int,
    completion: @escaping (Result<CustomData, any Error>) -> Void
  ) {
    record("getVisitorWarehouseAudience(\(warehouseKey), \(customDataIndex), completion)")
    completion(.success(CustomData(index: customDataIndex)))
  }

  func getVisitorWarehouseAudience(
    warehouseKey: String, customDataIndex: Int
  ) async throws -> CustomData {
    record("getVisitorWarehouseAudience(\(warehouseKey), \(customDataIndex))")
    return CustomData(index: customDataIndex)
  }
}
