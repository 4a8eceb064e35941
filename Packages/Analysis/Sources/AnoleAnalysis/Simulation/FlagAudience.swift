// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The visitors of a population by what matters to one flag: which rules target them, whether they
/// refused consent, what is forced for them.
struct FlagAudience {
  /// Visitors who differ in nothing that the flag looks at but their hash key.
  struct Kind: Hashable {
    /// Whether each rule targets them.
    let isTargeted: [Bool]
    let isConsentRefused: Bool
    let forced: [ForcedVariation]
  }

  /// The kinds with their shares of the visitors, in the order of the combinations.
  private(set) var kinds: [(kind: Kind, weight: Double)] = []
  /// Why nothing can be promised; nil if it can.
  private(set) var obstacle: String?

  init(_ flag: FeatureFlag, _ crowd: Crowd, _ records: [VisitorRecord], _ snapshot: Snapshot) {
    obstacle = Self.obstacle(flag, records, snapshot)
    guard obstacle == nil else { return }
    let isConsentRequired = snapshot.dataFile.configuration.isConsentRequired
    var positions: [Kind: Int] = [:]
    for (combination, record) in zip(crowd.combinations, records) where combination.weight > 0 {
      let subject = TargetingSubject(
        visitorCode: "", record: record, moment: crowd.population.moment)
      let kind = Kind(
        isTargeted: flag.rules.map { Self.isTargeted($0, subject, snapshot) },
        isConsentRefused: isConsentRequired && record.consent == .refused,
        forced: record.box?.profile.forcedVariations ?? [])
      if let position = positions[kind] {
        kinds[position].weight += combination.weight
      } else {
        positions[kind] = kinds.count
        kinds.append((kind, combination.weight))
      }
    }
  }

  private static func isTargeted(
    _ rule: Rule, _ subject: TargetingSubject, _ snapshot: Snapshot
  ) -> Bool {
    guard let position = rule.segmentID.flatMap(snapshot.segments.position(of:)) else {
      return true  // No segment, or an unknown one: open to everybody.
    }
    return snapshot.segments.matches(segmentAt: position, subject, campaign: rule.experimentID)
  }

  private static func obstacle(
    _ flag: FeatureFlag, _ records: [VisitorRecord], _ snapshot: Snapshot
  ) -> String? {
    let index = flag.bucketingCustomDataID.flatMap(snapshot.customData.index(ofID:))
    if let index, records.contains(where: { $0.box?.profile.customDatum(at: index)?.first != nil })
    {
      return "the flag is bucketed by custom data, which many of these visitors share"
    }
    let usesCode = flag.rules.contains { rule in
      guard let segment = rule.segmentID else { return false }
      return ConditionList.types(askedBy: segment, in: snapshot.dataFile).contains("VISITOR_CODE")
    }
    if usesCode { return "a segment of the flag looks at the visitor code" }
    if records.contains(where: { $0.box?.profile.banditScores != nil }) {
      return "bandit scores decide instead of the splits"
    }
    return nil
  }
}
