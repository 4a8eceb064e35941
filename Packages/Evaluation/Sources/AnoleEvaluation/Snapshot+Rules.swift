// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import AnoleModels
import AnoleTargeting

/// What segments answered during one call, for those whose answer cannot change meanwhile.
struct SegmentMemo {
  /// By segment position: 0 not asked, 1 no, 2 yes.
  ///
  /// Empty where nothing is remembered.
  private var answers: [UInt8] = []

  /// Remembers nothing: for a single flag.
  init() {}

  /// Remembers the answers of this many segments.
  init(count: Int) {
    answers = [UInt8](repeating: 0, count: count)
  }

  @inline(__always)
  mutating func answer(_ position: Int, _ ask: () -> Bool) -> Bool {
    guard position < answers.count else { return ask() }
    if answers[position] == 0 { answers[position] = ask() ? 2 : 1 }
    return answers[position] == 2
  }
}

extension Snapshot {
  /// What the rules of a flag yield.
  enum RuleOutcome {
    /// Nothing, and why.
    case nothing(Decision.Reason)
    /// A position in ``Snapshot/entries`` and one in ``Snapshot/rules``.
    case entry(Int32, rule: Int32, Decision.Reason)
    /// A forced entry.
    case forced(SplitEntry, rule: Int32)
  }

  /// Walks over the rules (section 3.5).
  @inline(__always)
  func evaluateRules<Watch: Recorder>(
    of flag: CompiledFlag, _ hashKey: String, _ visitorCode: String, _ record: VisitorRecord,
    _ moment: Moment, _ memo: inout SegmentMemo, _ recorder: inout Watch
  ) throws(EvaluationError) -> RuleOutcome {
    for position in flag.rules {
      let rule = rules[Int(position)]
      if Watch.isOn { begin(rule, of: flag, at: position, &recorder) }
      let forced = forcedVariation(rule.experimentID, record)
      if let forced, forced.isTargetingForced {
        recorder.recordRule { ($0.forced, $0.outcome) = ("without targeting", .served) }
        return .forced(forced.entry, rule: position)
      }
      guard isTargeted(rule, visitorCode, record, moment, &memo, &recorder) else { continue }
      if let forced {
        recorder.recordRule { ($0.forced, $0.outcome) = ("after targeting", .served) }
        return .forced(forced.entry, rule: position)
      }
      let outcome = try serve(rule, at: position, of: flag, hashKey, record, &recorder)
      if let outcome { return outcome }
    }
    return .nothing(.noRuleApplied)
  }

  /// What a rule does for a visitor it targets: admission, consent, bandit, delivery or split.
  ///
  /// - Returns: nil to go on with the next rule.
  @inline(__always)
  private func serve<Watch: Recorder>(
    _ rule: CompiledRule, at position: Int32, of flag: CompiledFlag, _ hashKey: String,
    _ record: VisitorRecord, _ recorder: inout Watch
  ) throws(EvaluationError) -> RuleOutcome? {
    let isDelivery = rule.origin == .targetedDelivery
    let (isAdmitted, choice) = admit(rule, hashKey, &recorder)
    guard isAdmitted else { return isDelivery ? .nothing(.notDelivered) : nil }
    if rule.origin == .experimentation, isConsentRefused(record) {
      recorder.recordRule { $0.outcome = .blockedByConsent }
      guard !blocksFully else { throw .blockedByConsent(featureKey: key(of: flag)) }
      return .nothing(.consentRefused)
    }
    if let entry = pickByScores(rule, hashKey, record, &recorder) {
      recorder.recordRule { $0.outcome = .served }
      return .entry(entry, rule: position, .bandit)
    }
    if isDelivery {
      recorder.recordRule { $0.outcome = rule.entries.isEmpty ? .emptyDelivery : .served }
      guard let first = rule.entries.first else { return .nothing(.notDelivered) }
      return .entry(first, rule: position, .targetedDelivery)
    }
    let value = choice ?? hash(hashKey, rule.choice)
    let chosen = choose(value, rule.entries)
    recorder.recordRule {
      $0.choice = describe(hashKey, rule.choice, value)
      $0.ranges = describe(rule.entries, chosen: chosen)
      $0.outcome = chosen == nil ? .splitExhausted : .served
    }
    return chosen.map { .entry(Int32($0), rule: position, .experiment) }
  }

  /// Whether the rule admits the visitor; with it the variation hash where both were computed at
  /// once.
  ///
  /// The hash is never above 1, so that an exposition of 1 needs none.
  @inline(__always)
  private func admit<Watch: Recorder>(
    _ rule: CompiledRule, _ hashKey: String, _ recorder: inout Watch
  ) -> (isAdmitted: Bool, choice: Double?) {
    guard rule.exposition < 1 || Watch.isOn else { return (true, nil) }
    var choice: Double?
    let admission: Double
    if rule.origin == .targetedDelivery {
      admission = hash(hashKey, rule.admission)
    } else {
      let both = hashes(hashKey, rule.admission, rule.choice)
      (admission, choice) = (both.first, both.second)
    }
    recorder.recordRule {
      $0.admission = describe(hashKey, rule.admission, admission)
      $0.outcome = .notAdmitted
    }
    return (admission <= rule.exposition, choice)
  }

  @inline(__always)
  private func forcedVariation(_ experimentID: Int64, _ record: VisitorRecord) -> ForcedVariation? {
    guard let box = record.box, !box.profile.forcedVariations.isEmpty else { return nil }
    return box.profile.forcedVariations.first { $0.experimentID == experimentID }
  }

  @inline(__always)
  private func isTargeted<Watch: Recorder>(
    _ rule: CompiledRule, _ visitorCode: String, _ record: VisitorRecord, _ moment: Moment,
    _ memo: inout SegmentMemo, _ recorder: inout Watch
  ) -> Bool {
    guard rule.segment >= 0 else { return true }
    let segment = Int(rule.segment)
    let campaign = rule.experimentID
    if Watch.isOn {
      let subject = TargetingSubject(visitorCode: visitorCode, record: record, moment: moment)
      let trace = segments.explain(segmentAt: segment, subject, campaign: campaign)
      recorder.recordRule { $0.segment = trace }
    }
    let ask = { [segments] in
      segments.matches(
        segmentAt: segment, visitorCode: visitorCode, record: record, at: moment,
        campaign: campaign)
    }
    return segments.isStable(at: segment) ? memo.answer(segment, ask) : ask()
  }

  /// The entry that contextual bandit scores pick (section 3.7); nil if they yield nothing.
  @inline(__always)
  private func pickByScores<Watch: Recorder>(
    _ rule: CompiledRule, _ hashKey: String, _ record: VisitorRecord, _ recorder: inout Watch
  ) -> Int32? {
    guard let scores = record.box?.profile.banditScores else { return nil }
    for group in scores.groups(of: rule.experimentID) {
      let candidates = rule.entries.filter { position in
        entries[Int(position)].variationID.map(group.contains) ?? false
      }
      guard !candidates.isEmpty else { continue }
      recorder.recordRule {
        $0.banditCandidates = candidates.compactMap { entries[Int($0)].variationID }
      }
      guard candidates.count > 1 else { return candidates[0] }
      let value = hash(hashKey, rule.choice)
      recorder.recordRule { $0.choice = describe(hashKey, rule.choice, value) }
      return candidates[Split.partition(of: value, into: candidates.count)]
    }
    return nil
  }

  // MARK: - Describing

  private func begin<Watch: Recorder>(
    _ rule: CompiledRule, of flag: CompiledFlag, at position: Int32, _ recorder: inout Watch
  ) {
    let source = dataFile.featureFlags[Int(flag.source)]
      .rules[Int(position - flag.rules.lowerBound)]
    recorder.record { trace in
      trace.rules.append(
        DecisionTrace.Rule(
          id: rule.id, type: source.type.literal, experimentID: rule.experimentID,
          exposition: rule.exposition))
    }
  }

  func describe(_ key: String, _ suffix: Suffix, _ value: Double) -> DecisionTrace.Hash {
    let bytes = arena[Int(suffix.offset)..<Int(suffix.offset) + Int(suffix.length)]
    return DecisionTrace.Hash(input: key + String(decoding: bytes, as: UTF8.self), value: value)
  }

  func describe(_ split: Range<Int32>, chosen: Int?) -> [DecisionTrace.Range] {
    var sum = 0.0
    return split.map { position in
      let entry = entries[Int(position)]
      sum += entry.exposition
      return DecisionTrace.Range(
        variationKey: keys[Int(entry.served.key)], variationID: entry.variationID, upTo: sum,
        isChosen: Int(position) == chosen)
    }
  }
}
