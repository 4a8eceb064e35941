// SPDX-License-Identifier: Apache-2.0

/// Who waits for a client to become ready, and what each of them is told.
///
/// A pure value. A wait is answered exactly once: whoever takes it out of the list answers it, and
/// nobody can take it out twice.
struct WaitList<Waiter: Sendable>: Sendable {
  /// What becomes of a new wait.
  enum Admission: Equatable {
    /// It is answered at once.
    case answered(Bool)
    /// It waits under a number.
    case waiting(Int)
  }

  /// The most waits at a time: a program that waits more often does not look at the answers.
  static var limit: Int { 10_000 }

  /// Whether there is a data file; once true for ever.
  private var isReady = false
  private var isClosed = false
  private var waiters: [Int: Waiter] = [:]
  private var nextNumber = 0

  /// How many wait.
  var count: Int { waiters.count }

  /// Adds a wait.
  ///
  /// - Parameters:
  ///   - waiter: who waits.
  ///   - isPatient: whether it waits at all: false for a time limit of zero.
  mutating func add(_ waiter: Waiter, isPatient: Bool) -> Admission {
    guard !isClosed else { return .answered(false) }
    if isReady { return .answered(true) }
    guard isPatient, waiters.count < Self.limit else { return .answered(false) }
    defer { nextNumber += 1 }
    waiters[nextNumber] = waiter
    return .waiting(nextNumber)
  }

  /// Whether a wait is not over.
  func isWaiting(_ number: Int) -> Bool { waiters[number] != nil }

  /// Takes a wait out, because its time has passed or its caller has given up; nil if it is over.
  mutating func remove(_ number: Int) -> Waiter? {
    waiters.removeValue(forKey: number)
  }

  /// There is a data file from now on: all waits are over, in the order of their beginning.
  mutating func becomeReady() -> [Waiter] {
    isReady = true
    return removeAll()
  }

  /// The fetch that all wait for has failed: they are told at once.
  mutating func reportNotReady() -> [Waiter] {
    isReady ? [] : removeAll()
  }

  /// Nobody waits from now on.
  mutating func close() -> [Waiter] {
    isClosed = true
    return removeAll()
  }

  private mutating func removeAll() -> [Waiter] {
    defer { waiters = [:] }
    return waiters.sorted { $0.key < $1.key }.map(\.value)
  }
}
