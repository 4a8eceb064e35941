// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
public import kameleoonClient

extension InMemoryClient {
  /// The variation that is served of a flag, without trace.
  ///
  /// The reason is `forced`, `experiment` for a variation with an experiment's id, `noRuleApplied` for
  /// others.
  ///
  /// - Parameter featureKey: The flag's key.
  /// - Throws: As ``getVariation(featureKey:track:)``.
  public func decision(featureKey: String) throws -> FlagDecision {
    try state.withLock { state in
      let variation = try state.variation(featureKey)
      let reason: FlagDecision.Reason =
        if state.isForced(featureKey) {
          .forced
        } else if variation.experimentId >= 0 {
          .experiment
        } else {
          .noRuleApplied
        }
      return FlagDecision(featureKey: featureKey, variation: variation, reason: reason)
    }
  }

  /// The variation that is served of a flag, now and whenever it is set to another.
  ///
  /// - Parameter featureKey: The flag's key.
  /// - Returns: A sequence for one consumer, which keeps the newest element only; it ends with
  ///   ``close()``.
  public func changes(of featureKey: String) -> AsyncStream<Types.Variation> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Types.Variation.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      defer { state.nextObserver += 1 }
      state.observers[state.nextObserver] = InMemoryState.Observer(
        featureKey: featureKey, continuation: continuation)
      return state.nextObserver
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers[id] = nil }
    }
    change { _ in }
    return stream
  }

  /// Always the default data file, once the client is ready: the flags are given in code.
  public var dataFileOrigin: DataFileOrigin? { ready ? .defaultDataFile : nil }

  /// Readiness and origin; there are no connections and no reports.
  public var health: ClientHealth {
    get async {
      let isClosed = state.withLock { $0.isClosed }
      return ClientHealth(isReady: ready, isClosed: isClosed, dataFileOrigin: dataFileOrigin)
    }
  }

  /// Ends the client: those who wait are told, sequences end, calls fail with `sdkNotReady`.
  public func close() async {
    let observers = state.withLock { state in
      state.isClosed = true
      state.updateHandler = nil
      defer { state.observers = [:] }
      return state.observers
    }
    finishWaits(isReady: false)
    for observer in observers.values { observer.continuation.finish() }
  }
}
