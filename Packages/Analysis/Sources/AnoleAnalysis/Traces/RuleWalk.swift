// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Goes through the rules of two traces side by side.
///
/// Rules belong together by their ids. A rule that one trace did not look at is passed over unless it
/// decided.
struct RuleWalk {
  private typealias TracedRule = DecisionTrace.Rule

  /// Rules that stand side by side; one of them may be missing.
  private struct Pair {
    let old: TracedRule?
    let new: TracedRule?
    /// Whether both stand in both traces, one the other way round.
    var isReordered = false
  }

  private let old: DecisionTrace
  private let new: DecisionTrace
  private var pairs: [Pair] = []

  init(_ before: DecisionTrace, _ after: DecisionTrace) {
    old = before
    new = after
    var left = old.rules[...]
    var right = new.rules[...]
    while !left.isEmpty || !right.isEmpty {
      guard let first = left.first else {
        pairs.append(Pair(old: nil, new: right.removeFirst()))
        continue
      }
      guard let second = right.first else {
        pairs.append(Pair(old: left.removeFirst(), new: nil))
        continue
      }
      if first.id == second.id {
        pairs.append(Pair(old: left.removeFirst(), new: right.removeFirst()))
      } else if !left.contains(where: { $0.id == second.id }) {
        pairs.append(Pair(old: nil, new: right.removeFirst()))
      } else if !right.contains(where: { $0.id == first.id }) {
        pairs.append(Pair(old: left.removeFirst(), new: nil))
      } else {
        pairs.append(
          Pair(old: left.removeFirst(), new: right.removeFirst(), isReordered: true))
      }
    }
  }

  /// The first rule that took the evaluations apart; nil if none did.
  func cause() -> TraceDifference? {
    for pair in pairs {
      switch (pair.old, pair.new) {
      case (let rule?, let other?) where pair.isReordered:
        if isEnd(rule, of: old) || isEnd(other, of: new) { return order }
      case (let rule?, let other?):
        if let difference = cause(rule, other) { return difference }
      case (let rule?, nil):
        if isEnd(rule, of: old) { return presence(rule, nil) }
      case (nil, let rule?):
        if isEnd(rule, of: new) { return presence(nil, rule) }
      case (nil, nil): break
      }
    }
    return nil
  }

  /// Every rule that differs.
  func differences() -> [TraceDifference] {
    if pairs.contains(where: \.isReordered) { return [order] }
    return pairs.compactMap { pair in
      switch (pair.old, pair.new) {
      case (let rule?, let other?):
        guard rule != other else { return nil }
        let difference = cause(rule, other) ?? silentDifference(rule, other)
        return difference.flatMap { $0.before == $0.after ? nil : $0 }
      case (let rule, let other): return presence(rule, other)
      }
    }
  }

  /// Whether a rule ended the evaluation.
  private func isEnd(_ rule: TracedRule, of trace: DecisionTrace) -> Bool {
    switch rule.outcome {
    case .served, .blockedByConsent, .emptyDelivery: true
    case .notAdmitted: Self.isDelivery(rule)
    case .notTargeted, .splitExhausted: false
    }
  }

  private static func isDelivery(_ rule: TracedRule) -> Bool { rule.type == "TARGETED_DELIVERY" }

  // MARK: - One rule

  /// What makes a rule come out differently; nil if it comes out the same.
  private func cause(_ rule: TracedRule, _ other: TracedRule) -> TraceDifference? {
    if rule.forced != other.forced {
      return part(.forced, rule, rule.forced ?? "not forced", other.forced ?? "not forced")
    }
    if (rule.outcome == .notTargeted) != (other.outcome == .notTargeted) {
      return targeting(rule, other)
    }
    guard rule.outcome != .notTargeted else { return nil }
    if (rule.outcome == .notAdmitted) != (other.outcome == .notAdmitted) {
      return part(.admission, rule, rule.admissionWords, other.admissionWords)
    }
    if Self.isDelivery(rule) != Self.isDelivery(other) {
      return part(.type, rule, rule.type, other.type)
    }
    guard rule.outcome != .notAdmitted else { return nil }
    if (rule.outcome == .blockedByConsent) != (other.outcome == .blockedByConsent) {
      return part(.consent, rule, rule.outcomeWords, other.outcomeWords)
    }
    if rule.banditCandidates != other.banditCandidates {
      return part(.bandit, rule, rule.banditWords, other.banditWords)
    }
    return served(rule, other)
  }

  private func served(_ rule: TracedRule, _ other: TracedRule) -> TraceDifference? {
    let isSame =
      rule.outcome == other.outcome
      && (rule.outcome != .served
        || old.outcome?.variationKey == new.outcome?.variationKey
          && old.outcome?.variationID == new.outcome?.variationID
          && rule.experimentID == other.experimentID)
    guard !isSame else { return nil }
    guard !rule.ranges.isEmpty || !other.ranges.isEmpty else {
      return part(
        .delivery, rule, Self.servedWords(rule, old), Self.servedWords(other, new))
    }
    return part(.range, rule, rule.choiceWords, other.choiceWords)
  }

  private static func servedWords(_ rule: TracedRule, _ trace: DecisionTrace) -> String {
    rule.outcome == .served ? TraceComparison.answer(trace) : rule.outcomeWords
  }

  private func targeting(_ rule: TracedRule, _ other: TracedRule) -> TraceDifference {
    guard let segment = rule.segment, let later = other.segment, segment.id == later.id,
      let words = ConditionWalk.firstDifference(segment, later)
    else {
      return part(.segment, rule, rule.segmentWords, other.segmentWords)
    }
    return part(.condition, rule, words.before, words.after)
  }

  /// What a rule says otherwise without coming out differently.
  private func silentDifference(_ rule: TracedRule, _ other: TracedRule) -> TraceDifference? {
    if rule.type != other.type { return part(.type, rule, rule.type, other.type) }
    if rule.segment != other.segment {
      if let segment = rule.segment, let later = other.segment, segment.id == later.id,
        let words = ConditionWalk.firstDifference(segment, later)
      {
        return part(.condition, rule, words.before, words.after)
      }
      return part(.segment, rule, rule.segmentWords, other.segmentWords)
    }
    if rule.exposition != other.exposition || rule.admission != other.admission {
      return part(.admission, rule, rule.admissionWords, other.admissionWords)
    }
    return part(.range, rule, rule.choiceWords, other.choiceWords)
  }

  private func part(
    _ part: TraceDifference.Part, _ rule: TracedRule, _ before: String, _ after: String
  ) -> TraceDifference {
    TraceDifference(.rule, rule: rule.id, part: part, before: before, after: after)
  }

  private func presence(_ rule: TracedRule?, _ other: TracedRule?) -> TraceDifference {
    TraceDifference(
      .rule, rule: (rule ?? other)?.id, part: .presence,
      before: rule?.outcomeWords ?? "not looked at", after: other?.outcomeWords ?? "not looked at")
  }

  private var order: TraceDifference {
    let words = [old, new].map { $0.rules.map { String($0.id) }.joined(separator: ", ") }
    let first = pairs.first(where: \.isReordered)?.new?.id
    return TraceDifference(.rule, rule: first, part: .order, before: words[0], after: words[1])
  }
}

extension DecisionTrace.Rule {
  fileprivate var outcomeWords: String {
    switch outcome {
    case .notTargeted: "not targeted"
    case .notAdmitted: "not admitted"
    case .blockedByConsent: "blocked by refused consent"
    case .splitExhausted: "no entry of the split"
    case .emptyDelivery: "nothing to deliver"
    case .served: "served"
    }
  }

  fileprivate var admissionWords: String {
    guard let admission else { return outcomeWords }
    let isAdmitted = admission.value <= exposition
    return "hash of \(admission.input.quoted) = \(admission.value) "
      + "\(isAdmitted ? "≤" : ">") exposition \(exposition): "
      + (isAdmitted ? "admitted" : "not admitted")
  }

  fileprivate var banditWords: String {
    banditCandidates.isEmpty
      ? "no scores" : "best scored variations \(banditCandidates.map { String($0) }.listed)"
  }

  fileprivate var choiceWords: String {
    guard let choice else { return outcomeWords }
    return "hash of \(choice.input.quoted) = \(choice.value) in \(ranges.words)"
  }

  fileprivate var segmentWords: String {
    guard let segment else { return "open to everybody" }
    return "segment \(segment.id): \(segment.isMatch ? "match" : "no match")"
  }
}

/// Finds the condition that differs in two traces of a segment.
private enum ConditionWalk {
  /// How deep segments inside segments are followed; matching itself goes no deeper.
  static func firstDifference(
    _ old: SegmentTrace, _ new: SegmentTrace, depth: Int = 0
  ) -> (before: String, after: String)? {
    guard depth < SegmentIndex.maximumNesting else { return nil }
    let left = old.groups.flatMap(\.conditions)
    let right = new.groups.flatMap(\.conditions)
    for position in 0..<max(left.count, right.count) {
      let before = position < left.count ? left[position] : nil
      let after = position < right.count ? right[position] : nil
      guard before != after else { continue }
      if let inner = before?.segment?.trace, let later = after?.segment?.trace,
        inner.id == later.id, let words = firstDifference(inner, later, depth: depth + 1)
      {
        return words
      }
      return (words(before), words(after))
    }
    return nil
  }

  private static func words(_ condition: SegmentTrace.Condition?) -> String {
    guard let condition else { return "no such condition" }
    let negation = condition.isExcluded ? "NOT " : ""
    let note = condition.note.map { " (\($0))" } ?? ""
    return "\(negation)\(condition.summary): \(condition.isMatch ? "match" : "no match")\(note)"
  }
}
