// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

/// What an in-memory client holds; guarded by its lock.
struct InMemoryState: Sendable {
  struct Flag: Sendable {
    var variations: [String: Types.Variation]
    var served: String
    var isEnabled = true
  }

  struct Observer: Sendable {
    let featureKey: String
    let continuation: AsyncStream<Types.Variation>.Continuation
    var last: Types.Variation?
  }

  /// A variation on its way to an observer.
  typealias Delivery = (continuation: AsyncStream<Types.Variation>.Continuation, Types.Variation)

  var isReady: Bool
  var isClosed = false
  var flags: [String: Flag] = [:]
  var failures: [String: any Error] = [:]
  /// Variation keys by experiment.
  var forced: [Int: String] = [:]
  var dateModified = 0
  var record = ClientRecord()
  var updateHandler: HandedOver<Void>?
  var waiters = WaiterList()
  var observers: [Int: Observer] = [:]
  var nextObserver = 0
  var remote = RemoteAnswers()

  init(isReady: Bool) {
    self.isReady = isReady
  }

  /// The variation that is served of a flag.
  func variation(_ featureKey: String) throws -> Types.Variation {
    guard isReady, !isClosed else { throw KameleoonError.sdkNotReady }
    if let failure = failures[featureKey] { throw failure }
    guard let flag = flags[featureKey] else { throw KameleoonError.Feature.notFound(featureKey) }
    guard flag.isEnabled else {
      throw KameleoonError.Feature.environmentDisabled(featureKey, nil)
    }
    if let forced = forcedVariation(flag) { return forced }
    guard let variation = flag.variations[flag.served] else {
      throw KameleoonError.Feature.variationNotFound(featureKey, flag.served)
    }
    return variation
  }

  /// Whether a forced variation decides.
  func isForced(_ featureKey: String) -> Bool {
    flags[featureKey].flatMap { forcedVariation($0) } != nil
  }

  private func forcedVariation(_ flag: Flag) -> Types.Variation? {
    flag.variations.values.first { forced[$0.experimentId] == $0.key }
  }

  /// What observers get after a change.
  mutating func deliveries() -> [Delivery] {
    var deliveries: [Delivery] = []
    for (id, observer) in observers {
      // A flag that cannot be evaluated has no variation to hand out.
      guard let variation = try? variation(observer.featureKey), variation != observer.last else {
        continue
      }
      observers[id]?.last = variation
      deliveries.append((observer.continuation, variation))
    }
    return deliveries
  }
}

/// What remote calls are answered with.
struct RemoteAnswers: Sendable {
  var values: [String: String] = [:]
  var visitorData: [any KameleoonData] = []
  var audiences: [String: [String]] = [:]
  var failure: (any Error)?
}

/// A closure of the application on its way to the callback executor.
///
/// - Note: `@unchecked Sendable` is needed because the documented methods take closures that are not
///   `@Sendable`. It is safe because the caller hands the closure over and it is called on the client's
///   executor only, which the test has chosen.
struct HandedOver<Value>: @unchecked Sendable {
  let run: (Value) -> Void
}
