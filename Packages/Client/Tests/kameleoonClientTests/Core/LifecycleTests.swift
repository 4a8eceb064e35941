// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Testing

@testable import kameleoonClient

@Suite("Foreground, background, visits and activity", .timeLimit(.minutes(1)))
struct LifecycleTests {
  @Test("CL 4.27.2: in the background ticks send nothing; an instant flush does; nothing is lost")
  func paused() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    bench.lifecycle.enterBackground()
    client.trackConversion(goalId: 1, revenue: 2, negative: false, metadata: [])
    await bench.quietTick(client)
    await bench.quietTick(client)
    #expect(bench.platform.requests(.tracking).count == 1)
    #expect(await client.health.tracking.isPaused)
    client.addData(track: true, [CustomData(index: 1, values: "gold")])
    client.flush(instant: true)
    await bench.platform.untilRequests(.tracking, 2)
    #expect(Set(bench.eventTypes) == ["conversion", "customData"])
    client.trackConversion(goalId: 3, revenue: 0, negative: false, metadata: [])
    await bench.quietTick(client)
    bench.lifecycle.becomeActive()
    await bench.tick(untilTracking: 3)
    #expect(bench.events.last?["goalId"] == "3")
    await client.close()
  }

  @Test("a client that is made in the background sends nothing before the foreground")
  func madeInBackground() async throws {
    let bench = Bench()
    bench.lifecycle.enterBackground()
    let client = try await bench.readyClient()
    await bench.quietTick(client)
    #expect(bench.platform.requests(.tracking).isEmpty)
    bench.lifecycle.becomeActive()
    await bench.tick(untilTracking: 1)
    await client.close()
  }

  @Test("CL 4.27.3: activity is reported every 60 s; a shorter interval counts as 60 s")
  func activity() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(
      "visitor-1", KameleoonClientConfig(activityTrackingIntervalMillisecond: 20_000))
    await bench.tick(untilTracking: 1)
    for _ in 0..<59 { await bench.quietTick(client) }
    #expect(bench.platform.requests(.tracking).count == 1)
    await bench.ticks(untilTracking: 2, client)
    #expect(bench.eventTypes == ["activity"])
    await client.close()
  }

  @Test("CL 4.23.0: an interval of 0 reports once, at the start")
  func activityOff() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(
      "visitor-1", KameleoonClientConfig(activityTrackingIntervalMillisecond: 0))
    await bench.tick(untilTracking: 1)
    for _ in 0..<130 { await bench.quietTick(client) }
    #expect(bench.platform.requests(.tracking).count == 1)
    await client.close()
    // The visit goes on in the next process: its start has an activity line and nothing else.
    let later = Bench(after: bench)
    let next = try await later.readyClient(
      "visitor-1", KameleoonClientConfig(activityTrackingIntervalMillisecond: 0))
    await later.tick(untilTracking: 1)
    #expect(later.platform.lines.map { $0["eventType"] } == ["activity"])
    await next.close()
  }

  @Test("activity stands still in the background")
  func activityInBackground() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    for _ in 0..<30 { await bench.quietTick(client) }
    bench.lifecycle.enterBackground()
    for _ in 0..<100 { await bench.quietTick(client) }
    bench.lifecycle.becomeActive()
    for _ in 0..<29 { await bench.quietTick(client) }
    #expect(bench.platform.requests(.tracking).count == 1)
    await bench.ticks(untilTracking: 2, client)
    #expect(bench.eventTypes == ["activity"])
    await client.close()
  }

  @Test("without consent there is no activity; with it the report at the start is made up for")
  func activityAndConsent() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(file: "consent-partial")
    await bench.quietTick(client)
    await bench.quietTick(client)
    #expect(bench.platform.requests(.tracking).isEmpty)
    client.setLegalConsent(false)
    await bench.quietTick(client)
    #expect(bench.platform.requests(.tracking).isEmpty)
    client.setLegalConsent(true)
    await bench.tick(untilTracking: 1)
    #expect(
      bench.platform.lines.map { $0["eventType"] } == ["staticData", "staticData", "staticData"])
    await client.close()
  }

  @Test(
    "CL 4.14.0: a visit begins after 30 minutes, and its device, system and number are told once")
  func visits() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.compactMap { $0["visitNumber"] } == ["0"])
    await client.close()
    // 29 minutes later the visit goes on.
    bench.wall.advance(by: .seconds(29 * 60))
    let second = Bench(after: bench)
    let again = try await second.readyClient()
    await second.tick(untilTracking: 1)
    #expect(second.platform.lines.map { $0["eventType"] } == ["activity"])
    // In the background for 31 minutes: the next visit.
    second.lifecycle.enterBackground()
    second.wall.advance(by: .seconds(31 * 60))
    second.lifecycle.becomeActive()
    await second.tick(untilTracking: 2)
    let lines = second.platform.lines.dropFirst()
    #expect(lines.compactMap { $0["visitNumber"] } == ["1"])
    #expect(lines.compactMap { $0["deviceType"] } == ["PHONE"])
    #expect(lines.compactMap { $0["osIndex"] } == ["2"])
    let previous = try #require(lines.compactMap { $0["timeSincePreviousVisit"] }.first)
    #expect(previous == "\(31 * 60 * 1_000)")
    #expect(again.slot.record.profile?.previousVisits?.count == 1)
    await again.close()
  }

  @Test("CL 4.14.0: visit conditions work without remote data")
  func visitConditions() async throws {
    let file = DataFileText.when(#""targetingType":"NEW_VISITORS","visitorType":"RETURNING""#)
    let bench = Bench()
    let client = try await bench.client(file: file)
    #expect(client.variationKey("flag") == "off")
    await client.close()
    bench.wall.advance(by: .seconds(3_600))
    let later = Bench(after: bench)
    let next = try await later.client(file: file)
    #expect(next.variationKey("flag") == "on")
    await next.close()
  }

  @Test("CL 4.14.0: the device is found, and one that the application gives takes its place")
  func device() async throws {
    let file = DataFileText.when(#""targetingType":"DEVICE_TYPE","device":"TABLET""#)
    let bench = Bench()
    let client = try await bench.client(file: file)
    #expect(client.variationKey("flag") == "off")
    client.addData([Device.tablet])
    #expect(client.variationKey("flag") == "on")
    await client.close()
    bench.wall.advance(by: .seconds(3_600))
    let later = Bench(after: bench)
    let next = try await later.client(file: file)
    #expect(next.variationKey("flag") == "on")
    await next.close()
  }

  @Test("on Linux the system is LINUX with index 3")
  func linux() async throws {
    let bench = Bench(device: FixedDevice(device: .desktop, osName: "Linux"))
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.compactMap { $0["os"] } == ["LINUX"])
    #expect(bench.platform.lines.compactMap { $0["osIndex"] } == ["3"])
    #expect(bench.platform.lines.compactMap { $0["deviceType"] } == ["DESKTOP"])
    await client.close()
  }

  @Test("data that are added before there is a data file survive in the background")
  func earlyBackground() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    let client = try bench.client()
    client.addData([CustomData(index: 1, values: "gold")])
    bench.lifecycle.enterBackground()
    // The process ends here, without a close.
    await eventually {
      bench.store.recordNow(namespace: "visitors", key: "visitor-1").map {
        String(decoding: $0.value, as: UTF8.self).contains("gold")
      } ?? false
    }
    await client.close()
  }
}
