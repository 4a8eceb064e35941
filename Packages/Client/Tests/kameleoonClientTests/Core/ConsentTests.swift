// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import Testing

@testable import kameleoonClient

@Suite("Legal consent", .timeLimit(.minutes(1)))
struct ConsentTests {
  @Test("CL 4.22.0: refused and partially blocked, experiments give the default, deliveries go on")
  func partial() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(file: "consent-partial")
    client.setLegalConsent(false)
    #expect(try client.getVariation(featureKey: "ff_experiment", track: true).key == "off")
    #expect(try client.getVariation(featureKey: "ff_delivery", track: true).key == "on")
    client.addData([CustomData(index: 1, values: "gold")])
    client.trackConversion(goalId: 5, revenue: 0, negative: false, metadata: [])
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.map { $0["eventType"] } == ["experiment", "conversion"])
    #expect(bench.platform.lines[0]["id"] == "7002")
    client.setLegalConsent(true)
    client.flush(instant: false)
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["experiment", "conversion", "customData"])
    await client.close()
  }

  @Test("CL 4.22.0: refused and fully blocked, an experiment raises the error of a disabled flag")
  func full() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(
      "visitor-1", KameleoonClientConfig(environment: "staging"), file: "consent-full")
    client.setLegalConsent(false)
    #expect(throws: KameleoonError.Feature.environmentDisabled("ff_experiment", "staging")) {
      try client.getVariation(featureKey: "ff_experiment", track: true)
    }
    #expect(try !client.isFeatureActive(featureKey: "ff_experiment", track: true))
    #expect(try client.getVariations(onlyActive: false, track: false)["ff_experiment"] == nil)
    #expect(try client.getVariation(featureKey: "ff_delivery", track: false).key == "on")
    await client.close()
  }

  @Test("CL 4.22.2: holdout evaluation respects a refusal under full blocking")
  func holdout() async throws {
    let file = DataFileText(
      configuration: #"{"consentType":"REQUIRED","consentOptOutBehavior":"FULLY_BLOCK"}"#,
      flags: [DataFileText.flag("flag")],
      holdout: """
        {"experimentId":9,"variationByExposition":[
         {"variationKey":"in-holdout","variationId":91,"exposition":1.0}]}
        """
    ).text
    let bench = Bench()
    let client = try await bench.client(file: file)
    #expect(client.variationKey("flag") == "off")
    client.setLegalConsent(false)
    #expect(throws: KameleoonError.Feature.environmentDisabled("flag", nil)) {
      try client.getVariation(featureKey: "flag", track: false)
    }
    await client.close()
  }

  @Test("CL 4.22.0: what was never answered stays unknown, also over a restart")
  func unknown() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(file: "consent-partial")
    #expect(try client.getVariation(featureKey: "ff_experiment", track: true).key == "on")
    client.addData([CustomData(index: 1, values: "gold")])
    await bench.quietTick(client)
    #expect(bench.platform.requests(.tracking).isEmpty)
    #expect(client.slot.record.consent == .unknown)
    await client.close()
    let later = Bench(after: bench)
    let next = try await later.readyClient(file: "consent-partial")
    #expect(next.slot.record.consent == .unknown)
    next.setLegalConsent(true)
    await later.tick(untilTracking: 1)
    #expect(later.eventTypes == ["customData", "experiment"])
    await next.close()
  }

  @Test("an answer that is given before the client is ready survives the process")
  func early() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let client = try bench.client()
    client.setLegalConsent(false)
    await client.close()
    let later = Bench(after: bench)
    let next = try await later.readyClient(file: "consent-full")
    #expect(next.slot.record.consent == .refused)
    await next.close()
  }
}
