// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import kameleoonClient

@Suite("Forms with default values")
struct ShortFormTests {
  private let client = RecordingClient()

  @Test("flags: exposures are reported by default, `off` is contained")
  func flags() throws {
    _ = try client.isFeatureActive(featureKey: "f")
    #expect(client.lastCall == "isFeatureActive(f, true)")
    #expect(throws: KameleoonError.Feature.notFound("f")) {
      try client.getVariation(featureKey: "f")
    }
    #expect(client.lastCall == "getVariation(f, true)")
    #expect(throws: KameleoonError.sdkNotReady) { try client.getVariations() }
    #expect(client.lastCall == "getVariations(false, true)")
    #expect(throws: KameleoonError.sdkNotReady) { try client.getVariations(onlyActive: true) }
    #expect(client.lastCall == "getVariations(true, true)")
    #expect(throws: KameleoonError.sdkNotReady) { try client.getVariations(track: false) }
    #expect(client.lastCall == "getVariations(false, false)")
    try client.setForcedVariation(experimentId: 9, variationKey: nil)
    #expect(client.lastCall == "setForcedVariation(9, nil, true)")
  }

  @Test("conversions: no revenue, not negative, no metadata by default")
  func conversions() {
    let datum = CustomData(index: 5, values: "Amex")
    client.trackConversion(goalId: 1)
    #expect(client.lastCall == "trackConversion(1, 0.0, false, [])")
    client.trackConversion(goalId: 1, revenue: 2)
    #expect(client.lastCall == "trackConversion(1, 2.0, false, [])")
    client.trackConversion(goalId: 1, negative: true)
    #expect(client.lastCall == "trackConversion(1, 0.0, true, [])")
    client.trackConversion(goalId: 1, metadata: datum, datum)
    #expect(client.lastCall == "trackConversion(1, 0.0, false, [5, 5])")
    client.trackConversion(goalId: 1, revenue: 2, negative: true, metadata: datum)
    #expect(client.lastCall == "trackConversion(1, 2.0, true, [5])")
    client.trackConversion(goalId: 1, metadata: [datum])
    #expect(client.lastCall == "trackConversion(1, 0.0, false, [5])")
    client.trackConversion(goalId: 1, revenue: 2, metadata: [datum])
    #expect(client.lastCall == "trackConversion(1, 2.0, false, [5])")
    client.trackConversion(goalId: 1, negative: true, metadata: [])
    #expect(client.lastCall == "trackConversion(1, 0.0, true, [])")
  }

  @Test("data are reported by default, a flush is not instant")
  func data() {
    client.addData(Device.phone)
    #expect(client.lastCall == "addData(true, 1)")
    client.addData(Device.phone, Conversion(goalId: 1))
    #expect(client.lastCall == "addData(true, 2)")
    client.addData([Device.phone, Geolocation(country: "France")])
    #expect(client.lastCall == "addData(true, 2)")
    client.addData(track: false, Device.phone)
    #expect(client.lastCall == "addData(false, 1)")
    client.addData(track: false, [Device.phone, Device.desktop, Device.tablet])
    #expect(client.lastCall == "addData(false, 3)")
    client.flush()
    #expect(client.lastCall == "flush(false)")
  }

  @Test("readiness: a negative limit stands for the default one")
  func readiness() async throws {
    client.runWhenReady { _ in }
    #expect(client.lastCall == "runWhenReady(-1, callback)")
    await #expect(throws: KameleoonError.sdkNotReady) { try await client.runWhenReady() }
    #expect(client.lastCall == "runWhenReady(-1)")
  }

  @Test("remote calls: an empty key, the default filter, adding, by default")
  func remote() async throws {
    client.getRemoteData { (_: Result<[String: Int], any Error>) in }
    #expect(client.lastCall == "getRemoteData(, completion)")
    client.getRemoteData { (_: Result<Data, any Error>) in }
    #expect(client.lastCall == "getRemoteData(, completion)")
    let _: [String: Int] = try await client.getRemoteData()
    #expect(client.lastCall == "getRawRemoteData()")
    _ = try await client.getRawRemoteData()
    #expect(client.lastCall == "getRawRemoteData()")
    client.getRemoteVisitorData { _ in }
    #expect(client.lastCall == "getRemoteVisitorData(1, true, completion)")
    client.getRemoteVisitorData(addData: false) { _ in }
    #expect(client.lastCall == "getRemoteVisitorData(1, false, completion)")
    client.getRemoteVisitorData(filter: .init(previousVisitAmount: 3)) { _ in }
    #expect(client.lastCall == "getRemoteVisitorData(3, true, completion)")
    try await client.getRemoteVisitorData()
    #expect(client.lastCall == "getRemoteVisitorData(1, true)")
    try await client.getRemoteVisitorData(addData: false)
    #expect(client.lastCall == "getRemoteVisitorData(1, false)")
    try await client.getRemoteVisitorData(filter: .init(previousVisitAmount: 3))
    #expect(client.lastCall == "getRemoteVisitorData(3, true)")
    client.getVisitorWarehouseAudience(customDataIndex: 4) { _ in }
    #expect(client.lastCall == "getVisitorWarehouseAudience(, 4, completion)")
    try await client.getVisitorWarehouseAudience(customDataIndex: 4)
    #expect(client.lastCall == "getVisitorWarehouseAudience(, 4)")
  }
}

@Suite("Remote values")
struct RemoteValueTests {
  private struct Plan: Decodable, Equatable { let plan: String }

  @Test("a value is decoded into the type that is asked for, bytes stay as they are")
  func decoding() async throws {
    let client = RecordingClient(remoteValue: "{\"plan\": \"pro\"}")
    let plan: Plan = try await client.getRemoteData(key: "k")
    #expect(plan == Plan(plan: "pro"))
    let bytes: Data = try await client.getRemoteData(key: "k")
    #expect(String(decoding: bytes, as: UTF8.self) == "{\"plan\": \"pro\"}")
    var decoded: Plan?
    client.getRemoteData(key: "k") { (result: Result<Plan, any Error>) in
      decoded = try? result.get()
    }
    #expect(decoded == Plan(plan: "pro"))
    var raw: Data?
    client.getRemoteData(key: "k") { (result: Result<Data, any Error>) in raw = try? result.get() }
    #expect(raw == bytes)
  }

  @Test("a value of another form is a failure, thrown or handed out")
  func failures() async {
    let client = RecordingClient(remoteValue: "[1]")
    await #expect(throws: DecodingError.self) {
      let _: Plan = try await client.getRemoteData(key: "k")
    }
    var failure: (any Error)?
    client.getRemoteData(key: "k") { (result: Result<Plan, any Error>) in
      if case .failure(let error) = result { failure = error }
    }
    #expect(failure is DecodingError)
  }
}

@Suite("Deprecated calls of a stand-in")
struct DeprecatedFormTests {
  private static let on = Types.Variation(
    key: "on",
    variables: [
      "n": Types.Variable(key: "n", type: "NUMBER", value: 3),
      "none": Types.Variable(key: "none", type: "STRING", value: nil),
    ])
  private let client = RecordingClient(
    dataFile: Types.DataFile(
      featureFlags: [
        "b": Types.FeatureFlag(
          environmentEnabled: true, defaultVariationKey: "on", variations: ["on": on]),
        "a": Types.FeatureFlag(
          environmentEnabled: false, defaultVariationKey: "off", variations: [:]),
      ]))

  @available(*, deprecated, message: "It calls what is deprecated")
  @Test("are answered from the calls that replace them")
  func answers() throws {
    #expect(client.getFeatureList() == ["a", "b"])
    #expect(try client.getFeatureVariationKey(featureKey: "b") == "on")
    #expect(client.lastCall == "getVariation(b, true)")
    #expect(client.getActiveFeatureList() == ["b"])
    #expect(client.getActiveFeatures()["b"]?.key == "on")
    #expect(client.lastCall == "getVariations(true, false)")
    #expect(try client.getFeatureVariable(featureKey: "b", variableKey: "n") as? Int == 3)
    #expect(try client.getFeatureVariable(featureKey: "b", variableKey: "none") == nil)
    let values = try client.getFeatureVariationVariables(featureKey: "b", variationKey: "on")
    #expect(values.keys.sorted() == ["n"] && values["n"] as? Int == 3)
  }

  @available(*, deprecated, message: "It calls what is deprecated")
  @Test("fail with the documented errors, or are empty without a configuration")
  func failures() {
    #expect(throws: KameleoonError.Feature.variableNotFound("b", "on", "x")) {
      try client.getFeatureVariable(featureKey: "b", variableKey: "x")
    }
    #expect(throws: KameleoonError.Feature.notFound("x")) {
      try client.getFeatureVariationVariables(featureKey: "x", variationKey: "on")
    }
    #expect(throws: KameleoonError.Feature.environmentDisabled("a", nil)) {
      try client.getFeatureVariationVariables(featureKey: "a", variationKey: "on")
    }
    #expect(throws: KameleoonError.Feature.variationNotFound("b", "x")) {
      try client.getFeatureVariationVariables(featureKey: "b", variationKey: "x")
    }
    let empty = RecordingClient()
    #expect(empty.getFeatureList().isEmpty && empty.getActiveFeatures().isEmpty)
  }
}
