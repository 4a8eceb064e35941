// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The shares that the rules of a flag promise to visitors who differ in nothing but their code.
///
/// Hashes of different ids are independent, so that the shares of holdout, group, rules and split
/// multiply.
struct Expectation: Sendable {
  /// The share of each outcome in the order of the pipeline; outcomes nobody gets are left out.
  private(set) var shares: [(outcome: Outcome, share: Double)] = []
  /// Why nothing can be promised; nil if it can.
  private(set) var obstacle: String?

  private let snapshot: Snapshot
  private let flag: FeatureFlag
  private let subject: TargetingSubject
  /// The share of visitors whose fate is open.
  private var open = 1.0

  /// Computes the shares for visitors with the data of a record.
  init(
    _ flag: FeatureFlag, record: VisitorRecord, moment: Moment, _ snapshot: Snapshot
  ) {
    self.flag = flag
    self.snapshot = snapshot
    subject = TargetingSubject(visitorCode: "", record: record, moment: moment)
    obstacle = findObstacle()
    guard obstacle == nil else { return }
    passHoldout()
    passGroup()
    for rule in flag.rules where open > 0 { pass(rule) }
    settle(open, Outcome(variationKey: flag.defaultVariationKey, reason: .noRuleApplied))
  }

  /// The share of an outcome; 0 for one that was not foreseen, nil if nothing can be promised.
  func share(of outcome: Outcome) -> Double? {
    guard obstacle == nil else { return nil }
    return shares.first { $0.outcome == outcome }?.share ?? 0
  }

  // MARK: - Obstacles

  private func findObstacle() -> String? {
    let index = flag.bucketingCustomDataID.flatMap(snapshot.customData.index(ofID:))
    if let index, subject.record.profile?.customDatum(at: index)?.first != nil {
      return "the flag is bucketed by custom data, which is the same for all these visitors"
    }
    let usesCode = flag.rules.contains { rule in
      rule.segmentID.map(looksAtVisitorCode) ?? false
    }
    return usesCode ? "a segment of the flag looks at the visitor code" : nil
  }

  /// Whether a segment, or one it refers to, has a condition on the visitor code.
  private func looksAtVisitorCode(_ segmentID: Int64) -> Bool {
    var seen: Set<Int64> = []
    var waiting = [segmentID]
    while let id = waiting.popLast() {
      guard seen.insert(id).inserted,
        let segment = snapshot.dataFile.segments.last(where: { $0.id == id })
      else { continue }
      let entries = ConditionList.entries(of: segment)
      if entries.contains(where: { $0.type == "VISITOR_CODE" }) { return true }
      waiting += entries.compactMap(\.segmentID)
    }
    return false
  }

  // MARK: - The pipeline

  private mutating func passHoldout() {
    guard let holdout = snapshot.dataFile.holdout else { return }
    let held = zip(holdout.split, Self.widths(of: holdout.split))
      .filter { $0.0.variationKey == Holdout.inHoldoutKey }
      .reduce(0) { $0 + $1.1 }
    settle(open * held, Outcome(variationKey: flag.defaultVariationKey, reason: .inHoldout))
  }

  private mutating func passGroup() {
    guard let name = flag.mutuallyExclusiveGroup else { return }
    let flags = snapshot.dataFile.featureFlags
    var keys: Set<String> = []
    // Of two flags with one key the later counts.
    let members = flags.reversed().filter { keys.insert($0.key).inserted }
      .filter { $0.mutuallyExclusiveGroup == name }
    let excluded = 1 - 1 / Double(max(members.count, 1))
    settle(
      open * excluded, Outcome(variationKey: flag.defaultVariationKey, reason: .excludedByGroup))
  }

  private mutating func pass(_ rule: Rule) {
    let profile = subject.record.profile
    let forced = profile?.forcedVariations.first { $0.experimentID == rule.experimentID }
    if let forced, forced.isTargetingForced {
      return settle(open, Outcome(forced.entry, of: rule, reason: .forced))
    }
    guard isTargeted(rule) else { return }
    let admitted = open * min(max(rule.exposition, 0), 1)
    if rule.type == .targetedDelivery {
      let fallback = Outcome(variationKey: flag.defaultVariationKey, reason: .notDelivered)
      settle(open - admitted, fallback)
      let served = rule.split.first.map { Outcome($0, of: rule, reason: .targetedDelivery) }
      return settle(open, served ?? fallback)
    }
    let isRefused =
      snapshot.dataFile.configuration.isConsentRequired && profile?.consent == .refused
    if rule.type == .experimentation, isRefused {
      let fallback = Outcome(variationKey: flag.defaultVariationKey, reason: .consentRefused)
      return settle(admitted, fallback)
    }
    for (entry, width) in zip(rule.split, Self.widths(of: rule.split)) {
      settle(admitted * width, Outcome(entry, of: rule, reason: .experiment))
    }
  }

  private func isTargeted(_ rule: Rule) -> Bool {
    guard let position = rule.segmentID.flatMap(snapshot.segments.position(of:)) else {
      return true  // No segment, or an unknown one: open to everybody.
    }
    return snapshot.segments.matches(
      segmentAt: position, subject, campaign: rule.experimentID)
  }

  /// A share of all visitors has found its outcome.
  private mutating func settle(_ share: Double, _ outcome: Outcome) {
    open -= share
    if abs(open) < Self.tolerance { open = 0 }
    guard share > 0 else { return }
    if let position = shares.firstIndex(where: { $0.outcome == outcome }) {
      shares[position].share += share
    } else {
      shares.append((outcome, share))
    }
  }

  /// Sums of decimal fractions miss 1 by less than this.
  private static let tolerance = 1e-12

  /// The width of each entry's range: the first running sum that reaches the hash value counts.
  private static func widths(of split: [SplitEntry]) -> [Double] {
    var sum = 0.0
    var covered = 0.0
    return split.map { entry in
      sum += entry.exposition
      let width = max(0, min(sum, 1) - covered)
      covered += width
      return width
    }
  }
}
