// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import AnoleTracking

// Reading flags: evaluation specification, section 3.

extension Client {
  func getVariation(featureKey: String, track: Bool) throws -> Types.Variation {
    let (snapshot, decision) = try decide(featureKey, track: track)
    return snapshot.variation(of: decision)
  }

  func isFeatureActive(featureKey: String, track: Bool) throws -> Bool {
    do {
      return try decide(featureKey, track: track).decision.isActive
    } catch KameleoonError.Feature.environmentDisabled {
      return false
    }
  }

  func getVariations(onlyActive: Bool, track: Bool) throws -> [String: Types.Variation] {
    let (snapshot, utcOffset) = try project()
    let variations = decideAll(
      snapshot, utcOffset, onlyActive: onlyActive, saving: track ? .tracked : .silent)
    if track { engine.tracker.enqueue(visitorCode) }
    return variations
  }

  func evaluateAudiences() throws {
    let (snapshot, utcOffset) = try project()
    let now = self.now
    let moment = Moment(now: now, utcOffsetSeconds: utcOffset)
    let segments = try mapped(featureKey: "") { () throws(EvaluationError) in
      try snapshot.evaluation.audiences(
        visitorCode: visitorCode, record: record(at: now), at: moment)
    }
    change { record, _ in
      for id in segments { record.add(targetedSegment: id) }
    }
    engine.tracker.enqueue(visitorCode)
  }

  func setForcedVariation(
    experimentId: Int, variationKey: String?, forceTargeting: Bool
  ) throws {
    let (snapshot, _) = try project()
    let experimentID = Int64(experimentId)
    if let variationKey {
      let forced: ForcedVariation
      do throws(EvaluationError) {
        forced = try snapshot.evaluation.forcedVariation(
          experimentID: experimentID, variationKey: variationKey,
          isTargetingForced: forceTargeting)
      } catch {
        throw publicError(error, owner: "\(experimentId)")
      }
      change { record, _ in record.force(forced) }
    } else {
      change { record, _ in record.removeForcedVariation(experimentID: experimentID) }
    }
    reportChanges()
  }

  func getDataFile() throws -> Types.DataFile { try project().snapshot.dataFile }

  // MARK: - Deprecated

  func getFeatureList() -> [String] { snapshot?.evaluation.featureKeys ?? [] }

  func getFeatureVariationKey(featureKey: String) throws -> String {
    try decide(featureKey, track: true).decision.variationKey
  }

  func getActiveFeatureList() -> [String] { Array(getActiveFeatures().keys) }

  func getActiveFeatures() -> [String: Types.Variation] {
    // The method cannot throw; without a data file there are no variations.
    guard let (snapshot, utcOffset) = try? project() else { return [:] }
    return decideAll(snapshot, utcOffset, onlyActive: true, saving: .none)
  }

  func getFeatureVariable(featureKey: String, variableKey: String) throws -> Any? {
    let variation = try getVariation(featureKey: featureKey, track: true)
    guard let variable = variation.variables[variableKey] else {
      throw KameleoonError.Feature.variableNotFound(featureKey, variation.key, variableKey)
    }
    return variable.value
  }

  func getFeatureVariationVariables(
    featureKey: String, variationKey: String
  ) throws -> [String: Any] {
    let (snapshot, _) = try project()
    let variation = try mapped(featureKey: featureKey) { () throws(EvaluationError) in
      try snapshot.evaluation.variation(variationKey, ofFlag: featureKey)
    }
    return Types.Variation(variation).variables.compactMapValues(\.value)
  }

  // MARK: - Deciding

  /// Decides one flag, saves the assignment, and queues the visitor if the exposure is reported.
  private func decide(
    _ featureKey: String, track: Bool
  ) throws -> (snapshot: ProjectSnapshot, decision: Decision) {
    let (snapshot, utcOffset) = try project()
    let now = self.now
    let moment = Moment(now: now, utcOffsetSeconds: utcOffset)
    let evaluation = snapshot.evaluation
    let hasHoldout = snapshot.hasHoldout
    do throws(EvaluationError) {
      let (decision, dirty) = try slot.decide { (record) throws(EvaluationError) in
        if expires { engine.keeper.expire(&record, at: now) }
        let decision = try evaluation.decide(
          featureKey, visitorCode: visitorCode, record: record, at: moment)
        // Reading a flag again without tracking brings nothing that has to be written.
        let hasNews = track || hasHoldout || !record.knows(decision)
        evaluation.save(decision, in: &record, at: now, isTracked: track)
        return (decision, hasNews)
      }
      if let dirty { engine.visitors.noteDirty(dirty) }
      if track { engine.tracker.enqueue(visitorCode) }
      return (snapshot, decision)
    } catch {
      throw publicError(error, owner: featureKey)
    }
  }

  /// Decides all flags in file order, each on what was saved for those before it.
  private func decideAll(
    _ snapshot: ProjectSnapshot, _ utcOffset: Int, onlyActive: Bool, saving: Saving
  ) -> [String: Types.Variation] {
    let now = self.now
    let moment = Moment(now: now, utcOffsetSeconds: utcOffset)
    let evaluation = snapshot.evaluation
    let keys = snapshot.featureKeys
    let (variations, dirty) = slot.decide { record in
      if expires { engine.keeper.expire(&record, at: now) }
      var variations: [String: Types.Variation] = [:]
      variations.reserveCapacity(keys.count)
      // The only error is an invalid visitor code, which no client has.
      try? evaluation.decideAll(
        visitorCode: visitorCode, record: &record, at: moment, saving: saving
      ) { decision in
        guard !onlyActive || decision.isActive else { return }
        variations[keys[decision.flagPosition]] = snapshot.variation(of: decision)
      }
      return (variations, saving != .none)
    }
    if let dirty { engine.visitors.noteDirty(dirty) }
    return variations
  }

  // MARK: - Errors

  /// Runs a call of the evaluator with the errors of the public interface.
  private func mapped<Result>(
    featureKey: String, _ body: () throws(EvaluationError) -> Result
  ) throws -> Result {
    do throws(EvaluationError) {
      return try body()
    } catch {
      throw publicError(error, owner: featureKey)
    }
  }

  /// The error of the public interface (API specification, section 2.3).
  ///
  /// - Parameters:
  ///   - error: why the evaluation failed.
  ///   - owner: the flag or experiment that was asked for.
  func publicError(_ error: EvaluationError, owner: String) -> any Error {
    switch error {
    case .visitorCodeInvalid: KameleoonError.visitorCodeInvalid(visitorCode)
    case .featureNotFound(let key): KameleoonError.Feature.notFound(key)
    case .environmentDisabled(let key), .blockedByConsent(let key):
      KameleoonError.Feature.environmentDisabled(key, engine.settings.environment)
    case .variationNotFound(let key): KameleoonError.Feature.variationNotFound(owner, key)
    case .variableNotFound(let key): KameleoonError.Feature.variableNotFound(owner, "", key)
    case .experimentNotFound(let id): KameleoonError.Feature.experimentNotFound(Int(id))
    }
  }
}

extension VisitorRecord {
  /// Whether the assignment of a decision, if it has one, is stored already; a holdout aside.
  @inline(__always)
  fileprivate func knows(_ decision: Decision) -> Bool {
    guard let experimentID = decision.experimentID, let variationID = decision.variationID else {
      return true
    }
    guard let assignment = assignments[experimentID] else { return false }
    return assignment.variationID == variationID && assignment.time >= visitStart
  }
}
