// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import Testing

@testable import kameleoonClient

private typealias Conversion = kameleoonClient.Conversion
private typealias Device = kameleoonClient.Device
private typealias Geolocation = kameleoonClient.Geolocation

@Suite("Data of a visitor")
struct DataTests {
  private let catalogue: CustomDataCatalogue = {
    var plan = CustomDataDefinition(index: 4)
    plan.name = "plan"
    return CustomDataCatalogue([plan])
  }()
  private let now = Timestamp(milliseconds: 1_000)

  @Test("id and index are the same number; each initialiser keeps what it is given")
  func customData() {
    #expect(CustomData(id: 1, values: "a", "b") == CustomData(id: 1, values: ["a", "b"]))
    #expect(CustomData(id: 1, values: "a") == CustomData(index: 1, values: "a"))
    #expect(
      CustomData(index: 1, values: ["a"]) == CustomData(index: 1, overwrite: true, values: "a"))
    #expect(
      CustomData(index: 1, values: "a") != CustomData(index: 1, overwrite: false, values: "a"))
    #expect(CustomData(index: 1, values: "a") != CustomData(index: 1, values: "b"))
    #expect(CustomData(name: "plan", values: "a") == CustomData(name: "plan", values: ["a"]))
    #expect(CustomData(name: "plan", values: "a") != CustomData(name: "Plan", values: "a"))
    let datum = CustomData(index: 7, overwrite: false, values: ["x", "y"])
    #expect(datum.id == 7 && datum.values == ["x", "y"])
    #expect(datum.overwrite == false && datum.name == nil)
    let named = CustomData(name: "plan", overwrite: false, values: "x")
    #expect(named.id == -1 && named.name == "plan" && named.overwrite == false)
    #expect(CustomData(id: 3).values.isEmpty)
  }

  @Test("a conversion keeps what it is given, with defaults of the documentation")
  func conversion() {
    let plain = Conversion(goalId: 32)
    #expect(plain.goalId == 32 && plain.revenue == 0 && !plain.negative && plain.metadata.isEmpty)
    let metadata = CustomData(index: 5, values: "Credit Card", "Amex")
    let full = Conversion(goalId: 32, revenue: 10, negative: true, metadata: metadata)
    #expect(full == Conversion(goalId: 32, revenue: 10, negative: true, metadata: [metadata]))
    #expect(full.metadata == [metadata] && full.negative && full.revenue == 10)
  }

  @Test("custom data become values under their index, or under their name until it is known")
  func customDataMapping() {
    #expect(
      datum(CustomData(index: 2, overwrite: false, values: "a"))
        == .customData(index: 2, values: ["a"], isOverwriting: false))
    #expect(
      datum(CustomData(name: "plan", values: "a", "b"))
        == .namedCustomData(name: "plan", values: ["a", "b"], isOverwriting: true))
  }

  @Test("metadata of a conversion by name get their index; unknown names are left out")
  func conversionMapping() {
    let conversion = Conversion(
      goalId: 7, revenue: -2.5, negative: true,
      metadata: CustomData(name: "plan", values: "pro"), CustomData(name: "other", values: "x"),
      CustomData(index: 1, values: "a", "a"))
    let expected = AnoleModels.Conversion(
      goalID: 7, revenue: -2.5, isNegative: true, time: now,
      metadata: [
        ConversionMetadata(index: 4, values: ["pro"]),
        ConversionMetadata(index: 1, values: ["a", "a"]),
      ])
    #expect(datum(conversion) == .conversion(expected))
  }

  @Test(
    "a revenue that is no finite number counts as 0",
    arguments: [Double.nan, .infinity, -.infinity])
  func revenue(_ value: Double) {
    #expect(
      datum(Conversion(goalId: 1, revenue: value))
        == .conversion(AnoleModels.Conversion(goalID: 1, revenue: 0, time: now)))
  }

  @Test("devices and places are mapped whole, there and back")
  func deviceAndPlace() {
    #expect(
      Device.allCases.map { datum($0) } == [.device(.phone), .device(.tablet), .device(.desktop)])
    #expect(Device.allCases.map { Device($0.model) } == Device.allCases)
    let place = Geolocation(
      country: "France", region: "Île-de-France", city: "Paris", postalCode: "75001",
      latitude: 48.85, longitude: 2.35)
    let model = AnoleModels.Geolocation(
      country: "France", region: "Île-de-France", city: "Paris", postalCode: "75001",
      latitude: 48.85, longitude: 2.35)
    #expect(datum(place) == .geolocation(model))
    #expect(Geolocation(model) == place)
    #expect(Geolocation(country: "France").region == nil)
  }

  @Test("a type of the application's own is no datum")
  func foreign() {
    struct Mine: KameleoonData {}
    #expect(datum(Mine()) == nil)
  }

  @Test("what the platform delivers comes back as it was")
  func back() {
    let model = AnoleModels.Conversion(
      goalID: 7, revenue: 2.5, isNegative: true, time: now,
      metadata: [ConversionMetadata(index: 4, values: ["pro"])])
    #expect(
      Conversion(model)
        == Conversion(
          goalId: 7, revenue: 2.5, negative: true, metadata: CustomData(index: 4, values: "pro")))
  }

  private func datum(_ data: any KameleoonData) -> VisitorDatum? {
    data.datum(at: now, catalogue: catalogue)
  }
}

@Suite("The filter of remote visitor data")
struct FilterTests {
  @Test("the default asks for the current visit, custom data and one former visit")
  func defaults() {
    let query = Types.RemoteVisitorDataFilter.default.query(
      visitorCode: "v", isUniqueIdentifier: false)
    #expect(query.parts == [.currentVisit, .customData])
    #expect(query.previousVisitCount == 1)
    #expect(query.visitorCode == "v" && !query.isUniqueIdentifier)
    #expect(Types.RemoteVisitorDataFilter.default.visitorCode)
    #expect(Types.RemoteVisitorDataFilter() == .default)
  }

  @Test("each option is one part, former visits are 1 to 25")
  func options() {
    let all = Types.RemoteVisitorDataFilter(
      previousVisitAmount: 40, conversions: true, experiments: true, geolocation: true, kcs: true,
      personalization: true, cbs: true)
    let query = all.query(visitorCode: "v", isUniqueIdentifier: true)
    #expect(
      query.parts == [
        .currentVisit, .customData, .conversions, .experiments, .geolocation, .keyMoments,
        .personalizations, .banditScores,
      ])
    #expect(query.previousVisitCount == 25)
    #expect(query.isUniqueIdentifier)
    let none = Types.RemoteVisitorDataFilter(
      previousVisitAmount: 0, currentVisit: false, customData: false)
    #expect(none.query(visitorCode: "v", isUniqueIdentifier: false).parts.isEmpty)
    #expect(none.query(visitorCode: "v", isUniqueIdentifier: false).previousVisitCount == 1)
  }
}
