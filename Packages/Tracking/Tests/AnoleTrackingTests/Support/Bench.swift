// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking
import Testing

/// A value that a test and the code it tests share.
final class Shared<Value: Sendable>: Sendable {
  private let lock: Lock<Value>
  init(_ value: Value) { lock = Lock(value) }
  var value: Value {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }
  func change(_ change: @Sendable (inout Value) -> Void) { lock.withLock { change(&$0) } }
}

/// A tracker that sends over the real transport to a server on this machine, with clocks that stand
/// still and nonces that count from 1.
final class Bench: Sendable {
  /// What a test may choose.
  struct Setup: Sendable {
    var settings = Tracker.Settings(compression: .identity)
    /// The limit of one attempt, in real time.
    var timeout = Duration.seconds(60)
    /// Makes the store; one in memory by default.
    var makeStore: @Sendable (WallClock) -> any StateStore = { InMemoryStorage(wallClock: $0) }
    var hasCredentials = false
    var firstNonce: UInt64 = 1

    init(_ adjust: (inout Setup) -> Void = { _ in }) {
      adjust(&self)
    }
  }

  let emulator = Emulator()
  let clock = ManualClock()
  let wall = ManualWallClock()
  let store: any StateStore
  let tracker: Tracker
  /// Where requests go; the emulator at first.
  let address: Shared<EndpointAddress>
  let reports: Shared<[AnoleTracking.TrackingReport]>
  private let tokens: AccessTokenSource?
  private let transport: CurlTransport

  private init(_ setup: Setup) throws {
    try emulator.start()
    store = setup.makeStore(wall.clock)
    transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    let address = Shared(EndpointAddress(port: emulator.port.map { Int($0) }))
    let reports = Shared<[AnoleTracking.TrackingReport]>([])
    self.address = address
    self.reports = reports
    let requests: @Sendable () -> PlatformRequests = {
      PlatformRequests(
        urls: PlatformURLs(
          siteCode: "s", identity: ClientIdentity(name: "SWIFT", version: "1.2.3"),
          overrides: [.tracking: address.value, .accessToken: address.value]),
        userAgent: UserAgent(name: "Shop", version: "1"), timeout: setup.timeout)
    }
    let credentials = ClientCredentials(id: setup.hasCredentials ? "cid" : nil, secret: "sec")
    tokens = credentials.map { [transport, clock] credentials in
      AccessTokenSource(transport: transport, clock: clock) {
        requests().accessToken(credentials, timeout: $0)
      }
    }
    tracker = Tracker(
      settings: setup.settings, store: store, transport: transport, tokens: tokens,
      requests: { requests().tracking(body: $0) }, clock: clock, wallClock: wall.clock,
      nonces: CountingGenerator(from: setup.firstNonce),
      report: { report in reports.change { $0.append(report) } })
  }

  /// Runs a test and ends everything, however the test ends.
  static func with(
    _ setup: Setup = Setup(), _ test: (Bench) async throws -> Void
  ) async throws {
    let bench = try Bench(setup)
    let result: Result<Void, any Error>
    do { result = .success(try await test(bench)) } catch { result = .failure(error) }
    await bench.tracker.close()
    await bench.tokens?.shutdown()
    bench.transport.shutdown()
    bench.emulator.stop()
    try result.get()
  }
}

// MARK: - Steps

extension Bench {
  /// Accepts an event of a visitor.
  func submit(_ events: TrackingEvent..., of visitorCode: String = "v") {
    tracker.submit(events, of: .visitorCode(visitorCode))
  }

  /// Lets time pass, on both clocks, when so many tasks sleep.
  func pass(_ duration: Duration, sleepers: Int = 1) async {
    await clock.untilSleeping(count: sleepers)
    wall.advance(by: duration)
    clock.advance(by: duration)
  }

  /// An instant flush whose first attempts fail: lets the pause pass before each further attempt.
  func flush(passingPauses pauses: Int) async -> Delivery {
    async let delivery = tracker.flush()
    for _ in 0..<pauses { await pass(.seconds(5)) }
    return await delivery
  }

  /// The tracking requests so far.
  var requests: [RecordedRequest] { emulator.requests(.tracking) }

  /// Waits for so many tracking requests in all.
  @discardableResult
  func untilRequests(_ count: Int) async throws -> [RecordedRequest] {
    try await emulator.waitForRequests(count: count, route: .tracking)
  }

  /// The numbers of the nonces that the server has accepted, in order.
  var acceptedNonces: [Int] { emulator.acceptedEvents.compactMap(\.number) }

  func dropped() async -> [DropReason: Int] { await tracker.status().dropped }

  func stored() async -> Int { await tracker.status().storedEvents }
}

extension TrackedEvent {
  /// The nonce as a number.
  var number: Int? { nonce.flatMap { Int($0, radix: 16) } }
}

extension RecordedRequest {
  /// The numbers of the nonces in the body.
  var nonces: [Int] { tracking?.events.compactMap(\.number) ?? [] }

  /// The visitors in the order of their first lines.
  var visitors: [String] {
    var seen: [String] = []
    for case let visitor? in tracking?.events.map(\.visitor) ?? [] where !seen.contains(visitor) {
      seen.append(visitor)
    }
    return seen
  }
}
