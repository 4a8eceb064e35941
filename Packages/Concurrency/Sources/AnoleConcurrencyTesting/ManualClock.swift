// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// A clock that moves only when a test says so.
///
/// A test starts the code that waits, awaits ``untilSleeping(count:)`` so that the wait has really begun,
/// and calls ``advance(by:)``. Sleepers wake in the order of their deadlines; a cancelled sleeper wakes at
/// once with `CancellationError`.
public final class ManualClock: Clock {
  /// A moment: the time since the clock was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public let offset: Duration

    /// Makes a moment from its distance to the clock's start.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The moment a span later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The span from this moment to another.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether the first moment is before the second.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }

    /// The offset as text.
    public var description: String { "\(offset)" }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []

    mutating func makeID() -> Int {
      defer { nextID += 1 }
      return nextID
    }

    /// Takes out the watchers whose number of sleepers is reached.
    mutating func satisfiedWatchers() -> [Watcher] {
      let satisfied = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return satisfied
    }
  }

  private let state = Lock(State())

  /// Makes a clock at its start, offset zero.
  public init() {}

  /// The clock's time.
  public var now: Instant { state.withLock { $0.now } }

  /// The clock's resolution: any span, however small, can be waited for.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep on this clock now.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// The earliest moment at which a sleeper wakes; `nil` when nobody sleeps.
  public var nextDeadline: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  /// Suspends the task until the clock has been advanced to a moment.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = state.withLock { $0.makeID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the clock forward and wakes everybody whose moment has come.
  ///
  /// The woken tasks run when the scheduler lets them; their next sleep starts from the new time.
  ///
  /// - Parameter duration: How far; must not be negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "a clock does not go backwards: \(duration)")
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let woken = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return woken.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until at least a number of tasks sleep on this clock.
  ///
  /// It also returns when the calling task is cancelled.
  ///
  /// - Parameter count: The number of sleepers, 1 if not given.
  public func untilSleeping(count: Int = 1) async {
    let id = state.withLock { $0.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(Watcher(id: id, count: count, continuation: continuation))
      }
    } onCancel: {
      dismiss(id)
    }
  }

  private func add(_ sleeper: Sleeper) {
    enum Outcome {
      case sleeps(satisfied: [Watcher])
      case isDue
      case isCancelled
    }
    // A cancellation after this check finds the sleeper in the list, because it takes the lock as well.
    let outcome = state.withLock { state -> Outcome in
      if Task.isCancelled { return .isCancelled }
      if sleeper.deadline <= state.now { return .isDue }
      state.sleepers.append(sleeper)
      return .sleeps(satisfied: state.satisfiedWatchers())
    }
    switch outcome {
    case .sleeps(let satisfied): for watcher in satisfied { watcher.continuation.resume() }
    case .isDue: sleeper.continuation.resume()
    case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func add(_ watcher: Watcher) {
    let isDone = state.withLock { state in
      if Task.isCancelled || state.sleepers.count >= watcher.count { return true }
      state.watchers.append(watcher)
      return false
    }
    if isDone { watcher.continuation.resume() }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  private func dismiss(_ id: Int) {
    let watcher = state.withLock { state -> Watcher? in
      guard let index = state.watchers.firstIndex(where: { $0.id == id }) else { return nil }
      return state.watchers.remove(at: index)
    }
    watcher?.continuation.resume()
  }
}
