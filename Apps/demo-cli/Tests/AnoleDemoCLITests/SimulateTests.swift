// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

@Suite("simulate")
struct SimulateTests {
  @Test("the shares are those that holdout, expositions and split promise")
  func shares() async throws {
    let document = try await runJSON("simulate", "checkout")
    #expect(document["visitors"] == 100_000)
    let rows = document["outcomes"]?.arrayValue ?? []
    let expected = [0.05, 0.342, 0.2565, 0.2565, 0.095]
    #expect(rows.count == expected.count)
    for (row, share) in zip(rows, expected) {
      #expect(abs((row["expectedShare"]?.doubleValue ?? 0) - share) < 1e-12)
      #expect(abs((row["share"]?.doubleValue ?? 0) - share) < 0.005)
    }
    #expect(rows.reduce(0) { $0 + ($1["count"]?.integerValue ?? 0) } == 100_000)
  }

  @Test("prints a table")
  func text() async {
    let output = await run("simulate", "free_gift", "--device", "tablet", "--visitors", "1000")
    let lines = output.text.split(separator: "\n")
    #expect(lines[0] == "free_gift: 1,000 visitors")
    #expect(lines[1] == "variation  count    share  expected  difference  reason")
    #expect(lines[2].contains("   5.00 %"))
    #expect(lines[3].contains("  47.50 %"))
    #expect(lines[3].hasSuffix("  default, another flag of the group was picked"))
    #expect(lines[4].contains("  47.50 %"))
    #expect(lines[4].hasSuffix("  a targeted delivery (rule 6005)"))
    #expect(lines.count == 5)
  }

  @Test("data of the options count: a targeted delivery takes all but the holdout")
  func targeted() async throws {
    let document = try await runJSON(
      "simulate", "express_delivery", "--custom", "1=gold", "--visitors", "2000")
    #expect(document["outcomes"]?[1]?["expectedShare"] == 0.95)
    #expect(document["outcomes"]?[2] == nil)
  }

  @Test("forced variations and refused consent are foreseen")
  func foreseen() async throws {
    let forced = try await runJSON(
      "simulate", "checkout", "--force", "900103=off", "--visitors", "500")
    #expect(forced["outcomes"]?[1]?["reason"] == "forced")
    #expect(forced["outcomes"]?[1]?["expectedShare"] == 0.95)
    let text = ShopDataFile.text.replacing("NOT_REQUIRED", with: "REQUIRED")
    let refused = try await runJSON(
      "simulate", "summer_sale", "--consent", "refused", "--visitors", "500", "--data-file", "f",
      files: ["f": text])
    #expect(refused["outcomes"]?[2]?["reason"] == "consentRefused")
    #expect(refused["outcomes"]?[2]?["expectedShare"] == 0.475)
  }

  @Test("an incomplete split leaks to the next rule")
  func leak() async throws {
    let text = #"""
      {"featureFlags": [{"id": 1, "featureKey": "a", "environmentEnabled": true,
        "defaultVariationKey": "z", "rules": [
          {"id": 2, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 3,
            "variationByExposition": [
              {"variationKey": "p", "exposition": 0.25}, {"variationKey": "q", "exposition": 0.25}]},
          {"id": 4, "type": "TARGETED_DELIVERY", "exposition": 0.5, "experimentId": 5,
            "variationByExposition": [{"variationKey": "r", "exposition": 0}]}]}]}
      """#
    let document = try await runJSON("simulate", "a", "--data-file", "f", files: ["f": text])
    let rows = document["outcomes"]?.arrayValue ?? []
    #expect(rows.map { $0["variation"] } == ["p", "q", "z", "r"])
    #expect(rows.map { $0["expectedShare"] } == [0.25, 0.25, 0.25, 0.25])
    for row in rows { #expect(abs(row["difference"]?.doubleValue ?? 1) < 0.005) }
  }

  @Test("no share is promised where the visitors share their hash key")
  func bucketing() async throws {
    let arguments = [
      "simulate", "team_inbox", "--custom-name", "company=acme", "--visitors", "100",
      "--data-file", Place.workedExample,
    ]
    let output = await Program.run(arguments, in: environment())
    #expect(
      output.text.hasSuffix(
        "No expected shares: the flag is bucketed by custom data, which is the same for all "
          + "these visitors.\n"))
    #expect(!output.text.contains("expected  "))
    let json = try JSONValue(
      parsing: await Program.run(arguments + ["--json"], in: environment()).text)
    #expect(json["outcomes"]?.arrayValue?.count == 1)
    #expect(json["outcomes"]?[0]?["expectedShare"] == nil)
    #expect(json["noExpectation"] != nil)
  }

  @Test("no share is promised where a segment looks at the visitor code")
  func visitorCode() async throws {
    let condition =
      #"{"targetingType": "VISITOR_CODE", "matchType": "CONTAINS", "visitorCode": "1"}"#
    let text = #"""
      {"segments": [
        {"id": 1, "conditionsData": {"firstLevel": [{"conditions": [
          {"targetingType": "SEGMENT", "segmentId": 2}]}]}},
        {"id": 2, "conditionsData": {"firstLevel": [{"conditions": [\#(condition)]}]}}],
       "featureFlags": [{"id": 1, "featureKey": "a", "environmentEnabled": true, "rules": [
         {"id": 2, "type": "TARGETED_DELIVERY", "exposition": 1, "segmentId": 1,
          "variationByExposition": [{"variationKey": "on"}]}]}]}
      """#
    let document = try await runJSON(
      "simulate", "a", "--visitors", "10", "--data-file", "f", files: ["f": text])
    #expect(document["noExpectation"] == "a segment of the flag looks at the visitor code")
    let counts = document["outcomes"]?.arrayValue?.map { $0["count"] }
    // visitor-1 and visitor-10 have a 1.
    #expect(counts == [2, 8])
  }

  @Test("the mapping identifier is each visitor's own code")
  func mapping() async throws {
    let document = try await runJSON(
      "simulate", "promo_b", "--custom-name", "member id=m", "--visitors", "4000",
      "--data-file", Place.workedExample)
    for row in document["outcomes"]?.arrayValue ?? [] {
      #expect(abs(row["difference"]?.doubleValue ?? 1) < 0.03)
    }
  }

  @Test("another prefix means other visitors")
  func prefix() async {
    let first = await run("simulate", "checkout", "--visitors", "1000")
    #expect(
      await first == run("simulate", "checkout", "--visitors", "1000", "--prefix", "visitor-"))
    #expect(await first != run("simulate", "checkout", "--visitors", "1000", "--prefix", "x"))
  }

  @Test("a disabled flag ends with 1")
  func disabled() async {
    let output = await run("simulate", "old_search")
    #expect(output.text == "")
    #expect(
      output.remarks == [
        "the flag \"old_search\" is switched off in this environment; switch it on to evaluate it"
      ])
    #expect(output.status == 1)
  }
}
