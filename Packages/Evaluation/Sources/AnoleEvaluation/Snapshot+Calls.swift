// SPDX-License-Identifier: Apache-2.0

public import AnoleModels
public import AnoleTargeting

/// What a call does with the assignments it makes.
public enum Saving: Sendable, Hashable {
  /// Nothing is saved.
  case none
  /// Assignments are saved as if they were sent: `track` is false.
  case silent
  /// Assignments are saved and their exposures wait to be sent.
  case tracked
}

extension Snapshot {
  /// Decides all flags in file order, saving as it goes, so that conditions of later flags see the
  /// assignments of earlier ones (section 3.11).
  ///
  /// Disabled flags, and flags blocked by refused consent, are left out.
  ///
  /// - Parameters:
  ///   - visitorCode: 1 to 255 Unicode scalars.
  ///   - record: what is known of the visitor; changed if `saving` says so.
  ///   - moment: the caller's time.
  ///   - saving: what happens to assignments.
  ///   - body: receives each decision.
  /// - Throws: ``EvaluationError/visitorCodeInvalid``.
  public func decideAll(
    visitorCode: String, record: inout VisitorRecord, at moment: Moment, saving: Saving,
    _ body: (Decision) -> Void
  ) throws(EvaluationError) {
    guard VisitorCode.isValid(visitorCode) else { throw .visitorCodeInvalid }
    var recorder = NoRecorder()
    var memo = SegmentMemo(count: segments.count)
    for position in flags.indices {
      let decision: Decision
      do throws(EvaluationError) {
        decision = try decide(position, visitorCode, record, moment, &memo, &recorder)
      } catch {
        continue  // The two causes are those that the call leaves out silently (section 3.1).
      }
      if saving != .none {
        save(decision, in: &record, at: moment.now, isTracked: saving == .tracked)
      }
      body(decision)
    }
  }

  /// Saves what a decision assigned (sections 3.3 and 3.4): the holdout's entry, and the outcome if
  /// its entry has an id.
  ///
  /// Simulated outcomes are never saved.
  public func save(
    _ decision: Decision, in record: inout VisitorRecord, at now: Timestamp, isTracked: Bool
  ) {
    if let holdout, let variationID = decision.holdoutVariationID {
      record.save(
        experimentID: holdout.experimentID, variationID: variationID, origin: .experimentation,
        at: now, isTracked: isTracked)
    }
    guard decision.reason != .simulated, let experimentID = decision.experimentID,
      let variationID = decision.variationID
    else { return }
    record.save(
      experimentID: experimentID, variationID: variationID, origin: decision.origin, at: now,
      isTracked: isTracked)
  }

  /// The ids of the audience segments a visitor is in, in file order (section 3.8).
  ///
  /// Holdout, groups, consent and environment play no role.
  public func audiences(
    visitorCode: String, record: VisitorRecord, at moment: Moment
  ) throws(EvaluationError) -> [Int64] {
    guard VisitorCode.isValid(visitorCode) else { throw .visitorCodeInvalid }
    let subject = TargetingSubject(visitorCode: visitorCode, record: record, moment: moment)
    return segments.audiences
      .filter { segments.matches(segmentAt: $0, subject) }
      .map(segments.id(at:))
  }

  /// A variation to force for an experiment (section 3.5); hand it to `VisitorRecord.force(_:)`.
  ///
  /// - Throws: ``EvaluationError/experimentNotFound(experimentID:)`` if no rule carries the
  ///   experiment, ``EvaluationError/variationNotFound(variationKey:)`` if its split lacks the key.
  public func forcedVariation(
    experimentID: Int64, variationKey: String, isTargetingForced: Bool = true
  ) throws(EvaluationError) -> ForcedVariation {
    // Of several rules with one experiment id the last counts (section 8.2).
    guard let rule = rules.last(where: { $0.experimentID == experimentID }) else {
      throw .experimentNotFound(experimentID: experimentID)
    }
    let position = rule.entries.first {
      keys[Int(entries[Int($0)].served.key)].hasSameBytes(as: variationKey)
    }
    guard let position else { throw .variationNotFound(variationKey: variationKey) }
    var entry = SplitEntry()
    entry.variationKey = variationKey
    entry.variationID = entries[Int(position)].variationID
    entry.exposition = entries[Int(position)].exposition
    return ForcedVariation(
      experimentID: experimentID, entry: entry, isTargetingForced: isTargetingForced)
  }

  // MARK: - Handing out

  /// The key of the flag a decision is about.
  public func featureKey(of decision: Decision) -> String { key(of: flags[Int(decision.flag)]) }

  /// The variation of a decision, with name and variables.
  ///
  /// If the flag has no variation with the key, name and variables are empty.
  public func variation(of decision: Decision) -> Variation {
    let source = decision.variation >= 0 ? flagVariation(Int(decision.variation)) : nil
    return Variation(
      key: decision.variationKey, name: source?.name ?? "", id: decision.variationID,
      experimentID: decision.experimentID, variables: source?.variables ?? [])
  }

  /// The variation of a flag by its key, without a visitor.
  ///
  /// - Throws: ``EvaluationError``: no flag has the key, the flag is switched off, or it has no
  ///   such variation.
  public func variation(
    _ variationKey: String, ofFlag featureKey: String
  ) throws(EvaluationError) -> Variation {
    guard let position = table.find(featureKey) else {
      throw .featureNotFound(featureKey: featureKey)
    }
    guard flags[position].isEnvironmentEnabled else {
      throw .environmentDisabled(featureKey: featureKey)
    }
    let own = dataFile.featureFlags[Int(flags[position].source)].variations
    guard let source = own.first(where: { $0.key.hasSameBytes(as: variationKey) }) else {
      throw .variationNotFound(variationKey: variationKey)
    }
    return Variation(source, id: nil, experimentID: nil)
  }

  /// All flags without a visitor, disabled ones included (section 3.9).
  ///
  /// Build it once a data file.
  public func overview() -> [FlagOverview] {
    flags.map { flag in
      let source = dataFile.featureFlags[Int(flag.source)]
      let rules = rules[Int(flag.rules.lowerBound)..<Int(flag.rules.upperBound)]
      return FlagOverview(
        key: source.key, isEnvironmentEnabled: source.isEnvironmentEnabled,
        defaultVariationKey: source.defaultVariationKey,
        variations: source.variations.map { Variation($0, id: nil, experimentID: nil) },
        rules: rules.map(overview(of:)))
    }
  }

  private func overview(of rule: CompiledRule) -> [Variation] {
    rule.entries.compactMap { position in
      let entry = entries[Int(position)]
      guard entry.served.variation >= 0 else { return nil }
      return Variation(
        flagVariation(Int(entry.served.variation)), id: entry.variationID,
        experimentID: rule.experimentID)
    }
  }

  private func flagVariation(_ position: Int) -> FlagVariation {
    let place = variations[position]
    return dataFile.featureFlags[Int(place.flag)].variations[Int(place.position)]
  }
}

extension Variation {
  fileprivate init(_ source: FlagVariation, id: Int64?, experimentID: Int64?) {
    self.init(
      key: source.key, name: source.name, id: id, experimentID: experimentID,
      variables: source.variables)
  }
}
