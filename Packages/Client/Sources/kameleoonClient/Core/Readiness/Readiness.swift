// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Lets callers wait, with a limit, until there is a data file.
///
/// Any thread may call. Answers are given outside of the lock, on the thread that brings them about.
final class Readiness: Sendable {
  /// Is told once how a wait ended.
  typealias Answer = @Sendable (Bool) -> Void

  private struct State: Sendable {
    var list = WaitList<Answer>()
    /// What ends each wait at its time limit, by the wait's number.
    var timers: [Int: Task<Void, Never>] = [:]

    mutating func takeTimers() -> [Task<Void, Never>] {
      defer { timers = [:] }
      return Array(timers.values)
    }
  }

  private let state = Lock(State())
  private let time: TimeSource

  init(time: TimeSource) {
    self.time = time
  }

  /// How many callers wait.
  var waiterCount: Int { state.withLock { $0.list.count } }

  /// Waits.
  ///
  /// - Parameters:
  ///   - timeout: how long; zero and less ask for the present state.
  ///   - answer: is told the end, possibly before this returns.
  /// - Returns: the wait's number, for ``giveUp(_:)``; nil if it is over.
  @discardableResult
  func wait(timeout: Duration, answer: @escaping Answer) -> Int? {
    let admission = state.withLock { $0.list.add(answer, isPatient: timeout > .zero) }
    switch admission {
    case .answered(let isReady):
      answer(isReady)
      return nil
    case .waiting(let number):
      startTimer(of: number, timeout: timeout)
      return number
    }
  }

  /// Waits in a task.
  ///
  /// - Returns: whether there is a data file.
  /// - Throws: `CancellationError` when the task is cancelled.
  func wait(timeout: Duration) async throws -> Bool {
    let outcome = Lock(CancellableWait())
    let isReady = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let number = wait(timeout: timeout) { continuation.resume(returning: $0) }
        let isCancelled = outcome.withLock { $0.began(number) }
        if isCancelled, let number { giveUp(number) }
      }
    } onCancel: {
      if let number = outcome.withLock({ $0.cancel() }) { giveUp(number) }
    }
    try Task.checkCancellation()
    return isReady
  }

  /// Ends a wait before its time with the answer false, or does nothing if it is over.
  func giveUp(_ number: Int) {
    let (answer, timer) = state.withLock { state in
      (state.list.remove(number), state.timers.removeValue(forKey: number))
    }
    timer?.cancel()
    answer?(false)
  }

  /// There is a data file: everybody is told.
  func becomeReady() {
    end(true) { $0.becomeReady() }
  }

  /// There is none, and the fetch has failed: everybody is told.
  func reportNotReady() {
    end(false) { $0.reportNotReady() }
  }

  /// Ends all waits; later ones are answered at once.
  func close() {
    end(false) { $0.close() }
  }

  private func end(_ isReady: Bool, _ change: @Sendable (inout WaitList<Answer>) -> [Answer]) {
    let (answers, timers) = state.withLock { state in
      let answers = change(&state.list)
      return (answers, state.list.count == 0 ? state.takeTimers() : [])
    }
    for timer in timers { timer.cancel() }
    for answer in answers { answer(isReady) }
  }

  private func startTimer(of number: Int, timeout: Duration) {
    let timer = Task { [weak self, time] in
      // Cancelled: the wait is over already.
      guard (try? await time.sleep(for: timeout)) != nil else { return }
      self?.giveUp(number)
    }
    let isOver = state.withLock { state in
      guard state.list.isWaiting(number) else { return true }
      state.timers[number] = timer
      return false
    }
    if isOver { timer.cancel() }
  }
}

/// Brings together the number of a wait and a cancellation, whichever comes first.
private struct CancellableWait: Sendable {
  private var number: Int?
  private var isCancelled = false

  /// Notes the number; true if the task was cancelled before.
  mutating func began(_ number: Int?) -> Bool {
    self.number = number
    return isCancelled
  }

  /// Notes the cancellation; the number of the wait to give up, if it has begun.
  mutating func cancel() -> Int? {
    isCancelled = true
    return number
  }
}
