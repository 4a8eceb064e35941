// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking
import Foundation
import Testing

@testable import kameleoonClient

/// Clients with a fake platform, fake clocks and a store of their own.
final class Bench: Sendable {
  static let siteCode = "tstsite001"

  let platform = FakePlatform()
  let clock = ManualClock()
  let wall: ManualWallClock
  let lifecycle = ManualLifecycle()
  let registry = ClientRegistry()
  let store: any LocalStore
  let device: FixedDevice
  let executor: any CallbackExecutor

  /// Makes a bench.
  ///
  /// - Parameters:
  ///   - store: the store; one in memory unless given. It outlives clients, as a disk does.
  ///   - device: the device.
  ///   - executor: where callbacks run; at once unless given.
  init(
    store: (any LocalStore)? = nil, device: FixedDevice = FixedDevice(),
    executor: any CallbackExecutor = InlineCallbackExecutor()
  ) {
    wall = ManualWallClock()
    self.store = store ?? InMemoryStorage(wallClock: wall.clock)
    self.device = device
    self.executor = executor
  }

  /// The bench of a later process, with the store and the time of day of an earlier one.
  init(after earlier: Bench) {
    wall = earlier.wall
    store = earlier.store
    device = earlier.device
    executor = earlier.executor
  }

  deinit {
    if registry.engineCount > 0 { Issue.record("a client was not closed") }
  }

  /// The services of clients here.
  var services: EngineServices {
    EngineServices(
      transport: platform, clock: clock, wallClock: wall.clock, random: RandomSource(seed: 1),
      executor: executor, lifecycle: lifecycle, deviceInfo: device, store: store)
  }

  /// A client.
  func client(
    _ visitorCode: String? = "visitor-1", _ config: KameleoonClientConfig = KameleoonClientConfig(),
    siteCode: String = Bench.siteCode
  ) throws -> Client {
    try registry.client(siteCode: siteCode, visitorCode: visitorCode, config: config) { services }
  }

  /// A client with a data file in force.
  func readyClient(
    _ visitorCode: String? = "visitor-1", _ config: KameleoonClientConfig = KameleoonClientConfig(),
    file: String = "base"
  ) async throws -> Client {
    platform.answer(.config, .json(try DataFiles.bytes(file)))
    let client = try client(visitorCode, config)
    try await client.runWhenReady(timeoutMilliseconds: 10_000)
    return client
  }

  /// Lets time pass on both clocks.
  func advance(by span: Duration) {
    wall.advance(by: span)
    clock.advance(by: span)
  }

  /// One tracking interval passes; returns when its request has arrived.
  ///
  /// - Parameter total: how many tracking requests there are then in all.
  func tick(untilTracking total: Int) async {
    advance(by: .seconds(1))
    await platform.untilRequests(.tracking, total)
  }

  /// A few tracking intervals pass, until so many tracking requests have arrived in all.
  ///
  /// What a timer queues may miss the tick of the same moment, or catch it.
  func ticks(untilTracking total: Int, _ client: Client) async {
    for _ in 0..<5 {
      await quietTick(client)
      for _ in 0..<1_000 where platform.requests(.tracking).count < total { await Task.yield() }
      if platform.requests(.tracking).count >= total { return }
    }
    Issue.record("there are \(platform.requests(.tracking).count) tracking requests")
  }

  /// One tracking interval passes in which nothing is sent; returns when the tick is over.
  func quietTick(_ client: Client) async {
    advance(by: .seconds(1))
    // Statistics are served by the tracker's queue, after the tick.
    await eventually { self.clock.nextDeadline.map { $0 > self.clock.now } ?? true }
    _ = await client.engine.tracker.status()
  }
}

/// An application whose life a test directs.
final class ManualLifecycle: AppLifecycle {
  private final class Observation: Sendable {
    let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  private struct State: Sendable {
    var isActive = true
    var observers: [Int: @Sendable (AppLifecycleEvent) -> Void] = [:]
    var nextID = 0
  }

  private let state = Lock(State())

  var isActive: Bool { state.withLock { $0.isActive } }

  /// How many listen.
  var observerCount: Int { state.withLock { $0.observers.count } }

  func observe(
    _ handler: @escaping @Sendable (AppLifecycleEvent) -> Void
  ) -> any AnyObject & Sendable {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.observers[state.nextID] = handler
      return state.nextID
    }
    return Observation { [weak self] in
      self?.state.withLock { $0.observers[id] = nil }
    }
  }

  func enterBackground() { send(.didEnterBackground, isActive: false) }

  func becomeActive() { send(.didBecomeActive, isActive: true) }

  private func send(_ event: AppLifecycleEvent, isActive: Bool) {
    let observers = state.withLock { state in
      state.isActive = isActive
      return Array(state.observers.values)
    }
    for observer in observers { observer(event) }
  }
}

/// A device that is always the same.
struct FixedDevice: DeviceInfo {
  var device: kameleoonClient.Device? = .phone
  var osName = "iOS"
  var osVersion = "18.1"
  var model: String? = "iPhone17,1"
  var language = "en"
  var timeZoneOffset = 0
  var appVersion: String? = "1.2.3"
}

/// The data files of the fixtures.
enum DataFiles {
  static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(
      Bundle.module.url(
        forResource: name, withExtension: "json", subdirectory: "Fixtures/datafiles"))
    return Array(try Data(contentsOf: url))
  }

  /// The flag `checkout`, served to everybody: variation, `max_items`, `title`, `vip`.
  static func checkout(
    variation: String = "on", maxItems: Int = 3, dateModified: Int64 = 1_000,
    isRealTime: Bool = false
  ) -> String {
    func variables(_ items: Int, _ vip: Bool) -> String {
      """
      [{"key":"max_items","type":"NUMBER","value":\(items)},
       {"key":"title","type":"STRING","value":"items \(items)"},
       {"key":"vip","type":"BOOLEAN","value":\(vip)}]
      """
    }
    return """
      {"dateModified":\(dateModified),"configuration":{"realTimeUpdate":\(isRealTime)},
       "featureFlags":[{"id":1,"featureKey":"checkout","environmentEnabled":true,
        "defaultVariationKey":"off",
        "variations":[{"key":"off","name":"Off","variables":\(variables(maxItems, false))},
                      {"key":"on","name":"On","variables":\(variables(maxItems, true))}],
        "rules":[{"id":10,"type":"TARGETED_DELIVERY","exposition":1.0,"experimentId":100,
         "variationByExposition":[{"variationKey":"\(variation)","variationId":1000,
                                   "exposition":1.0}]}]}]}
      """
  }
}

/// Lets other tasks run until a condition holds; a condition that never holds fails the test.
func eventually(
  _ what: String = "the condition", _ sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async {
  // Far more turns than any chain of tasks needs; a handshake without a clock.
  for _ in 0..<2_000_000 {
    if condition() { return }
    await Task.yield()
  }
  Issue.record("\(what) never held", sourceLocation: sourceLocation)
}

/// Counts calls and keeps values.
final class Recorder<Value: Sendable>: Sendable {
  private let items = Lock<[Value]>([])

  var values: [Value] { items.withLock { $0 } }
  var count: Int { items.withLock { $0.count } }

  func add(_ value: Value) { items.withLock { $0.append(value) } }
}
