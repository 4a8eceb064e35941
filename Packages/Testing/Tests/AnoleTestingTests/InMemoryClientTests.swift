// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleTesting
import Testing
import kameleoonClient

@Suite("The in-memory client: flags")
struct InMemoryFlagTests {
  private let client = InMemoryClient(visitorCode: "v")

  @Test(
    "a flag serves what it is set to, and exposures are written down unless they are not wanted")
  func variation() throws {
    client.set(
      "checkout", key: "b", variables: ["vip": true, "price": 9.5, "n": 3, "list": [1, 2]])
    let variation = try client.getVariation(featureKey: "checkout")
    #expect(variation.key == "b" && variation.id == -1)
    #expect(variation.bool("vip", default: false) && variation.int("n", default: 0) == 3)
    #expect(variation.double("price", default: 0) == 9.5)
    #expect(
      variation.variables.mapValues(\.type) == [
        "vip": "BOOLEAN", "price": "NUMBER", "n": "NUMBER", "list": "JSON",
      ])
    _ = try client.getVariation(featureKey: "checkout", track: false)
    #expect(try client.isFeatureActive(featureKey: "checkout"))
    let exposure = ClientRecord.Exposure(featureKey: "checkout", variationKey: "b")
    #expect(client.record.exposures == [exposure, exposure])
    #expect(client.record.readFlags == ["checkout", "checkout", "checkout"])
    client.clearRecord()
    #expect(client.record.exposures.isEmpty && client.record.readFlags.isEmpty)
  }

  @Test("unknown, switched off and failing flags have the documented errors")
  func errors() throws {
    #expect(throws: KameleoonError.Feature.notFound("x")) {
      try client.getVariation(featureKey: "x")
    }
    #expect(throws: KameleoonError.Feature.notFound("x")) {
      try client.isFeatureActive(featureKey: "x")
    }
    client.set("f", isActive: true)
    client.setEnvironment(of: "f", isEnabled: false)
    #expect(throws: KameleoonError.Feature.environmentDisabled("f", nil)) {
      try client.getVariation(featureKey: "f")
    }
    #expect(try !client.isFeatureActive(featureKey: "f"))
    #expect(try client.getVariations().isEmpty)
    client.setEnvironment(of: "f", isEnabled: true)
    client.fail("f", with: KameleoonError.dataFileInvalid)
    #expect(throws: KameleoonError.dataFileInvalid) { try client.getVariation(featureKey: "f") }
    client.fail("f", with: nil)
    #expect(try client.isFeatureActive(featureKey: "f"))
    client.remove("f")
    #expect(throws: KameleoonError.Feature.notFound("f")) {
      try client.getVariation(featureKey: "f")
    }
    #expect(client.record.exposures.map(\.featureKey) == ["f"])
  }

  @Test("all variations: `off` is left out on demand, exposures come in the order of the keys")
  func variations() throws {
    client.set("b", isActive: true)
    client.set("a", isActive: false)
    #expect(try client.getVariations().mapValues(\.key) == ["a": "off", "b": "on"])
    #expect(try client.getVariations(onlyActive: true).keys.sorted() == ["b"])
    #expect(client.record.exposures.map(\.featureKey) == ["a", "b", "a", "b"])
    #expect(try client.getVariations(track: false).count == 2)
    #expect(client.record.exposures.count == 4)
  }

  @Test("a forced variation is served until it is reset")
  func forcing() throws {
    client.set(
      "f",
      variations: [
        Types.Variation(key: "a", id: 1, experimentId: 7),
        Types.Variation(key: "b", id: 2, experimentId: 7),
      ], serving: "a")
    #expect(try client.decision(featureKey: "f").reason == .experiment)
    try client.setForcedVariation(experimentId: 7, variationKey: "b")
    #expect(try client.getVariation(featureKey: "f").key == "b")
    #expect(try client.decision(featureKey: "f").reason == .forced)
    #expect(throws: KameleoonError.Feature.experimentNotFound(8)) {
      try client.setForcedVariation(experimentId: 8, variationKey: "b")
    }
    #expect(throws: KameleoonError.Feature.variationNotFound("7", "c")) {
      try client.setForcedVariation(experimentId: 7, variationKey: "c", forceTargeting: false)
    }
    try client.setForcedVariation(experimentId: 7, variationKey: nil)
    #expect(try client.getVariation(featureKey: "f").key == "a")
    #expect(
      client.record.forcings == [
        .init(experimentId: 7, variationKey: "b"), .init(experimentId: 8, variationKey: "b"),
        .init(experimentId: 7, variationKey: "c", forceTargeting: false),
        .init(experimentId: 7, variationKey: nil),
      ])
  }

  @Test("the data file shows the flags that were set")
  func dataFile() throws {
    client.set("f", isActive: false)
    client.setDateModified(milliseconds: 5)
    let file = try client.getDataFile()
    #expect(file.dateModified == 5)
    #expect(file.featureFlags["f"]?.defaultVariation?.key == "off")
    #expect(file.featureFlags["f"]?.variations.count == 2)
  }

  @Test("changes begin with the present variation and follow what is set, without repetition")
  func changes() async {
    client.set("f", key: "a")
    var iterator = client.changes(of: "f").makeAsyncIterator()
    #expect(await iterator.next()?.key == "a")
    client.set("f", key: "a")
    client.set("other", key: "x")
    client.set("f", key: "b")
    #expect(await iterator.next()?.key == "b")
    client.remove("f")
    client.set("f", key: "c")
    #expect(await iterator.next()?.key == "c")
    await client.close()
    #expect(await iterator.next() == nil)
    var late = client.changes(of: "f").makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test("changes of a client that is not ready begin when it becomes so")
  func lateChanges() async {
    let client = InMemoryClient(isReady: false)
    client.set("f", key: "a")
    var iterator = client.changes(of: "f").makeAsyncIterator()
    client.becomeReady()
    #expect(await iterator.next()?.key == "a")
  }
}

@Suite("The in-memory client: readiness, data, remote calls")
struct InMemoryUseTests {
  /// What callbacks received.
  private final class Box: Sendable {
    private let values = Lock<[String]>([])
    var all: [String] { values.withLock { $0 } }
    func add(_ value: some Sendable) { values.withLock { $0.append("\(value)") } }
  }

  @Test("before it is ready it throws what the documentation says, and waits are answered once")
  func readiness() async throws {
    let client = InMemoryClient(isReady: false)
    #expect(!client.ready && client.dataFileOrigin == nil)
    #expect(throws: KameleoonError.sdkNotReady) { try client.getVariation(featureKey: "f") }
    #expect(throws: KameleoonError.sdkNotReady) { try client.getVariations() }
    #expect(throws: KameleoonError.sdkNotReady) { try client.getDataFile() }
    #expect(throws: KameleoonError.sdkNotReady) { try client.evaluateAudiences() }
    let box = Box()
    client.runWhenReady(timeoutMilliseconds: 50) { box.add($0) }
    #expect(box.all.isEmpty)
    client.timeOutWaits()
    client.timeOutWaits()
    #expect(box.all == ["false"])
    client.runWhenReady { box.add($0) }
    client.becomeReady()
    #expect(box.all == ["false", "true"])
    client.runWhenReady { box.add($0) }
    #expect(box.all == ["false", "true", "true"])
    try await client.runWhenReady(timeoutMilliseconds: 1)
    #expect(client.record.waits == [50, nil, nil, 1])
    #expect(client.ready && client.dataFileOrigin == .defaultDataFile)
  }

  @Test("a task that waits is answered, told that it is too late, or cancelled")
  func asyncReadiness() async throws {
    let client = InMemoryClient(isReady: false)
    async let waiting: Void = client.runWhenReady()
    client.becomeReady()
    try await waiting
    let other = InMemoryClient(isReady: false)
    let task = Task { try await other.runWhenReady() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let third = InMemoryClient(isReady: false)
    await third.close()
    await #expect(throws: KameleoonError.sdkNotReady) { try await third.runWhenReady() }
  }

  @Test("what is said about the visitor is written down in order")
  func data() throws {
    let client = InMemoryClient()
    client.addData(CustomData(index: 1, values: "a"), Device.phone)
    client.addData(track: false, Conversion(goalId: 3))
    client.trackConversion(
      goalId: 4, revenue: 2, negative: true, metadata: CustomData(index: 9, values: "x"))
    client.setLegalConsent(true)
    client.setLegalConsent(false)
    client.flush()
    client.flush(instant: true)
    try client.evaluateAudiences()
    let record = client.record
    #expect(record.customData == [CustomData(index: 1, values: "a")])
    #expect(record.additions.map(\.isTracked) == [true, true, false, true])
    #expect(
      record.conversions == [
        Conversion(goalId: 3),
        Conversion(
          goalId: 4, revenue: 2, negative: true, metadata: CustomData(index: 9, values: "x")),
      ])
    #expect(record.consents == [true, false] && record.flushes == [false, true])
    #expect(record.audienceEvaluations == 1)
  }

  @Test("the configuration handler is called on demand, until it is taken away")
  func handler() {
    let client = InMemoryClient()
    let box = Box()
    client.announceUpdate()
    client.updateConfigurationHandler { box.add("update") }
    client.announceUpdate()
    client.updateConfigurationHandler(nil)
    client.announceUpdate()
    #expect(box.all == ["update"])
  }

  @Test("remote calls give what was set, or fail")
  func remote() async throws {
    let client = InMemoryClient(visitorCode: "v")
    client.setRemoteData(#"{"plan": "pro"}"#)
    let value: [String: String] = try await client.getRemoteData()
    #expect(value == ["plan": "pro"])
    await #expect(throws: MissingRemoteAnswer(key: "other")) {
      try await client.getRawRemoteData(key: "other")
    }
    client.setRemoteVisitorData([Device.tablet])
    #expect(try await client.getRemoteVisitorData().count == 1)
    try await client.getRemoteVisitorData(addData: false)
    client.setWarehouseAudiences(["a", "b"])
    #expect(
      try await client.getVisitorWarehouseAudience(customDataIndex: 5)
        == CustomData(index: 5, values: "a", "b"))
    #expect(
      client.record.remoteCalls == [
        .data(key: "v"), .data(key: "other"),
        .visitorData(filter: .default, addsData: true),
        .visitorData(filter: .default, addsData: false),
        .warehouseAudience(key: "v", customDataIndex: 5),
      ])
    #expect(client.record.additions.map(\.isTracked) == [false, true])
    client.failRemoteCalls(with: KameleoonError.sdkNotReady)
    await #expect(throws: KameleoonError.sdkNotReady) { try await client.getRawRemoteData() }
    await #expect(throws: KameleoonError.sdkNotReady) { try await client.getRemoteVisitorData() }
    await #expect(throws: KameleoonError.sdkNotReady) {
      try await client.getVisitorWarehouseAudience(customDataIndex: 5)
    }
  }

  @Test("completions are called once with the result")
  func completions() {
    let client = InMemoryClient(visitorCode: "v")
    let box = Box()
    client.setRemoteData("[1]")
    client.getRemoteData { (result: Result<[Int], any Error>) in
      box.add("\((try? result.get()) ?? [])")
    }
    client.getRemoteVisitorData { box.add("\((try? $0.get().count) ?? -1)") }
    client.getVisitorWarehouseAudience(customDataIndex: 1) { box.add("\($0)") }
    #expect(
      box.all == ["[1]", "0", "failure(no remote answer is set for the key \"v\")"])
  }

  @Test("after closing, calls fail or do nothing, and waits are answered")
  func close() async {
    let client = InMemoryClient()
    client.set("f", isActive: true)
    await client.close()
    await client.close()
    #expect(!client.ready)
    #expect(throws: KameleoonError.sdkNotReady) { try client.getVariation(featureKey: "f") }
    client.addData(Device.phone)
    #expect(client.record.additions.isEmpty)
    let box = Box()
    client.runWhenReady { box.add($0) }
    #expect(box.all == ["false"])
    let health = await client.health
    #expect(!health.isReady && health.isClosed)
  }

  @Test("callbacks run on the executor that is given")
  func executor() {
    final class Queue: CallbackExecutor {
      private let works = Lock<[@Sendable () -> Void]>([])
      func execute(_ work: @escaping @Sendable () -> Void) { works.withLock { $0.append(work) } }
      func run() {
        for work in works.withLock({ works in
          defer { works = [] }
          return works
        }) { work() }
      }
    }
    let queue = Queue()
    let client = InMemoryClient(executor: queue)
    let box = Box()
    client.runWhenReady { box.add($0) }
    #expect(box.all.isEmpty)
    queue.run()
    #expect(box.all == ["true"])
  }

  @Test("many threads may use it")
  func threads() async {
    let client = InMemoryClient()
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<100 {
            client.set("f", key: "k\(number)")
            _ = try? client.getVariation(featureKey: "f")
            client.addData(CustomData(index: round, values: "x"))
          }
        }
      }
    }
    #expect(client.record.additions.count == 800 && client.record.exposures.count == 800)
  }
}
