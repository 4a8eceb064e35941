// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Lint {
  mutating func checkFlags() {
    let rules = flags.flatMap { Self.elements("rules", of: $0.value, at: $0.path) }
    checkUnique("featureKey", in: flags, .duplicateKey, "the later flag hides the earlier one")
    checkSimilar("featureKey", in: flags)
    checkUnique("id", in: flags, .duplicateID, "conditions and groups cannot tell them apart")
    checkUnique("id", in: rules, .duplicateID, "both rules admit the same visitors")
    checkUnique(
      "experimentId", in: rules, .duplicateID,
      "both rules split visitors alike, and forcing a variation uses the last")
    let segmentPositions = segmentPositions
    let customDataIDs = Set(customData.compactMap { $0.value["id"]?.integerValue })
    let reach = SegmentReach(
      segments, positions: segmentPositions, neverMatching: neverMatching)
    for flag in flags {
      checkBucketing(of: flag, customDataIDs)
      checkVariations(of: flag)
      checkRules(of: flag, Set(segmentPositions.keys), reach)
    }
  }

  private mutating func checkBucketing(of flag: Element, _ known: Set<Int64>) {
    guard let id = flag.value["bucketingCustomDataId"]?.integerValue, !known.contains(id) else {
      return
    }
    report(
      .unknownCustomData, "\(flag.path).bucketingCustomDataId",
      "customData has no id \(id); the flag is bucketed by visitor code",
      "declare the custom datum, or take the field out")
  }

  private mutating func checkVariations(of flag: Element) {
    let variations = Self.elements("variations", of: flag.value, at: flag.path)
    checkUnique("key", in: variations, .duplicateKey, "the first variation counts")
    checkSimilar("key", in: variations)
    for variation in variations {
      let variables = Self.elements("variables", of: variation.value, at: variation.path)
      checkUnique("key", in: variables, .duplicateKey, "the last variable counts")
      checkSimilar("key", in: variables)
    }
    let keys = Set(variations.compactMap { $0.value["key"] })
    checkDefault(of: flag, keys)
    for rule in Self.elements("rules", of: flag.value, at: flag.path) {
      for entry in Self.elements("variationByExposition", of: rule.value, at: rule.path) {
        let key = entry.value["variationKey"] ?? .string("")
        guard !keys.contains(key) else { continue }
        report(
          .unknownVariation, "\(entry.path).variationKey",
          "the flag has no variation \(key.text()); it is served without name and variables",
          "add the variation, or correct the key")
      }
    }
  }

  private mutating func checkDefault(of flag: Element, _ keys: Set<JSONValue>) {
    let path = "\(flag.path).defaultVariationKey"
    let fallback = flag.value["defaultVariationKey"] ?? .null
    if fallback.isNull || fallback == .string("") {
      return report(
        .missingDefault, path,
        "the flag names no default variation; visitors without outcome get an empty key, which "
          + "counts as active",
        "name one of its variations, usually \"off\"")
    }
    guard fallback.stringValue != nil, !keys.contains(fallback) else { return }
    report(
      .unknownDefault, path,
      "the flag has no variation \(fallback.text()); it is served without name and variables",
      "add the variation, or correct the key")
  }

  // MARK: - Rules

  private mutating func checkRules(
    of flag: Element, _ segmentIDs: Set<Int64>, _ reach: SegmentReach
  ) {
    var last: Element?
    for rule in Self.elements("rules", of: flag.value, at: flag.path) {
      let segment = rule.value["segmentId"]?.integerValue
      if let segment, !segmentIDs.contains(segment) {
        report(
          .unknownSegment, "\(rule.path).segmentId",
          "no segment has the id \(segment); the rule is open to everybody",
          "add the segment, or correct the id")
      }
      checkType(of: rule)
      checkExposition(of: rule)
      checkSplit(
        of: rule,
        consequence: Self.isDelivery(rule)
          ? "a delivery serves its first entry to all it admits"
          : "the rest goes on to the next rule")
      if let last {
        report(
          .unreachableRule, rule.path,
          "is never reached: \(last.path) decides for every visitor",
          "move it before that rule, or take it out")
      } else if let segment, reach.nobody.contains(segment) {
        report(
          .unreachableRule, rule.path,
          "targets nobody: the segment \(segment) never matches",
          "mend the segment, or take the rule out")
      } else if alwaysDecides(rule, segmentIDs, reach.everybody) {
        last = rule
      }
    }
  }

  private mutating func checkType(of rule: Element) {
    let type = rule.value["type"] ?? .null
    if let text = type.stringValue, text == "EXPERIMENTATION" || text == "TARGETED_DELIVERY" {
      return
    }
    guard type.isNull || type.stringValue != nil else { return }
    report(
      .unknownRuleType, "\(rule.path).type",
      "\(type.text()) is no type of a rule; it is processed like an experiment that consent does "
        + "not block",
      "write EXPERIMENTATION or TARGETED_DELIVERY")
  }

  private static func isDelivery(_ rule: Element) -> Bool {
    rule.value["type"]?.stringValue == "TARGETED_DELIVERY"
  }

  /// Whether no visitor gets past a rule.
  private func alwaysDecides(
    _ rule: Element, _ segmentIDs: Set<Int64>, _ everybody: Set<Int64>
  ) -> Bool {
    // A rule without a readable id is left out when the file is read.
    guard rule.value["id"]?.integerValue != nil else { return false }
    if let id = rule.value["segmentId"]?.integerValue, segmentIDs.contains(id),
      !everybody.contains(id)
    {
      return false
    }
    // A delivery ends the evaluation even for those it does not admit.
    if Self.isDelivery(rule) { return true }
    guard (rule.value["exposition"]?.doubleValue ?? 0) >= 1 else { return false }
    var sum = 0.0
    for entry in rule.value["variationByExposition"]?.arrayValue ?? [] {
      sum += entry["exposition"]?.doubleValue ?? 0
      if sum >= 1 - Self.tolerance { return true }
    }
    return false
  }

  // MARK: - Splits

  mutating func checkSplit(of owner: Element, consequence: String) {
    let entries = Self.elements("variationByExposition", of: owner.value, at: owner.path)
    let path = "\(owner.path).variationByExposition"
    guard !entries.isEmpty else {
      return report(
        .splitSum, path, "the split is empty; it serves nothing", "add an entry a variation")
    }
    checkUnique("variationId", in: entries, .duplicateID, "tracking cannot tell them apart")
    let sum = entries.reduce(0.0) { $0 + ($1.value["exposition"]?.doubleValue ?? 0) }
    for entry in entries { checkExposition(of: entry) }
    if abs(sum - 1) > Self.tolerance {
      report(
        .splitSum, path, "the expositions sum to \(sum.plain), not 1; \(consequence)",
        "change them so that they sum to 1")
    }
  }

  private mutating func checkExposition(of element: Element) {
    guard let exposition = element.value["exposition"]?.doubleValue,
      !(0...1).contains(exposition)
    else { return }
    report(
      .exposition, "\(element.path).exposition", "\(exposition) is outside 0…1",
      "write the share as a fraction of 1")
  }
}
