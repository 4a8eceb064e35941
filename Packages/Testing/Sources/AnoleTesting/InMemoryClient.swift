// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
public import kameleoonClient

/// A client without network, store and clock, whose flags a test sets and whose use it looks at.
///
/// It keeps the contract of `KameleoonClient` as far as it is visible to an application: errors,
/// readiness, callbacks once each. It evaluates nothing: it serves what it is told to.
///
/// Threading: any thread may call any member. Callbacks run on the executor; by default at once, on the
/// thread that causes them.
public final class InMemoryClient: AnoleClient {
  /// The visitor's code.
  public let visitorCode: String

  let state: Lock<InMemoryState>
  let executor: any CallbackExecutor

  /// Makes a client without flags.
  ///
  /// - Parameters:
  ///   - visitorCode: The visitor's code.
  ///   - isReady: Whether it is ready from the start; otherwise ``becomeReady()`` makes it so.
  ///   - executor: Where callbacks run.
  public init(
    visitorCode: String = "test-visitor", isReady: Bool = true,
    executor: any CallbackExecutor = InlineCallbackExecutor()
  ) {
    self.visitorCode = visitorCode
    self.executor = executor
    state = Lock(InMemoryState(isReady: isReady))
  }

  /// What code under test did with the client so far.
  public var record: ClientRecord { state.withLock { $0.record } }

  /// Forgets what was done so far.
  public func clearRecord() {
    state.withLock { $0.record = ClientRecord() }
  }

  func change(_ body: (inout InMemoryState) -> Void) {
    let deliveries = state.withLock { state in
      body(&state)
      return state.deliveries()
    }
    for (continuation, variation) in deliveries { continuation.yield(variation) }
  }
}
