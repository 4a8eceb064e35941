// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
public import AnoleModels
public import AnoleTargeting

extension Snapshot {
  /// What a visitor gets of a flag (section 3.3).
  ///
  /// Pure: nothing is saved.
  ///
  /// - Parameters:
  ///   - featureKey: the flag.
  ///   - visitorCode: 1 to 255 Unicode scalars.
  ///   - record: what is known of the visitor.
  ///   - moment: the caller's time; only conditions on visits look at it.
  /// - Throws: ``EvaluationError``: the visitor code is invalid, no flag has the key, the flag is
  ///   switched off, or refused consent blocks it.
  public func decide(
    _ featureKey: String, visitorCode: String, record: VisitorRecord, at moment: Moment
  ) throws(EvaluationError) -> Decision {
    let position = try position(ofFlag: featureKey, visitorCode: visitorCode)
    var recorder = NoRecorder()
    var memo = SegmentMemo()
    return try decide(position, visitorCode, record, moment, &memo, &recorder)
  }

  /// Decides like ``decide(_:visitorCode:record:at:)`` and tells every step.
  ///
  /// - Returns: the trace; a failed evaluation is told in its ``DecisionTrace/failure``.
  /// - Throws: ``EvaluationError`` if the visitor code is invalid or no flag has the key.
  public func explain(
    _ featureKey: String, visitorCode: String, record: VisitorRecord, at moment: Moment
  ) throws(EvaluationError) -> DecisionTrace {
    let position = try position(ofFlag: featureKey, visitorCode: visitorCode)
    return explain(position, featureKey, visitorCode, record, moment).trace
  }

  /// Decides like ``decide(_:visitorCode:record:at:)``, and tells every step of that evaluation like
  /// ``explain(_:visitorCode:record:at:)``.
  ///
  /// - Throws: ``EvaluationError`` in the same cases as ``decide(_:visitorCode:record:at:)``.
  public func decideExplaining(
    _ featureKey: String, visitorCode: String, record: VisitorRecord, at moment: Moment
  ) throws(EvaluationError) -> (decision: Decision, trace: DecisionTrace) {
    let position = try position(ofFlag: featureKey, visitorCode: visitorCode)
    let (result, trace) = explain(position, featureKey, visitorCode, record, moment)
    return (try result.get(), trace)
  }

  private func explain(
    _ position: Int, _ featureKey: String, _ visitorCode: String, _ record: VisitorRecord,
    _ moment: Moment
  ) -> (result: Result<Decision, EvaluationError>, trace: DecisionTrace) {
    let state =
      switch record.consent {
      case .unknown: "unknown"
      case .given: "given"
      case .refused: "refused"
      }
    let consent = DecisionTrace.Consent(
      isRequired: dataFile.configuration.isConsentRequired, state: state,
      blocksFully: dataFile.configuration.consentOptOutBehavior == .fullyBlock)
    var recorder = TraceRecorder(
      trace: DecisionTrace(featureKey: featureKey, visitorCode: visitorCode, consent: consent))
    var memo = SegmentMemo()
    do throws(EvaluationError) {
      let decision = try decide(position, visitorCode, record, moment, &memo, &recorder)
      recorder.trace.outcome = DecisionTrace.Outcome(
        variationKey: decision.variationKey, variationID: decision.variationID,
        experimentID: decision.experimentID, reason: decision.reason)
      return (.success(decision), recorder.trace)
    } catch {
      recorder.trace.failure = error.description
      return (.failure(error), recorder.trace)
    }
  }

  @inline(__always)
  func position(
    ofFlag featureKey: String, visitorCode: String
  ) throws(EvaluationError) -> Int {
    guard VisitorCode.isValid(visitorCode) else { throw .visitorCodeInvalid }
    guard let position = table.find(featureKey) else {
      throw .featureNotFound(featureKey: featureKey)
    }
    return position
  }

  // MARK: - The pipeline of section 3.3

  func decide<Watch: Recorder>(
    _ position: Int, _ visitorCode: String, _ record: VisitorRecord, _ moment: Moment,
    _ memo: inout SegmentMemo, _ recorder: inout Watch
  ) throws(EvaluationError) -> Decision {
    let flag = flags[position]
    if record.hasProfile, let simulated = simulate(position, record) {
      recorder.record { $0.isSimulated = true }
      return simulated
    }
    guard flag.isEnvironmentEnabled else {
      recorder.record { $0.isEnvironmentEnabled = false }
      throw .environmentDisabled(featureKey: key(of: flag))
    }
    let hashKey = hashKey(flag, visitorCode, record, &recorder)
    var holdoutVariationID: Int64?
    if let holdout {
      let stay = try evaluate(holdout, hashKey, flag, record, &recorder)
      holdoutVariationID = stay.variationID
      if stay.isInHoldout { return serveDefault(position, .inHoldout, holdoutVariationID) }
    }
    if flag.group >= 0, !isPicked(flag, hashKey, &recorder) {
      return serveDefault(position, .excludedByGroup, holdoutVariationID)
    }
    let outcome = try evaluateRules(
      of: flag, hashKey, visitorCode, record, moment, &memo, &recorder)
    switch outcome {
    case .nothing(let reason): return serveDefault(position, reason, holdoutVariationID)
    case .entry(let entry, let rule, let reason):
      return serve(
        entries[Int(entry)], of: position, rule: rules[Int(rule)], reason, holdoutVariationID)
    case .forced(let forced, let rule):
      return serve(forced, of: position, rule: rules[Int(rule)], holdoutVariationID)
    }
  }

  /// The text that is hashed (section 3.2).
  private func hashKey<Watch: Recorder>(
    _ flag: CompiledFlag, _ visitorCode: String, _ record: VisitorRecord,
    _ recorder: inout Watch
  ) -> String {
    var key = visitorCode
    var source = DecisionTrace.HashKeySource.visitorCode
    if let box = record.box {
      if let mapping = box.profile.mappingIdentifier {
        key = mapping
        source = .mappingIdentifier
      }
      if let index = flag.bucketingIndex,
        let value = box.profile.customDatum(at: index)?.first
      {
        key = value.text.string
        source = .customData
      }
    }
    if Watch.isOn {
      recorder.record { trace in
        trace.hashKey = key
        trace.hashKeySource = source
      }
    }
    return key
  }

  /// The holdout (section 3.4).
  private func evaluate<Watch: Recorder>(
    _ holdout: CompiledHoldout, _ hashKey: String, _ flag: CompiledFlag, _ record: VisitorRecord,
    _ recorder: inout Watch
  ) throws(EvaluationError) -> (isInHoldout: Bool, variationID: Int64?) {
    if isConsentRefused(record), blocksFully {
      throw .blockedByConsent(featureKey: key(of: flag))
    }
    let value = hash(hashKey, holdout.suffix)
    let chosen = choose(value, holdout.entries)
    let isIn = chosen.map { keys[Int(entries[$0].served.key)] == Holdout.inHoldoutKey } ?? false
    if Watch.isOn {
      recorder.record { trace in
        trace.holdout = DecisionTrace.Holdout(
          experimentID: holdout.experimentID, hash: describe(hashKey, holdout.suffix, value),
          ranges: describe(holdout.entries, chosen: chosen), isInHoldout: isIn)
      }
    }
    return (isIn, chosen.flatMap { entries[$0].variationID })
  }

  /// Whether the flag is the one of its mutually exclusive group that may be evaluated.
  private func isPicked<Watch: Recorder>(
    _ flag: CompiledFlag, _ hashKey: String, _ recorder: inout Watch
  ) -> Bool {
    let group = groups[Int(flag.group)]
    let count = group.members.count
    let value = count > 1 ? hash(hashKey, group.suffix) : 0
    let picked = count > 1 ? Split.partition(of: value, into: count) : 0
    if Watch.isOn {
      recorder.record { trace in
        let members = group.members.map { key(of: flags[Int($0)]) }
        trace.group = DecisionTrace.Group(
          name: dataFile.featureFlags[Int(flag.source)].mutuallyExclusiveGroup ?? "",
          members: members, hash: count > 1 ? describe(hashKey, group.suffix, value) : nil,
          picked: members[picked])
      }
    }
    return picked == Int(flag.rank)
  }

  // MARK: - Small questions

  func key(of flag: CompiledFlag) -> String { dataFile.featureFlags[Int(flag.source)].key }

  func isConsentRefused(_ record: VisitorRecord) -> Bool {
    dataFile.configuration.isConsentRequired && record.consent == .refused
  }

  var blocksFully: Bool { dataFile.configuration.consentOptOutBehavior == .fullyBlock }

  /// The bucketing value of a key and a stored suffix.
  @inline(__always)
  func hash(_ key: String, _ suffix: Suffix) -> Double {
    key.withContiguousBytes { key in
      arena.withUnsafeBufferPointer { arena in
        BucketHash.value(key: key, suffix: Self.bytes(of: suffix, in: arena))
      }
    }
  }

  /// Two bucketing values of one key at once.
  @inline(__always)
  func hashes(_ key: String, _ first: Suffix, _ second: Suffix) -> (first: Double, second: Double) {
    key.withContiguousBytes { key in
      arena.withUnsafeBufferPointer { arena in
        BucketHash.values(
          key: key, first: Self.bytes(of: first, in: arena),
          second: Self.bytes(of: second, in: arena))
      }
    }
  }

  @inline(__always)
  private static func bytes(
    of suffix: Suffix, in arena: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      rebasing: arena[Int(suffix.offset)..<Int(suffix.offset) + Int(suffix.length)])
  }

  /// The entry of a split that a value falls into (section 2.2).
  @inline(__always)
  func choose(_ value: Double, _ split: Range<Int32>) -> Int? {
    let first = Int(split.lowerBound)
    return Split.index(of: value, count: split.count) { entries[first + $0].exposition }
      .map { first + $0 }
  }

  // MARK: - Results

  func serveDefault(
    _ position: Int, _ reason: Decision.Reason, _ holdoutVariationID: Int64?
  ) -> Decision {
    let served = flags[position].defaultVariation
    return Decision(
      flag: Int32(position), variation: served.variation, origin: .other,
      holdoutVariationID: holdoutVariationID, variationKey: keys[Int(served.key)],
      variationID: nil, experimentID: nil, ruleID: nil, reason: reason)
  }

  func serve(
    _ entry: CompiledEntry, of position: Int, rule: CompiledRule, _ reason: Decision.Reason,
    _ holdoutVariationID: Int64?
  ) -> Decision {
    Decision(
      flag: Int32(position), variation: entry.served.variation, origin: rule.origin,
      holdoutVariationID: holdoutVariationID, variationKey: keys[Int(entry.served.key)],
      variationID: entry.variationID, experimentID: rule.experimentID, ruleID: rule.id,
      reason: reason)
  }

  /// A forced entry may stem from an earlier data file, so that its key is looked up now.
  private func serve(
    _ forced: SplitEntry, of position: Int, rule: CompiledRule, _ holdoutVariationID: Int64?
  ) -> Decision {
    let source = flags[position].source
    let variation = variations.firstIndex {
      $0.flag == source && keys[Int($0.key)].hasSameBytes(as: forced.variationKey)
    }
    return Decision(
      flag: Int32(position), variation: variation.map(Int32.init) ?? -1, origin: rule.origin,
      holdoutVariationID: holdoutVariationID, variationKey: forced.variationKey,
      variationID: forced.variationID, experimentID: rule.experimentID, ruleID: rule.id,
      reason: .forced)
  }

  /// A simulated variation of the flag that can be resolved (section 3.6); it bypasses everything.
  private func simulate(_ position: Int, _ record: VisitorRecord) -> Decision? {
    guard let simulated = record.box?.profile.simulatedVariations, !simulated.isEmpty else {
      return nil
    }
    let key = key(of: flags[position])
    guard let item = simulated.last(where: { $0.featureKey.hasSameBytes(as: key) }) else {
      return nil
    }
    if item.experimentID == 0 { return serveDefault(position, .simulated, nil) }
    // Of several rules with one experiment id the last counts (section 8.2).
    guard let wanted = item.variationID,
      let rule = flags[position].rules.last(where: {
        rules[Int($0)].experimentID == item.experimentID
      }),
      let entry = rules[Int(rule)].entries.first(where: {
        entries[Int($0)].variationID == wanted
      })
    else { return nil }
    return serve(entries[Int(entry)], of: position, rule: rules[Int(rule)], .simulated, nil)
  }
}
