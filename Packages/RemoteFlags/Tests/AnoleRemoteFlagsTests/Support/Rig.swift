// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Testing

@testable import AnoleRemoteFlags

/// A device with a server, clocks and a store of its own.
final class Rig {
  static let device = "6E1B5F3C-2D4A-4E0F-9B7A-0C1D2E3F4A5B"

  let clock = ManualClock()
  let wall = ManualWallClock(milliseconds: 1_790_000_000_125)
  let server: ScriptedServer
  let store: any RemoteFlagsStore
  let executor: any CallbackExecutor
  let log = Log()
  private let adjust: (inout RemoteFlagsConfiguration) -> Void
  private(set) var client: RemoteFlagsClient
  /// The lives of earlier processes.
  private var former: [RemoteFlagsClient] = []

  init(
    _ server: ScriptedServer = ScriptedServer(),
    store: any RemoteFlagsStore = InMemoryStorage(),
    executor: any CallbackExecutor = InlineCallbackExecutor(),
    _ adjust: @escaping (inout RemoteFlagsConfiguration) -> Void = { _ in }
  ) {
    self.server = server
    self.store = store
    self.executor = executor
    self.adjust = adjust
    client = RemoteFlagsClient(
      Self.configuration(server, store, executor, clock, wall, log, adjust))
    client.addListener(log)
  }

  deinit {
    // Whatever a test left under way must not wait for ever.
    server.answer { _ in .failure(.cancelled) }
    server.releaseAll { _ in .failure(.cancelled) }
  }

  private static func configuration(
    _ server: ScriptedServer, _ store: any RemoteFlagsStore, _ executor: any CallbackExecutor,
    _ clock: ManualClock, _ wall: ManualWallClock, _ log: Log,
    _ adjust: (inout RemoteFlagsConfiguration) -> Void
  ) -> RemoteFlagsConfiguration {
    var configuration = RemoteFlagsConfiguration(
      applicationCode: "A1B2C-D3E4F", store: store, transport: server)
    configuration.apiToken = "test-token"
    configuration.deviceID = Rig.device
    configuration.userID = "user-42"
    configuration.time = TimeSource(clock)
    configuration.wallClock = wall.clock
    configuration.utcOffset = { _ in 7_200 }
    configuration.callbackExecutor = executor
    configuration.report = { log.add($0) }
    adjust(&configuration)
    return configuration
  }

  /// Ends the process and starts the next one, with other settings if wanted.
  func relaunch(_ more: (inout RemoteFlagsConfiguration) -> Void = { _ in }) {
    client.engine.close()
    former.append(client)
    client = RemoteFlagsClient(
      Self.configuration(server, store, executor, clock, wall, log) {
        $0.userID = nil
        adjust(&$0)
        more(&$0)
      })
    client.addListener(log)
  }

  /// Activates without the request of the session start, as an application that has been active for long.
  func startSession() {
    client.engine.startSessionSilently()
  }

  /// Waits until everything that was started has ended, or waits for the server.
  func settle() async {
    await client.engine.settle { self.server.heldCount }
  }

  /// Lets time pass on both clocks.
  func advance(_ seconds: Double) async {
    wall.advance(by: .seconds(seconds))
    clock.advance(by: .seconds(seconds))
    await settle()
  }

  func activate() async {
    client.becameActive()
    await settle()
  }

  /// Asks for a refresh and waits until it has ended; the error's number, nil for success.
  @discardableResult
  func refresh() async -> Int? {
    let result = Lock<[Int?]>([])
    client.refresh { error in result.withLock { $0.append(error?.number) } }
    await settle()
    (executor as? ManualExecutor)?.runAll()
    let numbers = result.withLock { $0 }
    #expect(numbers.count == 1, "the completion was called \(numbers.count) times")
    return numbers.first ?? nil
  }

  /// What the store has for the application.
  var stored: JSONValue? {
    guard let record = store.read(namespace: StoreRecords.sets, key: "A1B2C-D3E4F") else {
      return nil
    }
    return try? JSONValue(parsing: record.value)
  }

  /// Puts a set into the store as an earlier process would have left it.
  func put(
    _ flags: TestFlag..., age: Double = 0, user: String = "user-42",
    application: String = "A1B2C-D3E4F", schema: String = "1"
  ) {
    let list = flags.map(\.text).joined(separator: ",")
    let time = Double(wall.milliseconds) / 1_000 - age
    put(
      """
      {"schema":\(schema),"application":\(JSONValue.string(application)),\
      "user_id":\(JSONValue.string(user)),"requested_at":\(time),"flags":[\(list)]}
      """)
  }

  func put(_ text: String) {
    store.apply([
      .write(namespace: StoreRecords.sets, key: "A1B2C-D3E4F", value: Array(text.utf8))
    ])
  }

  /// What the client told: listener calls and reports.
  final class Log: RemoteFlagsListener {
    private struct State {
      var listenerCalls = 0
      var reports: [RemoteFlagsReport] = []
    }

    private let state = Lock(State())

    var listenerCalls: Int { state.withLock { $0.listenerCalls } }
    var reports: [RemoteFlagsReport] { state.withLock { $0.reports } }
    func remoteFlagsDidChange() { state.withLock { $0.listenerCalls += 1 } }
    func add(_ report: RemoteFlagsReport) { state.withLock { $0.reports.append(report) } }
  }
}

extension FlagEngine {
  /// Waits until no timer is due and every task has ended or waits for the server.
  ///
  /// - Parameter held: How many requests the server holds now.
  func settle(_ held: () -> Int) async {
    while timer.isDue || tasks.all.count > held() { await Task.yield() }
  }

  /// A session starts without its request: an app extension asks for nothing, and owes nothing later.
  func startSessionSilently() {
    step { shared, now in
      var conditions = shared.plan.conditions
      let original = conditions
      conditions.isAppExtension = true
      _ = shared.plan.update(conditions, now)
      let actions = shared.plan.becomeActive(now)
      return actions + shared.plan.update(original, now)
    }
  }
}
