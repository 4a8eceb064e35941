// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEvaluation
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Foundation
import Testing

@testable import kameleoonClient

/// What the change log of the vendor's client asks for and no other suite shows by name; the entries
/// that change nothing here are named where their subject is tested.
@Suite("The vendor's change log", .timeLimit(.minutes(1)))
struct ChangeLogTests {
  @Test("CL 4.27.1: the data file is refreshed at the interval for the whole life of the process")
  func refreshing() async throws {
    let bench = Bench()
    let client = try await bench.client(
      "visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1), file: DataFiles.checkout())
    for round in 1...30 {
      bench.platform.answer(
        .config,
        round.isMultiple(of: 3)
          ? .lost : .json(DataFiles.checkout(maxItems: round, dateModified: Int64(round))))
      let attempts = bench.platform.requests(.config).count
      bench.advance(by: .seconds(60))
      await bench.platform.untilRequests(.config, attempts + 1)
      await eventually {
        client.engine.loadStatus.lastFetch?.time.milliseconds == bench.wall.milliseconds
      }
    }
    let items = try client.getVariation(featureKey: "checkout", track: false).variables["max_items"]
    #expect(items?.value as? Int == 29)
    await client.close()
  }

  @Test("CL 4.27.0: conditions look at the current visit, or at the last visits")
  func visitScope() async throws {
    let condition = #""targetingType":"CONVERSIONS","goalId":5,"visitScope":"CURRENT_VISIT""#
    let bench = Bench()
    let client = try await bench.client(file: DataFileText.when(condition))
    client.addData(track: false, [Conversion(goalId: 5)])
    #expect(client.variationKey("flag") == "on")
    await client.close()
    bench.wall.advance(by: .seconds(3_600))
    let later = Bench(after: bench)
    let next = try await later.client(file: DataFileText.when(condition))
    #expect(next.variationKey("flag") == "off")
    await next.close()
  }

  @Test("CL 4.26.0, 4.21.0, 4.19.0, 4.18.0, 3.0.0: the public data file is rebuilt with each file")
  func dataFile() async throws {
    let bench = Bench()
    let client = try await bench.client(
      "visitor-1", KameleoonClientConfig(refreshIntervalMinute: 1), file: DataFiles.checkout())
    let file = try client.getDataFile()
    #expect(file.dateModified == 1_000)
    let flag = try #require(file.featureFlags["checkout"])
    #expect(flag.environmentEnabled)
    #expect(flag.defaultVariation?.name == "Off")
    #expect(flag.rules.first?.variations["on"]?.id == 1_000)
    #expect(flag.variations["on"]?.id == -1)
    #expect(flag.variations["on"]?.variables["max_items"]?.value as? Int == 3)
    #expect(flag.variations["on"]?.variables["max_items"]?.value as? Double == nil)
    #expect(client.getFeatureList() == ["checkout"])
    bench.platform.answer(.config, .json(DataFiles.checkout(dateModified: 2_000)))
    bench.advance(by: .seconds(60))
    await eventually { (try? client.getDataFile().dateModified) == 2_000 }
    await client.close()
  }

  @Test("CL 4.25.0: versions with pre-release and build parts are cut to their numbers")
  func versions() async throws {
    let bench = Bench(device: FixedDevice(appVersion: "2.1.0-beta.1+77"))
    let client = try await bench.client(
      file: DataFileText.when(
        #""targetingType":"APPLICATION_VERSION","version":"2.1.0","versionMatchType":"EQUAL""#))
    #expect(client.variationKey("flag") == "on")
    await client.close()
  }

  @Test("CL 4.22.1: the system is reported as iOS with index 2, also from an iPad")
  func system() async throws {
    let bench = Bench(device: FixedDevice(device: .tablet, osName: "iPadOS"))
    let client = try await bench.readyClient()
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.compactMap { $0["os"] } == ["IOS"])
    #expect(bench.platform.lines.compactMap { $0["osIndex"] } == ["2"])
    await client.close()
  }

  @Test("CL 4.16.0: a default data file makes the first start ready without network")
  func defaultDataFile() async throws {
    let bench = Bench()
    bench.platform.answer(.config, .lost)
    let client = try bench.client(
      "visitor-1", KameleoonClientConfig(defaultDataFile: DataFiles.checkout()))
    #expect(client.ready)
    #expect(client.variationKey("checkout") == "on")
    await client.close()
    // It is never stored in place of a fetched file.
    #expect(bench.store.recordNow(namespace: "project", key: "data-file") == nil)
  }

  @Test("CL 4.13.4: what is logged is filtered by the level before the logger sees it")
  func logLevel() {
    #expect(LogLevel.none.rawValue < LogLevel.error.rawValue)
    #expect(LogLevel.warning.rawValue < LogLevel.info.rawValue)
  }

  @Test("CL 4.12.0, 4.1.2: networkDomain and dataApiDomain decide where requests go")
  func hosts() async throws {
    let file = DataFileText(
      configuration: #"{"dataApiDomain":"na-data.kameleoon.eu"}"#,
      flags: [DataFileText.flag("flag")]
    ).text
    for (domain, config, data) in [
      (nil, "sdk-config.kameleoon.eu", "na-data.kameleoon.eu"),
      ("https://Shop.example.com.", "sdk-config.shop.example.com", "na-data.shop.example.com"),
    ] {
      let bench = Bench()
      let client = try await bench.client(
        "visitor-1", KameleoonClientConfig(networkDomain: domain), file: file)
      await bench.tick(untilTracking: 1)
      #expect(bench.platform.requests(.config)[0].url.hasPrefix("https://\(config)/v3/"))
      #expect(bench.platform.requests(.tracking)[0].url.hasPrefix("https://\(data)/visit/events"))
      await client.close()
    }
  }

  @Test("CL 4.11.0: of mutually exclusive flags a visitor gets one")
  func groups() async throws {
    let extra = #","mutuallyExclusiveGroup":"g""#
    let file = DataFileText(
      flags: [1, 2, 3].map { DataFileText.flag("flag\($0)", id: $0, extra: extra) }
    ).text
    let bench = Bench()
    let client = try await bench.client(file: file)
    let reasons = try [1, 2, 3].map { try client.decision(featureKey: "flag\($0)").reason }
    #expect(reasons.filter { $0 == .excludedByGroup }.count == 2)
    let active = try client.getVariations(onlyActive: true, track: false)
    #expect(active.count == 1)
    await client.close()
  }

  @Test("CL 4.8.0: a forced variation is exposed like another, until it is taken back or the end")
  func forced() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    try client.setForcedVariation(experimentId: 7001, variationKey: "blue", forceTargeting: false)
    #expect(client.variationKey("ff_experiment") == "blue")
    try client.setForcedVariation(experimentId: 7001, variationKey: nil, forceTargeting: true)
    #expect(client.variationKey("ff_experiment") == "on")
    #expect(throws: KameleoonError.Feature.experimentNotFound(1)) {
      try client.setForcedVariation(experimentId: 1, variationKey: "on", forceTargeting: true)
    }
    #expect(throws: KameleoonError.Feature.variationNotFound("7001", "red")) {
      try client.setForcedVariation(experimentId: 7001, variationKey: "red", forceTargeting: true)
    }
    try client.setForcedVariation(experimentId: 7001, variationKey: "blue", forceTargeting: true)
    await client.close()
    let later = Bench(after: bench)
    let next = try await later.readyClient()
    #expect(next.variationKey("ff_experiment") == "on")
    await next.close()
  }

  @Test("CL 4.6.0, 4.4.3, 4.4.2: getVariations, track of isFeatureActive, and their errors")
  func reading() async throws {
    let bench = Bench()
    bench.platform.hold(.config)
    bench.platform.answer(.config, .json(try DataFiles.bytes("base")))
    let client = try bench.client()
    #expect(throws: KameleoonError.sdkNotReady) {
      try client.isFeatureActive(featureKey: "ff_experiment", track: false)
    }
    bench.platform.release(.config)
    try await client.runWhenReady(timeoutMilliseconds: 5_000)
    #expect(throws: KameleoonError.Feature.notFound("x")) {
      try client.isFeatureActive(featureKey: "x", track: false)
    }
    let all = try client.getVariations(onlyActive: false, track: false)
    #expect(Set(all.keys) == ["ff_experiment", "ff_delivery", "ff_default"])
    let active = try client.getVariations(onlyActive: true, track: false)
    #expect(Set(active.keys) == ["ff_experiment", "ff_delivery"])
    #expect(client.visitorCode == "visitor-1")
    await client.close()
  }

  @Test("CL 4.3.0: places and revenue are reported with their fractions")
  func geolocation() async throws {
    let bench = Bench()
    let client = try await bench.readyClient()
    client.addData([
      Geolocation(country: "France", city: "", postalCode: "14000", latitude: 0, longitude: -0.25)
    ])
    client.trackConversion(goalId: 1, revenue: 10.25, negative: false, metadata: [])
    await bench.tick(untilTracking: 1)
    let place = try #require(bench.events.first { $0["eventType"] == "geolocation" })
    #expect(place["latitude"] == "0")
    #expect(place["longitude"] == "-0.25")
    #expect(place["city"] == nil)
    #expect(bench.events.last?["revenue"] == "10.25")
    await client.close()
  }

  @Test("CL 4.2.0, 4.1.4, 4.1.3, 3.0.2, 3.0.1: hostile arguments do not stop the program")
  func hostileArguments() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(String(repeating: "\u{1F600}", count: 255))
    let odd = ["", "\u{0}", "../..", String(repeating: "x", count: 100_000), "%00&=\n"]
    for text in odd {
      #expect(client.variationKey(text) == nil)
      client.addData([CustomData(index: .max, values: text), CustomData(name: text, values: odd)])
      client.addData([CustomData(index: .min, values: odd), Geolocation(country: text)])
      client.trackConversion(
        goalId: .max, revenue: .infinity, negative: true, metadata: [CustomData(index: -1)])
    }
    await bench.tick(untilTracking: 1)
    #expect(bench.platform.lines.allSatisfy { ($0["nonce"] ?? "").count == 16 })
    await client.close()
  }

  @Test(
    "CL 3.0.5, 2.1.3, 2.1.2, 2.0.13, 2.0.12: conditions on code, SDK, device, conversion, lists")
  func conditions() async throws {
    let conditions = [
      #""targetingType":"VISITOR_CODE","visitorCode":"visitor-1","matchType":"EXACT""#,
      #""targetingType":"SDK_LANGUAGE","sdkLanguage":"SWIFT""#,
      #""targetingType":"DEVICE_TYPE","device":"PHONE""#,
      #""targetingType":"CONVERSIONS","goalId":5"#,
      #""targetingType":"OPERATING_SYSTEM","os":"IOS""#,
      #""targetingType":"CUSTOM_DATUM","customDataIndex":"1","valueMatchType":"AMONG_VALUES","#
        + #""value":"[\"gold\",\"silver\"]""#,
    ]
    for condition in conditions {
      let bench = Bench()
      let client = try await bench.client(file: DataFileText.when(condition))
      client.addData([Conversion(goalId: 5), CustomData(index: 1, values: "silver")])
      #expect(client.variationKey("flag") == "on", "\(condition)")
      await client.close()
    }
  }

  @Test("CL 2.0.11, 2.0.14, 2.0.1, 2.0.5: addresses, environments, encoding, and no header of old")
  func addresses() async throws {
    let bench = Bench()
    let client = try await bench.readyClient(
      "a b/ü&=", KameleoonClientConfig(environment: "my env"))
    await bench.tick(untilTracking: 1)
    let config = bench.platform.requests(.config)[0]
    #expect(
      config.url == "https://sdk-config.kameleoon.eu/v3/tstsite001?environment=my%20env")
    #expect(config.headers["X-Kameleoon-SDK-Type"] == "SWIFT")
    let tracking = bench.platform.requests(.tracking)[0]
    #expect(
      tracking.url == "https://data.kameleoon.io/visit/events?sdkName=SWIFT&sdkVersion="
        + "\(ClientIdentity.anole.version)&siteCode=tstsite001&bodyUa=true")
    #expect(tracking.headers["Kameleoon-Client"] == nil)
    #expect(tracking.headers["Content-Type"] == "*/*")
    #expect(bench.platform.lines.allSatisfy { $0["visitorCode"] == "a b/ü&=" })
    await client.close()
  }
}
