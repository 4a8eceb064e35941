// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleStorage

/// Holds the plan of a client and does what it says.
///
/// Two locks, never one inside the other: `shared` guards the plan, `published` the reference that readers
/// take. Whoever changed the plan publishes what became visible before his call returns; a sequence number
/// keeps an older state from replacing a newer one.
final class FlagEngine: Sendable {
  /// Someone who waits for the end of a refresh.
  enum Waiter: Sendable {
    case completion(@Sendable (RemoteFlagsError?) -> Void)
    case task(CheckedContinuation<RemoteFlagsError?, Never>)
  }

  struct Shared: Sendable {
    var plan: FlagPlan
    var server: ServerSettings
    var impressions = ImpressionLog()
    var registration = RegistrationPlan()
    /// Whether the server has to be told the user when communication starts again.
    var owesRegistration = false
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
    /// What callbacks have still to be told, oldest first.
    var deliveries: [FlagPlan.Delivery] = []
    var sequence: UInt64 = 0

    func identity(_ application: String, user: String, _ configuration: FlagEngine.Fixed)
      -> DeviceIdentity
    {
      DeviceIdentity(
        application: application, deviceID: configuration.deviceID, userID: user,
        deviceType: configuration.deviceType, version: configuration.version)
    }

    /// Whether calls other than for flags may leave.
    var canCall: Bool {
      plan.conditions.allowsCommunication && !plan.conditions.isClosed
        && plan.subject.application != nil
    }

    mutating func add(_ waiter: Waiter) -> Int {
      nextWaiter += 1
      waiters[nextWaiter] = waiter
      return nextWaiter
    }
  }

  /// What never changes.
  struct Fixed: Sendable {
    let deviceID: String
    let deviceType: Int
    let version: String
  }

  private struct Published: Sendable {
    var sequence: UInt64 = 0
    var view: VisibleFlags
  }

  /// What is left to do once the lock is free again.
  private struct Rest: Sendable {
    let actions: [FlagPlan.Action]
    let sequence: UInt64
    let view: VisibleFlags
    let subject: FlagPlan.Subject
    let deadline: Duration?
  }

  let fixed: Fixed
  let time: TimeSource
  let wallClock: WallClock
  let tasks = TaskTable()
  let timer: DeadlineTimer
  let listeners = ListenerTable()
  let changes = ChangeHub()
  let shared: Lock<Shared>

  private let published: Lock<Published>
  let wire = JSONFeatureFlagWire()
  let exchange: FlagExchange
  let line: StoreLine
  let store: any RemoteFlagsStore
  let executor: any CallbackExecutor
  let utcOffset: @Sendable (Int64) -> Int
  let report: @Sendable (RemoteFlagsReport) -> Void

  init(_ configuration: RemoteFlagsConfiguration) {
    let start = EngineStart(configuration, wire: wire)
    fixed = start.fixed
    time = configuration.time
    wallClock = configuration.wallClock
    timer = DeadlineTimer(configuration.time)
    exchange = FlagExchange(
      transport: configuration.transport, wallClock: configuration.wallClock)
    store = configuration.store
    executor = configuration.callbackExecutor
    utcOffset = configuration.utcOffset
    report = configuration.report
    line = StoreLine(configuration.store, start.plan.subject)
    published = Lock(Published(view: start.plan.view))
    shared = Lock(Shared(plan: start.plan, server: start.server))
    for report in start.reports { configuration.report(report) }
  }

  // MARK: Reading

  /// What is visible now; takes one short lock and reads the clock.
  func visibleFlags() -> FlagSet {
    published.withLock { $0.view }.flags(at: time.now)
  }

  // MARK: Steps of the plan

  var now: FlagPlan.Now { FlagPlan.Now(moment: time.now, wall: wallClock.milliseconds) }

  /// Changes the plan and does what follows.
  func step(_ body: (inout Shared, FlagPlan.Now) -> [FlagPlan.Action]) {
    let now = now
    let rest = shared.withLock { shared -> Rest in
      let actions = body(&shared, now)
      shared.sequence += 1
      for case .deliver(let delivery) in actions where !delivery.isEmpty {
        shared.deliveries.append(delivery)
      }
      return Rest(
        actions: actions, sequence: shared.sequence, view: shared.plan.view,
        subject: shared.plan.subject, deadline: shared.plan.nextDeadline)
    }
    publish(rest.view, rest.sequence)
    for action in rest.actions { perform(action, rest.subject) }
    timer.set(rest.deadline, sequence: rest.sequence) { [self] in
      step { shared, now in shared.plan.timeHasCome(now) }
    }
  }

  private func publish(_ view: VisibleFlags, _ sequence: UInt64) {
    published.withLock { published in
      guard sequence > published.sequence else { return }
      published.sequence = sequence
      published.view = view
    }
  }

  private func perform(_ action: FlagPlan.Action, _ subject: FlagPlan.Subject) {
    switch action {
    case .forget: line.advance(to: subject)
    case .store(let set, let generation): line.write(set, for: subject, generation: generation)
    case .request(let number): tasks.start(.flags(number)) { await self.ask(number) }
    case .cancel(let number): tasks.cancel(.flags(number))
    case .deliver(let delivery): deliver(delivery)
    }
  }

  private func deliver(_ delivery: FlagPlan.Delivery) {
    if !delivery.changedKeys.isEmpty { changes.add(delivery.changedKeys) }
    let tasks = shared.withLock { shared in
      delivery.waiters.compactMap { number -> CheckedContinuation<RemoteFlagsError?, Never>? in
        guard case .task(let continuation)? = shared.waiters[number] else { return nil }
        shared.waiters[number] = nil
        return continuation
      }
    }
    for task in tasks { task.resume(returning: delivery.error) }
    if let error = delivery.error, delivery.waiters.isEmpty {
      report(RemoteFlagsReport(code: .request, message: error.message))
    }
    guard !delivery.isEmpty else { return }
    executor.execute { self.tellNext() }
  }

  /// Runs callbacks of the oldest delivery, on the executor.
  private func tellNext() {
    let (delivery, completions, view, sequence) = shared.withLock { shared in
      let delivery =
        shared.deliveries.isEmpty ? FlagPlan.Delivery() : shared.deliveries.removeFirst()
      var completions: [@Sendable (RemoteFlagsError?) -> Void] = []
      for number in delivery.waiters {
        // Tasks that wait are resumed by whoever added the delivery.
        guard case .completion(let completion)? = shared.waiters[number] else { continue }
        shared.waiters[number] = nil
        completions.append(completion)
      }
      return (delivery, completions, shared.plan.view, shared.sequence)
    }
    // Another thread may not have got so far yet; listeners must see the new flags.
    publish(view, sequence)
    if !delivery.changedKeys.isEmpty { listeners.tellAll() }
    for completion in completions { completion(delivery.error) }
  }

}

extension FlagPlan.Delivery {
  var isEmpty: Bool { changedKeys.isEmpty && waiters.isEmpty }
}
