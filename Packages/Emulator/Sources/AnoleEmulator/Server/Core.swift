// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import Dispatch

/// What the emulator's owner and the server's thread share: the platform, who waits for it to change, and
/// the server that is running.
final class Core: Sendable {
  /// A server that was started.
  struct Run: Sendable {
    let address: NumericAddress
    let port: UInt16
    let access: ControlAccess
    let inbox: Inbox
    /// Left when the server's thread has ended.
    let finished: DispatchGroup
  }

  private struct State: Sendable {
    var platform: Platform
    var run: Run?
    var waiters: [Int: Waiter] = [:]
    var lastID = 0

    mutating func takeSatisfied() -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let satisfied = waiters.filter { $0.value.condition.holds(for: platform) }
      for id in satisfied.keys { waiters[id] = nil }
      return Array(satisfied.values)
    }
  }

  let time: TimeSource
  let wallClock: WallClock
  let maximumBodyBytes: Int
  private let state: Lock<State>

  init(time: TimeSource, wallClock: WallClock, seed: UInt64, maximumBodyBytes: Int) {
    self.time = time
    self.wallClock = wallClock
    self.maximumBodyBytes = maximumBodyBytes
    let platform = Platform(
      maximumBodyBytes: maximumBodyBytes, random: SplitMix64(seed: seed))
    state = Lock(State(platform: platform))
  }

  /// The server that is running.
  var run: Run? { state.withLock { $0.run } }

  /// A number that was not given before.
  func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Changes the platform, then tells whom it concerns.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout Platform) -> Result) -> Result {
    let (result, inbox, news, waiters) = state.withLock { state in
      let result = body(&state.platform)
      let news = state.platform.takeNews()
      return (result, state.run?.inbox, news, state.takeSatisfied())
    }
    inbox?.post(news.map { .news($0) })
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
    return result
  }

  /// Notes that a server runs; false if there is one already.
  func started(_ run: Run) -> Bool {
    state.withLock { state in
      guard state.run == nil else { return false }
      state.run = run
      return true
    }
  }

  /// Notes that the server has ended; on its thread.
  func stopped() {
    let waiters = state.withLock { state in
      state.run = nil
      state.platform.streams = StreamBoard()
      state.platform.heldExchanges = []
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    let error = EmulatorError(
      code: .notRunning, message: "the emulator was stopped while somebody waited for it")
    for waiter in waiters { waiter.continuation.resume(returning: error) }
  }

  /// Returns when a condition holds.
  func wait(until condition: Waiter.Condition) async throws(EmulatorError) {
    let id = nextID()
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(Waiter(condition: condition, continuation: continuation), id: id)
      }
    } onCancel: {
      cancel(id)
    }
    if let failure { throw failure }
  }

  private static let cancelled = EmulatorError(
    code: .cancelled, message: "the task that waited for the emulator was cancelled")

  private func add(_ waiter: Waiter, id: Int) {
    // Cancellation before this point has found no waiter; after it, it finds this one.
    let isWaiting = state.withLock { state in
      guard state.run != nil, !waiter.condition.holds(for: state.platform) else { return false }
      state.waiters[id] = waiter
      return true
    }
    guard isWaiting else { return waiter.continuation.resume(returning: unmet(waiter.condition)) }
    if Task.isCancelled { cancel(id) }
  }

  private func unmet(_ condition: Waiter.Condition) -> EmulatorError? {
    let (isMet, isRunning) = state.withLock { state in
      (condition.holds(for: state.platform), state.run != nil)
    }
    if isMet || isRunning { return nil }
    return EmulatorError(
      code: .notRunning, message: "nothing can arrive: start the emulator before waiting")
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume(returning: Self.cancelled)
  }
}

/// Somebody who waits for the platform.
struct Waiter: Sendable {
  enum Condition: Sendable {
    /// At least so many requests have arrived at a route (nil: at all) since the journal was cleared.
    case requests(Int, Route?)
    /// A request has arrived that has a greater sequence number.
    case requestsAfter(Int)
    /// Exactly so many streams are open.
    case streams(Int)
    /// Exactly so many requests are kept waiting by a fault.
    case held(Int)
    /// Something is different from what a reader knows.
    case news(NewsPosition)

    func holds(for platform: Platform) -> Bool {
      switch self {
      case .requests(let count, let route): platform.journal.count(route) >= count
      case .requestsAfter(let sequence): platform.journal.nextSequence - 1 > sequence
      case .streams(let count): platform.streams.count == count
      case .held(let count): platform.heldExchanges.count == count
      case .news(let known): platform.newsPosition != known
      }
    }
  }

  let condition: Condition
  /// Resumed with nil, or with why the condition will not be met.
  let continuation: CheckedContinuation<EmulatorError?, Never>
}
