// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// Lets a share of visitors run through the pipeline of section 3.3 instead of one visitor.
struct ExpectedPipeline {
  private let flag: FeatureFlag
  private let kind: FlagAudience.Kind
  private let dataFile: DataFile
  private let holdoutShare: Double
  private var table = ShareTable()
  /// The share of visitors whose fate is open.
  private var open = 1.0

  /// Sums of decimal fractions miss 1 by less than this.
  private static let tolerance = 1e-12

  init(
    _ flag: FeatureFlag, _ kind: FlagAudience.Kind, _ snapshot: Snapshot, holdoutShare: Double
  ) {
    self.flag = flag
    self.kind = kind
    self.holdoutShare = holdoutShare
    dataFile = snapshot.dataFile
  }

  /// The shares of all outcomes; they sum to 1.
  mutating func shares() -> [Expectation.Share] {
    guard flag.isEnvironmentEnabled else {
      settle(open, FlagOutcome(.switchedOff))
      return table.shares
    }
    passHoldout()
    passGroup()
    for (rule, isTargeted) in zip(flag.rules, kind.isTargeted) where open > 0 {
      pass(rule, isTargeted)
    }
    settle(open, defaultVariation(.noRuleApplied))
    return table.shares
  }

  private var blocksFully: Bool {
    dataFile.configuration.consentOptOutBehavior == .fullyBlock
  }

  private func defaultVariation(_ reason: Decision.Reason) -> FlagOutcome {
    FlagOutcome(variationKey: flag.defaultVariationKey, reason: reason)
  }

  private mutating func passHoldout() {
    guard dataFile.holdout != nil else { return }
    if kind.isConsentRefused, blocksFully { return settle(open, FlagOutcome(.blockedByConsent)) }
    settle(open * holdoutShare, defaultVariation(.inHoldout))
  }

  private mutating func passGroup() {
    guard let name = flag.mutuallyExclusiveGroup else { return }
    let members = dataFile.groupMembers(name).count
    settle(open * (1 - 1 / Double(max(members, 1))), defaultVariation(.excludedByGroup))
  }

  private mutating func pass(_ rule: Rule, _ isTargeted: Bool) {
    let forced = kind.forced.first { $0.experimentID == rule.experimentID }
    if let forced, forced.isTargetingForced || isTargeted {
      return settle(open, FlagOutcome(forced.entry, of: rule, reason: .forced))
    }
    guard isTargeted else { return }
    let admitted = open * min(max(rule.exposition, 0), 1)
    if rule.type == .targetedDelivery {
      let fallback = defaultVariation(.notDelivered)
      settle(open - admitted, fallback)
      let served = rule.split.first.map { FlagOutcome($0, of: rule, reason: .targetedDelivery) }
      return settle(open, served ?? fallback)
    }
    if rule.type == .experimentation, kind.isConsentRefused {
      return settle(
        admitted, blocksFully ? FlagOutcome(.blockedByConsent) : defaultVariation(.consentRefused))
    }
    for (entry, width) in zip(rule.split, Self.widths(of: rule.split)) {
      settle(admitted * width, FlagOutcome(entry, of: rule, reason: .experiment))
    }
  }

  /// A share of all visitors has found its outcome.
  private mutating func settle(_ share: Double, _ outcome: FlagOutcome) {
    open -= share
    if abs(open) < Self.tolerance { open = 0 }
    table.add(outcome, share)
  }

  /// The width of each entry's range: the first running sum that reaches the hash value counts.
  static func widths(of split: [SplitEntry]) -> [Double] {
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
