// SPDX-License-Identifier: Apache-2.0

import AnoleDocumentationExamples
import AnoleEmulator
import AnoleTesting
import Foundation
import Testing
import kameleoonClient

@Suite(
  "The examples of the documentation, run against the platform on loopback", .timeLimit(.minutes(2))
)
struct ExampleRuns {
  // MARK: Readiness

  @Test("K-05, K-20: the callback finds the client ready and reads a number")
  func callbacks() async throws {
    let stage = try await Stage("docs-callbacks", waits: false)
    stage.examples.k05()
    #expect(await stage.notes.next() == "discount 12.5")
    stage.examples.k20()
    #expect(await stage.notes.next() == "products 10")
    await stage.end()
  }

  @Test("K-05, K-20: the callback comes with false where there is no configuration")
  func callbacksTooLate() async throws {
    let emulator = Emulator()
    try emulator.start()
    let stage = try await Stage("docs-late", emulator: emulator, waits: false)
    stage.examples.k05()
    #expect(await stage.notes.next() == "not ready")
    stage.examples.k20()
    #expect(await stage.notes.next() == "products 5")
    await stage.examples.k21()
    #expect(await stage.notes.next() == "products 5")
    #expect(!stage.examples.k19())
    await stage.end()
  }

  @Test("K-06, K-21: waiting in asynchronous code; K-19, K-32: properties")
  func asynchronous() async throws {
    let stage = try await Stage("docs-async", visitorCode: "somebody")
    try await stage.examples.k06()
    await stage.examples.k21()
    #expect(stage.examples.k19())
    #expect(stage.examples.k32() == "somebody")
    #expect(await stage.notes.all() == ["discount 12.5", "products 10"])
    await stage.end()
  }

  // MARK: Flags

  @Test("K-22, K-23: active, not active, switched off, unknown; one exposure is reported each")
  func flags() async throws {
    let stage = try await Stage("docs-flags")
    #expect(stage.examples.k22(featureKey: "banner"))
    #expect(!stage.examples.k22(featureKey: "quiet"))
    #expect(!stage.examples.k22(featureKey: "dark"))
    #expect(!stage.examples.k22(featureKey: "unknown"))
    #expect(stage.examples.k23(featureKey: "banner") == "Welcome")
    #expect(stage.examples.k23(featureKey: "quiet") == "default")
    #expect(stage.examples.k23(featureKey: "dark") == "default")
    #expect(stage.examples.k23(featureKey: "unknown") == "default")
    let exposures = try await stage.report().filter { $0.eventType == "experiment" }
    #expect(exposures.map { $0["id"] } == ["103"])
    #expect(exposures.map { $0["variationId"] } == ["1004"])
    #expect(await stage.notes.all() == ["not found", "disabled", "not found"])
    await stage.end()
  }

  @Test("K-24: all flags, the active ones, without report")
  func variations() async throws {
    let stage = try await Stage("docs-variations")
    let sets = try stage.examples.k24()
    try #require(sets.count == 3)
    #expect(sets[0].keys.sorted() == ["banner", "discount", "quiet", "recommendations"])
    #expect(sets[1].keys.sorted() == ["banner", "discount", "recommendations"])
    #expect(sets[2] == sets[1])
    await stage.end()
  }

  @Test("K-25: forcing a variation and ending it; an unknown experiment is told")
  func forcing() async throws {
    let stage = try await Stage("docs-forcing")
    stage.examples.k25(experimentId: 103)
    stage.examples.k25(experimentId: 9_999)
    stage.examples.k25(experimentId: 101)
    #expect(await stage.notes.all() == ["experiment not found", "variation not found"])
    await stage.end()
  }

  @Test("K-26: evaluating audiences succeeds when ready, fails before")
  func audiences() async throws {
    let stage = try await Stage("docs-audiences")
    stage.examples.k26()
    #expect(await stage.notes.all() == [])
    await stage.end()
    let emulator = Emulator()
    try emulator.start()
    let early = try await Stage("docs-audiences-early", emulator: emulator, waits: false)
    early.examples.k26()
    #expect(early.examples.k28() == nil)
    #expect(try early.examples.k24().isEmpty)
    #expect(await early.notes.all() == ["not ready", "not ready", "not ready"])
    await early.end()
  }

  @Test("K-28, K-46 to K-50: the data file and its parts")
  func dataFile() async throws {
    let stage = try await Stage("docs-datafile")
    let file = try #require(stage.examples.k28())
    #expect(stage.examples.k46(dataFile: file) == (5, 1_700_000_000_000))
    let flag = try #require(file.featureFlags["banner"])
    #expect(stage.examples.k47(featureFlag: flag) == ["true", "off", "Off", "2", "1"])
    let rule = try #require(flag.rules.first)
    #expect(stage.examples.k48(rule: rule) == ["on"])
    let ruled = try #require(rule.variations["on"])
    #expect(stage.examples.k49(variation: ruled) == ["On", "on", "1004", "103", "4"])
    let plain = try #require(flag.variations["off"])
    #expect(stage.examples.k49(variation: plain) == ["Off", "off", "-1", "-1", "0"])
    #expect(stage.examples.k50(variables: ruled.variables) == ["true", "42", "text"])
    await stage.end()
  }

  @available(*, deprecated, message: "It runs examples of what is deprecated")
  @Test("K-27, K-51 to K-56: the deprecated calls")
  func deprecated() async throws {
    let stage = try await Stage("docs-deprecated")
    let examples = stage.examples
    #expect(examples.k27().sorted() == ["banner", "dark", "discount", "quiet", "recommendations"])
    #expect(examples.k51(featureKey: "banner") == "the main variation")
    #expect(examples.k51(featureKey: "quiet") == "the default")
    #expect(examples.k51(featureKey: "dark") == "disabled")
    #expect(examples.k51(featureKey: "unknown") == "not found")
    #expect(examples.k52().sorted() == ["banner", "discount", "recommendations"])
    #expect(examples.k53().keys.sorted() == ["banner", "discount", "recommendations"])
    #expect(examples.k54(featureKey: "banner", variableKey: "title") == "Welcome")
    #expect(examples.k54(featureKey: "banner", variableKey: "number") == "another type")
    #expect(examples.k54(featureKey: "banner", variableKey: "x") == "variable not found")
    #expect(examples.k54(featureKey: "dark", variableKey: "x") == "disabled")
    #expect(examples.k54(featureKey: "unknown", variableKey: "x") == "not found")
    #expect(
      examples.k55(featureKey: "banner", variationKey: "on")
        == ["bool", "number", "string", "title"])
    #expect(examples.k56(featureKey: "banner", variationKey: "x") == [])
    #expect(examples.k56(featureKey: "dark", variationKey: "x") == [])
    #expect(examples.k56(featureKey: "unknown", variationKey: "x") == [])
    #expect(await stage.notes.all() == ["variation not found", "disabled", "not found"])
    await stage.end()
  }

  // MARK: Data

  @Test("K-29, K-30, K-42: conversions with revenue and metadata are reported")
  func conversions() async throws {
    let stage = try await Stage("docs-conversions")
    stage.examples.k29()
    stage.examples.k30()
    stage.examples.k42()
    let events = try await stage.report().filter { $0.eventType == "conversion" }
    #expect(events.map { $0["goalId"] } == ["83023", "83023", "83023", "32", "33"])
    #expect(
      events.map { $0["metadata"] } == [
        nil, #"{"5":["Credit Card","Amex"]}"#, #"{"5":["Amex Credit Card"]}"#, nil,
        #"{"5":["Credit Card","Amex"]}"#,
      ])
    #expect(events.first?["revenue"] == "10")
    await stage.end()
  }

  @Test(
    "K-33, K-43, K-44, K-45: data are reported, unless they are not to be, names by their index")
  func data() async throws {
    let stage = try await Stage("docs-data")
    stage.examples.k33()
    stage.examples.k44()
    stage.examples.k45()
    var events = try await stage.report()
    #expect(events.filter { $0.eventType == "customData" }.map { $0["index"] } == ["1"])
    #expect(events.filter { $0.eventType == "geolocation" }.map { $0["city"] } == ["Paris"])
    #expect(events.compactMap { $0["deviceType"] }.last == "TABLET")
    stage.emulator.clearJournal()
    stage.examples.k43()
    events = try await stage.report()
    let custom = events.filter { $0.eventType == "customData" }
    #expect(Set(custom.map { $0["index"] }) == ["1", "2", "3", "4"])
    #expect(custom.first { $0["index"] == "3" }?["overwrite"] == "false")
    #expect(custom.first { $0["index"] == "4" }?["valuesCountMap"] == #"{"pro":1}"#)
    await stage.end()
  }

  @Test("K-34: a flush reports with the interval, an instant one now")
  func flush() async throws {
    let stage = try await Stage("docs-flush")
    stage.examples.k34()
    try await stage.emulator.waitForRequests(count: 1, route: .tracking)
    let events = stage.emulator.acceptedEvents
    #expect(events.contains { $0["valuesCountMap"] == #"{"some":1,"custom":1,"values":1}"# })
    #expect(events.contains { $0["goalId"] == "32" })
    await stage.end()
  }

  @Test("K-41: consent is accepted")
  func consent() async throws {
    let stage = try await Stage("docs-consent")
    stage.examples.k41()
    #expect(try stage.client.isFeatureActive(featureKey: "banner"))
    await stage.end()
  }

  // MARK: Remote data

  @Test("K-35, K-36: a remote value, decoded and raw")
  func remoteData() async throws {
    let stage = try await Stage("docs-remote")
    stage.emulator.setRemoteData(#"{"plan": "pro"}"#, forKey: "test")
    stage.examples.k35()
    #expect(await stage.notes.next(2) == ["plan pro", "raw pro"])
    await stage.examples.k36().value
    #expect(await stage.notes.next(2) == ["plan pro", "raw pro"])
    stage.emulator.setRemoteData(#"{"other": 1}"#, forKey: "test")
    stage.examples.k35()
    let notes = await stage.notes.next(2)
    #expect(notes.first?.hasPrefix("failed: ") == true && notes.last == "raw none")
    await stage.end()
  }

  @Test("K-37, K-38: the visitor's data, added, only fetched, by a filter")
  func visitorData() async throws {
    let stage = try await Stage("docs-visitor-data")
    stage.emulator.setVisitorData(
      #"""
      {"currentVisit": {"timeStarted": 1700000000000, "customDataEvents": [
        {"time": 1700000000000, "data": {"index": 4, "valuesCountMap": {"pro": 1}}}]}}
      """#, forVisitor: "visitor")
    stage.examples.k37()
    #expect(await stage.notes.next(3) == ["added 1", "fetched 1", "filtered 1"])
    await stage.examples.k38().value
    #expect(await stage.notes.next(3) == ["added 1", "fetched 1", "filtered 1"])
    let requests = stage.emulator.requests(.visitorData)
    #expect(requests.count == 6)
    #expect(
      requests.filter { $0.query?.contains("maxNumberPreviousVisits=25") == true }.count == 2)
    await stage.end()
  }

  @Test("K-39, K-40: audiences of a warehouse, by the visitor code and by a key")
  func warehouse() async throws {
    let stage = try await Stage("docs-warehouse")
    stage.emulator.setWarehouseAudiences(["a", "b"], forKey: "visitor")
    stage.emulator.setWarehouseAudiences(["c"], forKey: "warehouse-key")
    stage.examples.k39()
    #expect(await stage.notes.next(2) == [#"keyed ["c"]"#, #"own ["a", "b"]"#])
    await stage.examples.k40().value
    #expect(await stage.notes.next(2) == [#"keyed ["c"]"#, #"own ["a", "b"]"#])
    await stage.end()
  }

  // MARK: Identity

  @Test("K-07 to K-10: what device A tells, device B fetches")
  func crossDevice() async throws {
    var deviceA = try await Stage("docs-devices", visitorCode: "device-a")
    deviceA.examples.index = 7
    deviceA.examples.k07()
    deviceA.examples.k09()
    let told = try await deviceA.report().filter { $0.eventType == "customData" }
    #expect(told.map { $0["mappingIdentifier"] }.allSatisfy { $0 == "true" } && !told.isEmpty)
    #expect(told.first?["valuesCountMap"] == #"{"user-42":1}"#)

    deviceA.emulator.setVisitorData(
      #"""
      {"currentVisit": {"timeStarted": 1700000000000, "visitorCode": "device-a",
        "customDataEvents": [
          {"time": 1700000000000, "data": {"index": 7, "valuesCountMap": {"user-42": 1}}}]}}
      """#, forVisitor: "tablet-2")
    let deviceB = try await Stage(
      "docs-devices", visitorCode: "tablet-2", emulator: deviceA.emulator)
    let onA = try deviceA.client.getVariation(featureKey: "discount").key
    let onBAlone = try deviceB.client.decision(featureKey: "discount").variation.key
    #expect(onA != onBAlone, "the codes are chosen so that the devices differ by themselves")
    deviceB.examples.k08()
    #expect(await deviceB.notes.next() == "1 \(onA)")
    try await deviceB.examples.k10()
    #expect(await deviceB.notes.next() == onA)
    await deviceB.client.close()
    await deviceA.end()
  }

  @Test("K-13: custom data may stand in for the visitor code")
  func bucketingKey() async throws {
    var stage = try await Stage("docs-bucketing")
    stage.examples.index = 3
    stage.examples.k13()
    let events = try await stage.report()
    #expect(events.contains { $0["valuesCountMap"] == #"{"company-7":1}"# })
    await stage.end()
  }

  // MARK: Updates

  @Test("K-31: the handler is called after a streamed update")
  func updates() async throws {
    let emulator = Emulator()
    let file = try Stage.dataFile()
      .replacingOccurrences(of: #""realTimeUpdate": false"#, with: #""realTimeUpdate": true"#)
    emulator.setDataFile(file)
    try emulator.start()
    let stage = try await Stage("docs-updates", emulator: emulator)
    stage.examples.k31()
    try await emulator.waitForOpenStreams(count: 1)
    emulator.setDataFile(file.replacingOccurrences(of: "1700000000000", with: "1700000000001"))
    emulator.pushConfigurationUpdate(timestamp: 1_700_000_000_001)
    #expect(await stage.notes.next() == "updated")
    #expect(stage.examples.k28()?.dateModified == 1_700_000_000_001)
    await stage.end()
  }
}

/// The only suite here that changes the statics of the logger.
@Suite("The examples about logging")
struct LoggingExampleRuns {
  @Test("K-14 leaves the last level; K-15 installs a logger, which gets messages of its level")
  func logging() async throws {
    let (level, logger) = (KameleoonLogger.logLevel, KameleoonLogger.logger)
    defer {
      KameleoonLogger.logger = logger
      KameleoonLogger.logLevel = level
    }
    let notes = Notes()
    let examples = Examples(kameleoonClient: InMemoryClient(), effects: notes)
    examples.k14()
    #expect(KameleoonLogger.logLevel == .debug)
    examples.k15()
    #expect(KameleoonLogger.logLevel == .warning)
    #expect(KameleoonLogger.logger is CustomLogger)
    KameleoonLogger.logger.log(level: .warning, message: "from the test")
    while let note = await notes.next() {
      if note == "warning: from the test" { break }
    }
  }
}
