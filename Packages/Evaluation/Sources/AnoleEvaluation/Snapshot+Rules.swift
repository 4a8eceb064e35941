// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import AnoleModels
import AnoleTargeting

/// What segments answered during one call, for those whose answer cannot change meanwhile.
struct SegmentMemo {
  /// By segment position: 0 not asked, 1 no, 2 yes. Empty where nothing is remembered.
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
    case none(Decision.Reason)
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
      let subject = TargetingSubject(visitorCode: visitorCode, record: record, moment: moment)
      guard isTargeted(rule, subject, &memo, &recorder) else { continue }
      if let forced {
        recorder.recordRule { ($0.forced, $0.outcome) = ("after targeting", .served) }
        return .forced(forced.entry, rule: position)
      }
      // Both hashes at once where the second is likely to be needed.
      let needsAdmission = rule.exposition < 1 || Watch.isOn
      let needsChoice = rule.origin != .targetedDelivery
      var choice: Double?
      if needsAdmission {
        let admission: Double
        if needsChoice {
          let both = hashes(hashKey, rule.admission, rule.choice)
          (admission, choice) = (both.first, both.second)
        } else {
          admission = hash(hashKey, rule.admission)
        }
        recorder.recordRule {
          $0.admission = describe(hashKey, rule.admission, admission)
          $0.outcome = .notAdmitted
        }
        guard admission <= rule.exposition else {
          if rule.origin == .targetedDelivery { return .none(.notDelivered) }
          continue
        }
      }
      if rule.origin == .experimentation, isConsentRefused(record) {
        recorder.recordRule { $0.outcome = .blockedByConsent }
        guard !blocksFully else { throw .blockedByConsent(featureKey: key(of: flag)) }
        return .none(.consentRefused)
      }
      if let entry = pickByScores(rule, hashKey, record, &recorder) {
        recorder.recordRule { $0.outcome = .served }
        return .entry(entry, rule: position, .bandit)
      }
      if rule.origin == .targetedDelivery {
        recorder.recordRule { $0.outcome = rule.entries.isEmpty ? .emptyDelivery : .served }
        guard let first = rule.entries.first else { return .none(.notDelivered) }
        return .entry(first, rule: position, .targetedDelivery)
      }
      let value = choice ?? hash(hashKey, rule.choice)
      let chosen = choose(value, rule.entries)
      recorder.recordRule {
        $0.choice = describe(hashKey, rule.choice, value)
        $0.ranges = describe(rule.entries, chosen: chosen)
        $0.outcome = chosen == nil ? .splitExhausted : .served
      }
      if let chosen { return .entry(Int32(chosen), rule: position, .experiment) }
    }
    return .none(.noRuleApplied)
  }

  @inline(__always)
  private func forcedVariation(_ experimentID: Int64, _ record: VisitorRecord) -> ForcedVariation? {
    guard let box = record.box, !box.profile.forcedVariations.isEmpty else { return nil }
    return box.profile.forcedVariations.first { $0.experimentID == experimentID }
  }

  @inline(__always)
  private func isTargeted<Watch: Recorder>(
    _ rule: CompiledRule, _ subject: TargetingSubject, _ memo: inout SegmentMemo,
    _ recorder: inout Watch
  ) -> Bool {
    guard rule.segment >= 0 else { return true }
    let segment = Int(rule.segment)
    let campaign = rule.experimentID
    if Watch.isOn {
      let trace = segments.explain(segmentAt: segment, subject, campaign: campaign)
      recorder.recordRule { $0.segment = trace }
    }
    if segments.isStable(at: segment) {
      return memo.answer(segment) {
        segments.matches(segmentAt: segment, subject, campaign: campaign)
      }
    }
    return segments.matches(segmentAt: segment, subject, campaign: campaign)
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
