// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import kameleoonClient

extension InMemoryClient {
  /// Whether the client is ready.
  public var ready: Bool { state.withLock { $0.isReady && !$0.isClosed } }

  /// Waits until the client is ready, or ``timeOutWaits()`` or ``close()`` is called.
  ///
  /// - Parameters:
  ///   - timeoutMilliseconds: Written down; no time passes.
  ///   - callback: Receives whether the client is ready, once, on the executor.
  public func runWhenReady(timeoutMilliseconds: Int, callback: @escaping (Bool) -> Void) {
    let handedOver = HandedOver(run: callback)
    let known = state.withLock { state -> Bool? in
      state.record.waits.append(timeoutMilliseconds < 0 ? nil : timeoutMilliseconds)
      if state.isClosed { return false }
      if state.isReady { return true }
      state.waiters.add(.callback(handedOver))
      return nil
    }
    if let known { executor.execute { handedOver.run(known) } }
  }

  /// Waits until the client is ready, or ``timeOutWaits()`` or ``close()`` is called.
  ///
  /// - Parameter timeoutMilliseconds: Written down; no time passes.
  /// - Throws: `KameleoonError.sdkNotReady`; `CancellationError` when the task is cancelled.
  public func runWhenReady(timeoutMilliseconds: Int) async throws {
    let id = state.withLock { state in
      state.record.waits.append(timeoutMilliseconds < 0 ? nil : timeoutMilliseconds)
      return state.waiters.makeID()
    }
    let isReady = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, $0) }
    } onCancel: {
      state.withLock { $0.waiters.take(id) }?.resume(throwing: CancellationError())
    }
    guard isReady else { throw KameleoonError.sdkNotReady }
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<Bool, any Error>) {
    enum Outcome {
      case known(Bool)
      case waits
      case isCancelled
    }
    // A cancellation after this check finds the waiter in the list, because it takes the lock as well.
    let outcome = state.withLock { state -> Outcome in
      if Task.isCancelled { return .isCancelled }
      if state.isClosed { return .known(false) }
      if state.isReady { return .known(true) }
      state.waiters.add(.task(id: id, continuation))
      return .waits
    }
    switch outcome {
    case .known(let isReady): continuation.resume(returning: isReady)
    case .waits: break
    case .isCancelled: continuation.resume(throwing: CancellationError())
    }
  }

  func finishWaits(isReady: Bool) {
    for waiter in state.withLock({ $0.waiters.takeAll() }) {
      switch waiter {
      case .callback(let handedOver): executor.execute { handedOver.run(isReady) }
      case .task(_, let continuation): continuation.resume(returning: isReady)
      }
    }
  }
}
