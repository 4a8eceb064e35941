// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Foundation
import Testing

@testable import kameleoonClient

@Suite("Decisions and data files as values")
struct DecisionTests {
  private static let file = """
    {"dateModified": 1700000000000, "featureFlags": [
      {"id": 1, "featureKey": "checkout", "environmentEnabled": true, "defaultVariationKey": "off",
        "variations": [{"key": "off", "name": "Off", "variables": []},
          {"key": "on", "name": "On", "variables": [
            {"key": "n", "type": "NUMBER", "value": 3}]}],
        "rules": [{"id": 11, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 21,
          "variationByExposition": [
            {"variationKey": "on", "variationId": 31, "exposition": 1}]}]},
      {"id": 2, "featureKey": "dark", "environmentEnabled": false, "defaultVariationKey": "gone",
        "variations": [{"key": "off", "name": "", "variables": []}], "rules": []}]}
    """

  @Test("the data file shows all flags, variations with ids per rule, and -1 without")
  func dataFile() throws {
    let file = Types.DataFile(try APIFixture.snapshot(Self.file))
    #expect(file.dateModified == 1_700_000_000_000)
    #expect(file.featureFlags.keys.sorted() == ["checkout", "dark"])
    let checkout = try #require(file.featureFlags["checkout"])
    #expect(checkout.environmentEnabled && checkout.defaultVariationKey == "off")
    #expect(checkout.defaultVariation?.name == "Off")
    let on = try #require(checkout.variations["on"])
    #expect(on.id == -1 && on.experimentId == -1 && on.variables["n"]?.value as? Int == 3)
    #expect(checkout.rules.count == 1)
    let ruled = try #require(checkout.rules.first?.variations["on"])
    #expect(ruled.id == 31 && ruled.experimentId == 21 && ruled.name == "On")
    let dark = try #require(file.featureFlags["dark"])
    #expect(!dark.environmentEnabled && dark.defaultVariation == nil && dark.rules.isEmpty)
  }

  @Test("a decision prints its result, its reason and the trace, and survives JSON")
  func decision() throws {
    let snapshot = try APIFixture.snapshot(Self.file)
    let record = VisitorRecord(visitStart: Timestamp(milliseconds: 0))
    let moment = Moment(now: Timestamp(milliseconds: 0))
    let result = try snapshot.decide("checkout", visitorCode: "v", record: record, at: moment)
    let trace = try snapshot.explain("checkout", visitorCode: "v", record: record, at: moment)
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let decision = FlagDecision(
      featureKey: "checkout", variation: Types.Variation(snapshot.variation(of: result)),
      reason: result.reason, ruleId: result.ruleID.map { Int($0) }, origin: .stored(since: time),
      trace: trace)
    #expect(decision.isActive && decision.ruleId == 11)
    let lines = decision.description.split(separator: "\n")
    #expect(lines.first == "checkout: \"on\" (the split of an experiment)")
    #expect(lines.dropFirst().first == "configuration: stored since 2023-11-14T22:13:20Z")
    #expect(decision.description.hasSuffix(trace.description))
    let bytes = try JSONEncoder().encode(decision)
    #expect(try JSONDecoder().decode(FlagDecision.self, from: bytes) == decision)
  }

  @Test("origins and health are written as JSON and read again")
  func health() throws {
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let origins: [DataFileOrigin] = [
      .defaultDataFile, .stored(since: time), .fetched(at: time), .streamed(at: time),
    ]
    #expect(Set(origins.map(\.description)).count == 4)
    for origin in origins {
      let health = ClientHealth(
        isReady: true, dataFileOrigin: origin, dataFileModified: time,
        lastFetch: .init(time: time, outcome: .failed("no answer")), stream: .connecting,
        isStoreDurable: true,
        tracking: .init(waiting: 2, oldest: time, sent: 3, dropped: ["age": 1], lastStatus: 503))
      let bytes = try JSONEncoder().encode(health)
      #expect(try JSONDecoder().decode(ClientHealth.self, from: bytes) == health)
    }
  }
}
