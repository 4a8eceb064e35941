// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// Goes through two traces step by step.
struct TraceWalk {
  private let old: DecisionTrace
  private let new: DecisionTrace

  init(_ before: DecisionTrace, _ after: DecisionTrace) {
    old = before
    new = after
  }

  /// The first step that came out differently, for traces with different answers.
  func cause() -> TraceDifference {
    if old.isSimulated || new.isSimulated { return simulation }
    if old.isEnvironmentEnabled != new.isEnvironmentEnabled { return environment }
    if old.isBlockedAtOnce != new.isBlockedAtOnce { return consent }
    if old.isInHoldout != new.isInHoldout { return byHash(holdout) }
    if old.isExcluded != new.isExcluded { return byHash(group) }
    if let rule = RuleWalk(old, new).cause() {
      return rule.part == .consent && old.consent != new.consent ? consent : byHash(rule)
    }
    return defaultVariation
  }

  /// Every step that differs in what it says or how it comes out, of those that both traces reached.
  func differences() -> [TraceDifference] {
    var all: [TraceDifference] = []
    if old.isSimulated != new.isSimulated { all.append(simulation) }
    if old.isEnvironmentEnabled != new.isEnvironmentEnabled { all.append(environment) }
    if old.consent != new.consent { all.append(consent) }
    guard old.isHashed, new.isHashed else { return all }
    if hashKeyDiffers { all.append(hashKey) }
    guard !old.isBlockedAtOnce, !new.isBlockedAtOnce else { return all }
    if holdout.before != holdout.after { all.append(holdout) }
    guard !old.isInHoldout, !new.isInHoldout else { return all }
    if group.before != group.after { all.append(group) }
    guard !old.isExcluded, !new.isExcluded else { return all }
    return all + RuleWalk(old, new).differences()
  }

  /// Where the visitor fell is the hash key's doing if that is another one.
  private func byHash(_ difference: TraceDifference) -> TraceDifference {
    let parts: [TraceDifference.Part?] = [nil, .admission, .range, .bandit]
    return hashKeyDiffers && parts.contains(difference.part) ? hashKey : difference
  }

  private var hashKeyDiffers: Bool {
    old.isHashed && new.isHashed
      && (!old.hashKey.hasSameBytes(as: new.hashKey) || old.hashKeySource != new.hashKeySource)
  }

  // MARK: - Steps in words

  private var simulation: TraceDifference {
    TraceDifference(
      .simulation, before: old.isSimulated ? TraceComparison.answer(old) : "none",
      after: new.isSimulated ? TraceComparison.answer(new) : "none")
  }

  private var environment: TraceDifference {
    let words = [old, new].map { $0.isEnvironmentEnabled ? "switched on" : "switched off" }
    return TraceDifference(.environment, before: words[0], after: words[1])
  }

  private var consent: TraceDifference {
    let words = [old, new].map { trace -> String in
      guard trace.consent.isRequired else { return "not required" }
      let extent = trace.consent.blocksFully ? "fully" : "partially"
      return "required, \(trace.consent.state); a refusal blocks \(extent)"
    }
    return TraceDifference(.consent, before: words[0], after: words[1])
  }

  private var hashKey: TraceDifference {
    let words = [old, new].map { trace -> String in
      let source =
        switch trace.hashKeySource {
        case .visitorCode: "the visitor code"
        case .mappingIdentifier: "the mapping identifier"
        case .customData: "the value of the flag's bucketing custom data"
        }
      return "\(trace.hashKey.quoted), \(source)"
    }
    return TraceDifference(.hashKey, before: words[0], after: words[1])
  }

  private var holdout: TraceDifference {
    let words = [old, new].map { trace -> String in
      guard let holdout = trace.holdout else { return "no holdout" }
      return "\(holdout.isInHoldout ? "in it" : "not in it"): hash \(holdout.hash.value) in "
        + holdout.ranges.words
    }
    return TraceDifference(.holdout, before: words[0], after: words[1])
  }

  private var group: TraceDifference {
    let words = [old, new].map { trace -> String in
      guard let group = trace.group else { return "in no group" }
      let hash = group.hash.map { "hash \($0.value)" } ?? "a single member"
      return "\(group.name.quoted) of \(group.members.map(\.quoted).listed): \(hash) picks "
        + group.picked.quoted
    }
    return TraceDifference(.group, before: words[0], after: words[1])
  }

  private var defaultVariation: TraceDifference {
    TraceDifference(
      .defaultVariation, before: TraceComparison.answer(old), after: TraceComparison.answer(new))
  }
}

extension DecisionTrace {
  var isInHoldout: Bool { holdout?.isInHoldout ?? false }

  /// Whether another flag of the group was picked.
  var isExcluded: Bool { group.map { !$0.picked.hasSameBytes(as: featureKey) } ?? false }

  /// Whether a hash key was looked for.
  fileprivate var isHashed: Bool { isEnvironmentEnabled && !isSimulated }

  /// Whether refused consent ended the evaluation before holdout and rules.
  fileprivate var isBlockedAtOnce: Bool {
    failure != nil && isEnvironmentEnabled && holdout == nil && rules.isEmpty
  }
}

extension [DecisionTrace.Range] {
  /// The ranges with the chosen one marked: `off 0…0.4, → on 0.4…1`.
  var words: String {
    guard !isEmpty else { return "no ranges" }
    var from = 0.0
    return map { range in
      defer { from = range.upTo }
      return "\(range.isChosen ? "→ " : "")\(range.variationKey) \(from.plain)…\(range.upTo.plain)"
    }.joined(separator: ", ")
  }
}
