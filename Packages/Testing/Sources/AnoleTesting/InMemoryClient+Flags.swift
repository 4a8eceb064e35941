// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
public import kameleoonClient

extension InMemoryClient {
  /// Whether the variation that is served of a flag is another than `off`.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - track: Whether the exposure is written down.
  /// - Throws: `sdkNotReady`, `Feature.notFound`, or the error set for the flag.
  public func isFeatureActive(featureKey: String, track: Bool) throws -> Bool {
    do {
      return try getVariation(featureKey: featureKey, track: track).key != "off"
    } catch KameleoonError.Feature.environmentDisabled {
      return false
    }
  }

  /// The variation that is served of a flag.
  ///
  /// - Parameters:
  ///   - featureKey: The flag's key.
  ///   - track: Whether the exposure is written down.
  /// - Throws: `sdkNotReady`, `Feature.notFound`, `Feature.environmentDisabled`, or the error set for the
  ///   flag.
  public func getVariation(featureKey: String, track: Bool) throws -> Types.Variation {
    try state.withLock { state in
      state.record.readFlags.append(featureKey)
      let variation = try state.variation(featureKey)
      if track { state.recordExposure(featureKey, variation) }
      return variation
    }
  }

  /// The variations that are served of all flags that can be read.
  ///
  /// - Parameters:
  ///   - onlyActive: Whether those that are `off` are left out.
  ///   - track: Whether the exposures are written down, in the order of the keys.
  /// - Throws: `sdkNotReady`.
  public func getVariations(
    onlyActive: Bool, track: Bool
  ) throws -> [String: Types.Variation] {
    try state.withLock { state in
      guard state.isReady, !state.isClosed else { throw KameleoonError.sdkNotReady }
      var result: [String: Types.Variation] = [:]
      for key in state.flags.keys.sorted() {
        state.record.readFlags.append(key)
        // Flags that cannot be read are left out, as the documentation says.
        guard let variation = try? state.variation(key) else { continue }
        if track { state.recordExposure(key, variation) }
        if !onlyActive || variation.key != "off" { result[key] = variation }
      }
      return result
    }
  }

  /// Serves a variation of an experiment, in every flag that has a variation of it.
  ///
  /// - Parameters:
  ///   - experimentId: The id that a variation was set with.
  ///   - variationKey: The key of that variation; nil to end it.
  ///   - forceTargeting: Written down.
  /// - Throws: `sdkNotReady`, `Feature.experimentNotFound`, `Feature.variationNotFound`.
  public func setForcedVariation(
    experimentId: Int, variationKey: String?, forceTargeting: Bool
  ) throws {
    let deliveries = try state.withLock { state in
      guard state.isReady, !state.isClosed else { throw KameleoonError.sdkNotReady }
      state.record.forcings.append(
        ClientRecord.Forcing(
          experimentId: experimentId, variationKey: variationKey,
          forceTargeting: forceTargeting))
      if let variationKey { try state.checkExperiment(experimentId, variationKey) }
      state.forced[experimentId] = variationKey
      return state.deliveries()
    }
    for (continuation, variation) in deliveries { continuation.yield(variation) }
  }

  /// Counts the call.
  ///
  /// - Throws: `sdkNotReady`.
  public func evaluateAudiences() throws {
    try state.withLock { state in
      guard state.isReady, !state.isClosed else { throw KameleoonError.sdkNotReady }
      state.record.audienceEvaluations += 1
    }
  }

  /// The flags that were set; each has one rule, which serves its variations.
  ///
  /// - Throws: `sdkNotReady`.
  public func getDataFile() throws -> Types.DataFile {
    try state.withLock { state in
      guard state.isReady, !state.isClosed else { throw KameleoonError.sdkNotReady }
      let flags = state.flags.mapValues { flag in
        Types.FeatureFlag(
          environmentEnabled: flag.isEnabled, defaultVariationKey: flag.served,
          variations: flag.variations, rules: [Types.Rule(variations: flag.variations)])
      }
      return Types.DataFile(featureFlags: flags, dateModified: state.dateModified)
    }
  }
}

extension InMemoryState {
  fileprivate mutating func recordExposure(_ featureKey: String, _ variation: Types.Variation) {
    record.exposures.append(
      ClientRecord.Exposure(featureKey: featureKey, variationKey: variation.key))
  }

  fileprivate func checkExperiment(_ experimentId: Int, _ variationKey: String) throws {
    let variations = flags.values.flatMap { $0.variations.values }
      .filter { $0.experimentId == experimentId }
    guard !variations.isEmpty else {
      throw KameleoonError.Feature.experimentNotFound(experimentId)
    }
    guard variations.contains(where: { $0.key == variationKey }) else {
      throw KameleoonError.Feature.variationNotFound("\(experimentId)", variationKey)
    }
  }
}
