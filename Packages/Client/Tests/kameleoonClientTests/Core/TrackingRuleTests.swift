// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleTracking
import Testing

@testable import kameleoonClient

@Suite("Which calls report what", .timeLimit(.minutes(1)))
struct TrackingRuleTests {
  /// A ready client whose visit has been reported already.
  private func settled(
    _ bench: Bench, _ config: KameleoonClientConfig = KameleoonClientConfig(), file: String = "base"
  ) async throws -> Client {
    let client = try await bench.readyClient("visitor-1", config, file: file)
    await bench.tick(untilTracking: 1)
    return client
  }

  @Test("CL 2.1.1: evaluation with tracking queues the visitor, without it does not")
  func evaluation() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    _ = try client.getVariation(featureKey: "ff_experiment", track: false)
    _ = try client.isFeatureActive(featureKey: "ff_experiment", track: false)
    _ = try client.getVariations(onlyActive: false, track: false)
    _ = client.getActiveFeatures()
    _ = client.getActiveFeatureList()
    _ = client.getFeatureList()
    _ = try client.getDataFile()
    _ = try client.getFeatureVariationVariables(featureKey: "ff_experiment", variationKey: "on")
    try client.setForcedVariation(experimentId: 7001, variationKey: "blue", forceTargeting: true)
    client.addData([CustomData(index: 1, values: "gold")])
    #expect(throws: KameleoonError.Feature.environmentDisabled("ff_env_off", nil)) {
      try client.getVariation(featureKey: "ff_env_off", track: true)
    }
    #expect(try !client.isFeatureActive(featureKey: "ff_env_off", track: true))
    #expect(throws: KameleoonError.Feature.notFound("nothing")) {
      try client.getVariation(featureKey: "nothing", track: true)
    }
    await bench.quietTick(client)
    #expect(bench.platform.requests(.tracking).count == 1)
    #expect(try client.getVariation(featureKey: "ff_experiment", track: true).key == "blue")
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["customData", "experiment"])
    #expect(bench.events[1]["variationId"] == "70012")
    await client.close()
  }

  @Test("every call that reports does so with the next tick, all in one request")
  func coalescing() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    _ = try client.getVariation(featureKey: "ff_experiment", track: true)
    _ = try client.isFeatureActive(featureKey: "ff_delivery", track: true)
    client.trackConversion(goalId: 7, revenue: 1.5, negative: true, metadata: [])
    client.flush(instant: false)
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["experiment", "experiment", "conversion"])
    await client.close()
  }

  @Test("a default variation is reported as activity")
  func defaultVariation() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    #expect(try client.getVariation(featureKey: "ff_default", track: true).id == -1)
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["activity"])
    await client.close()
  }

  @Test("every tracked evaluation reports its exposure again, with a nonce of its own")
  func repeated() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    for request in 2...3 {
      _ = try client.getVariation(featureKey: "ff_experiment", track: true)
      await bench.tick(untilTracking: request)
    }
    #expect(bench.eventTypes == ["experiment", "experiment"])
    #expect(Set(bench.events.compactMap { $0["nonce"] }).count == 2)
    await client.close()
  }

  @Test("an untracked evaluation does not lose an exposure that waits")
  func untrackedAfterTracked() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    _ = try client.getVariation(featureKey: "ff_experiment", track: true)
    _ = try client.getVariation(featureKey: "ff_experiment", track: false)
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["experiment"])
    await client.close()
  }

  @Test("CL 4.13.3: exposures come before conversions, whatever was called first")
  func order() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    client.trackConversion(goalId: 7, revenue: 0, negative: false, metadata: [])
    _ = try client.getVariation(featureKey: "ff_experiment", track: true)
    client.addData([Geolocation(country: "France"), CustomData(index: 1, values: "gold")])
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["geolocation", "customData", "experiment", "conversion"])
    await client.close()
  }

  @Test("CL 4.5.0: several visitors share one request an interval; an instant flush takes one out")
  func severalVisitors() async throws {
    let bench = Bench()
    let first = try await bench.readyClient("visitor-1")
    let second = try await bench.readyClient("visitor-2")
    let third = try await bench.readyClient("visitor-3")
    #expect(first.engine === second.engine && second.engine === third.engine)
    await bench.tick(untilTracking: 1)
    #expect(Set(bench.platform.lines.compactMap { $0["visitorCode"] }).count == 3)
    for client in [first, second, third] { client.flush(instant: false) }
    second.flush(instant: true)
    await bench.platform.untilRequests(.tracking, 2)
    #expect(bench.events.compactMap { $0["visitorCode"] } == ["visitor-2"])
    await bench.tick(untilTracking: 3)
    #expect(
      bench.events.compactMap { $0["visitorCode"] } == ["visitor-2", "visitor-1", "visitor-3"])
    // The text of the user agent rides on the first line of each visitor.
    #expect(bench.events.allSatisfy { $0["userAgent"]?.contains("iOS 18.1") == true })
    for client in [first, second, third] { await client.close() }
  }

  @Test("CL 4.24.0: addData(track: false) is for conditions alone")
  func untrackedData() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    client.addData(
      track: false,
      [CustomData(index: 1, values: "gold"), Conversion(goalId: 4), Geolocation(country: "Peru")])
    #expect(client.slot.record.profile?.customDatum(at: 1)?.values == ["gold"])
    client.flush(instant: false)
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["activity"])
    await client.close()
  }

  @Test("CL 4.24.0: the tracking interval is 1 s to 5 s")
  func interval() async throws {
    for (given, seconds) in [(500, 1), (2_000, 2), (60_000, 5)] {
      let bench = Bench()
      let client = try await bench.readyClient(
        "visitor-1", KameleoonClientConfig(trackingIntervalMillisecond: given))
      bench.advance(by: .seconds(seconds) - .milliseconds(1))
      _ = await client.engine.tracker.status()
      #expect(bench.platform.requests(.tracking).isEmpty)
      bench.advance(by: .milliseconds(1))
      await bench.platform.untilRequests(.tracking, 1)
      await client.close()
    }
  }

  @Test("CL 4.20.0: overwrite is reported; a datum given by name finds its index")
  func customData() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    client.addData([
      CustomData(name: "plan", overwrite: false, values: "gold", "gold", "x"),
      CustomData(name: "nobody knows", values: "lost"),
      CustomData(name: "local note", values: "no"),
    ])
    client.flush(instant: false)
    await bench.tick(untilTracking: 2)
    #expect(bench.events.count == 1)
    #expect(bench.events[0]["index"] == "1")
    #expect(bench.events[0]["overwrite"] == "false")
    #expect(bench.events[0]["valuesCountMap"] == #"{"gold":1,"x":1}"#)
    // What is local is known to conditions all the same.
    #expect(client.slot.record.profile?.customDatum(at: 2)?.values == ["no"])
    await client.close()
  }

  @Test("a local-only datum that was added before the client knew stays local")
  func lateLocalOnly() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    bench.platform.answer(.config, .json(try DataFiles.bytes("base")))
    let client = try bench.client()
    client.addData([CustomData(index: 2, values: "secret")])
    bench.platform.release(.config)
    try await client.runWhenReady(timeoutMilliseconds: 1_000)
    await bench.tick(untilTracking: 1)
    #expect(!bench.platform.lines.contains { $0["valuesCountMap"]?.contains("secret") == true })
    await client.close()
  }

  @Test("CL 4.13.0, 4.21.1: conversions carry revenue, negative and metadata, also given by name")
  func conversions() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    client.trackConversion(
      goalId: 8, revenue: -2.5, negative: true,
      metadata: [
        CustomData(name: "plan", values: "a", "b"), CustomData(index: 1, values: "second"),
        CustomData(name: "unknown", values: "x"),
      ])
    client.trackConversion(goalId: 9)
    client.trackConversion(goalId: 9, revenue: .nan, negative: false, metadata: [])
    await bench.tick(untilTracking: 2)
    let events = bench.events
    #expect(events.map { $0["goalId"] } == ["8", "9", "9"])
    #expect(events[0]["metadata"] == #"{"1":["a","b"]}"#)
    #expect(events.map { $0["negative"] } == ["true", "false", "false"])
    #expect(events.compactMap { $0["revenue"].flatMap(Double.init) } == [-2.5, 0, 0])
    #expect(events[1]["metadata"] == nil)
    await client.close()
  }

  @Test("CL 4.8.0: conversions that were sent are merged, and never sent again")
  func conversionList() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    for request in 2...4 {
      for _ in 0..<50 { client.trackConversion(goalId: 1) }
      await bench.tick(untilTracking: request)
    }
    #expect(bench.eventTypes.count == 150)
    #expect(client.slot.record.profile?.conversions.count == 1)
    await client.close()
  }

  @Test("CL 4.17.0: evaluateAudiences reports the segments, each time again; without any, activity")
  func audiences() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    try client.evaluateAudiences()
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["activity"])
    client.addData(track: false, [CustomData(index: 1, values: "gold")])
    for request in 3...4 {
      try client.evaluateAudiences()
      await bench.tick(untilTracking: request)
    }
    #expect(bench.eventTypes == ["activity", "targetingSegment", "targetingSegment"])
    #expect(bench.events[1]["id"] == "9001")
    await client.close()
  }

  @Test("CL 4.9.0: inside the holdout its exposure is reported; only if exposures are")
  func holdout() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(file: "holdout")
    await bench.tick(untilTracking: 1)
    _ = try client.getVariation(featureKey: "ff_experiment", track: false)
    client.flush(instant: false)
    await bench.tick(untilTracking: 2)
    #expect(bench.eventTypes == ["activity"])
    #expect(try client.getVariation(featureKey: "ff_experiment", track: true).id == -1)
    await bench.tick(untilTracking: 3)
    #expect(bench.eventTypes == ["activity", "experiment"])
    await client.close()
  }

  @Test("what was collected before the client is ready leaves when it is")
  func early() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    bench.platform.answer(.config, .json(try DataFiles.bytes("base")))
    let client = try bench.client()
    client.trackConversion(goalId: 5)
    client.flush(instant: true)
    bench.advance(by: .seconds(10))
    #expect(bench.platform.requests(.tracking).isEmpty)
    bench.platform.release(.config)
    try await client.runWhenReady(timeoutMilliseconds: 100_000)
    await bench.tick(untilTracking: 1)
    #expect(bench.eventTypes == ["conversion"])
    await client.close()
  }

  @Test("what was not sent survives the process, with its nonce")
  func restart() async throws {
    let bench = Bench()
    let client = try await settled(bench)
    bench.platform.answer(.tracking, .lost)
    client.trackConversion(goalId: 5)
    await bench.tick(untilTracking: 2)
    let nonce = try #require(bench.events.last?["nonce"])
    await client.close()
    let later = Bench(after: bench)
    // Leases of the former process end.
    later.wall.advance(by: .seconds(700))
    let next = try await later.readyClient()
    await later.tick(untilTracking: 1)
    let conversions = later.events.filter { $0["eventType"] == "conversion" }
    #expect(conversions.map { $0["nonce"] } == [nonce])
    await next.close()
  }
}
