// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

@Suite("simulate")
struct SimulateTests {
  /// The result of one flag.
  private func simulateJSON(_ arguments: String..., files: [String: String] = [:]) async throws
    -> JSONValue
  {
    let output = await Program.run(
      ["simulate"] + arguments + ["--json"], in: environment(files))
    #expect(output.remarks == [])
    #expect(output.status == 0)
    let document = try JSONValue(parsing: output.text)
    #expect(document["flags"]?[1] == nil)
    return document["flags"]?[0] ?? .null
  }

  @Test("the shares are those that holdout, expositions and split promise")
  func shares() async throws {
    let document = try await simulateJSON("checkout")
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
    #expect(lines[5].hasPrefix("chi-square "))
    #expect(lines[5].hasSuffix("the split holds: the counts are as chance makes them"))
    #expect(lines[6].hasPrefix("holdout 900100: "))
    #expect(lines[7] == "group \"promotions\": which of its flags visitors may get")
    #expect(lines.last == "  nobody may get two of them")
  }

  @Test("data of the options count: a targeted delivery takes all but the holdout")
  func targeted() async throws {
    let document = try await simulateJSON(
      "express_delivery", "--custom", "1=gold", "--visitors", "2000")
    #expect(document["outcomes"]?[1]?["expectedShare"] == 0.95)
    #expect(document["outcomes"]?[2] == nil)
  }

  @Test("forced variations and refused consent are foreseen")
  func foreseen() async throws {
    let forced = try await simulateJSON(
      "checkout", "--force", "900103=off", "--visitors", "500")
    #expect(forced["outcomes"]?[1]?["reason"] == "forced")
    #expect(forced["outcomes"]?[1]?["expectedShare"] == 0.95)
    let text = ShopDataFile.text.replacing("NOT_REQUIRED", with: "REQUIRED")
    let refused = try await simulateJSON(
      "summer_sale", "--consent", "refused", "--visitors", "500", "--data-file", "f",
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
    let document = try await simulateJSON("a", "--data-file", "f", files: ["f": text])
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
      output.text.contains(
        "no expected shares: the flag is bucketed by custom data, which many of these visitors share"
      ))
    #expect(!output.text.contains("difference"))
    let json = try JSONValue(
      parsing: await Program.run(arguments + ["--json"], in: environment()).text)["flags"]?[0]
    #expect(json?["outcomes"]?.arrayValue?.count == 1)
    #expect(json?["outcomes"]?[0]?["expectedShare"] == .null)
    #expect(json?["verdict"] == "notTested")
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
    let document = try await simulateJSON(
      "a", "--visitors", "10", "--data-file", "f", files: ["f": text])
    #expect(document["noExpectation"] == "a segment of the flag looks at the visitor code")
    let counts = document["outcomes"]?.arrayValue?.map { $0["count"] }
    // visitor-1 and visitor-10 have a 1; the rest come first by the name of their reason.
    #expect(counts == [8, 2])
  }

  @Test("the mapping identifier is each visitor's own code")
  func mapping() async throws {
    let document = try await simulateJSON(
      "promo_b", "--custom-name", "member id=m", "--visitors", "4000",
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

  @Test("all flags, if none is named")
  func all() async throws {
    let document = try await runJSON("simulate", "--visitors", "500")
    let keys = document["flags"]?.arrayValue?.map { $0["flag"]?.stringValue ?? "" }
    #expect(
      keys == ["express_delivery", "checkout", "summer_sale", "free_gift", "old_search"])
    #expect(document["groups"]?[0]?["exclusive"] == true)
    #expect(document["verdict"] == "holds")
    #expect(await run("simulate", "--data-file", "f", files: ["f": "{}"]).status == 0)
  }

  @Test("distributed data make a weighted expectation; a seed deals them out anew")
  func distribution() async throws {
    let arguments = [
      "free_gift", "--share", "device=phone:0.5", "--share", "custom:plan=gold:0.2",
    ]
    let document = try await simulateJSON(
      arguments[0], arguments[1], arguments[2], arguments[3], arguments[4])
    // Half of those whom neither holdout nor group excludes have a phone.
    let row = document["outcomes"]?.arrayValue?.first { $0["variation"] == "on" }
    #expect(abs((row?["expectedShare"]?.doubleValue ?? 0) - 0.2375) < 1e-12)
    let first = await Program.run(["simulate"] + arguments, in: environment())
    let second = await Program.run(
      ["simulate"] + arguments + ["--seed", "1"], in: environment())
    #expect(first.text != second.text)
  }

  @Test("progress is shown while it runs, and taken away in the end")
  func progress() async {
    let said = Said()
    var environment = environment()
    environment.progress = Progress { _ = said.add($0 ?? "") }
    _ = await Program.run(["simulate", "checkout", "--visitors", "100000"], in: environment)
    #expect(said.lines.last == "")
    #expect(said.lines.dropLast().allSatisfy { $0.hasSuffix(" % of 100,000 visitors") })
    #expect(said.lines.count > 2)
  }

  @Test("a cancelled task is told as an interruption")
  func cancelled() async {
    let (started, continuation) = AsyncStream<Void>.makeStream()
    var environment = environment()
    environment.progress = Progress { _ in continuation.yield() }
    let task = Task { [environment] in
      await Program.run(["simulate", "checkout", "--visitors", "10000000"], in: environment)
    }
    for await _ in started { break }
    task.cancel()
    #expect(await task.value.status == ExitStatus.interrupted)
  }
}
