// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Lint {
  mutating func checkFlags() {
    let rules = flags.flatMap { Self.elements("rules", of: $0.value, at: $0.path) }
    checkUnique("featureKey", in: flags, .duplicateKey, "the later flag hides the earlier one")
    checkUnique("id", in: flags, .duplicateID, "conditions and groups cannot tell them apart")
    checkUnique("id", in: rules, .duplicateID, "both rules admit the same visitors")
    checkUnique(
      "experimentId", in: rules, .duplicateID,
      "both rules split visitors alike, and forcing a variation uses the last")
    let segmentIDs = Set(segments.compactMap { $0.value["id"]?.integerValue })
    let customDataIDs = Set(customData.compactMap { $0.value["id"]?.integerValue })
    let everybody = everybodySegments()
    for flag in flags {
      checkBucketing(of: flag, customDataIDs)
      checkVariations(of: flag)
      checkRules(of: flag, segmentIDs, everybody)
    }
  }

  private mutating func checkBucketing(of flag: Element, _ known: Set<Int64>) {
    guard let id = flag.value["bucketingCustomDataId"]?.integerValue, !known.contains(id) else {
      return
    }
    report(
      .unknownCustomData, "\(flag.path).bucketingCustomDataId",
      "customData has no id \(id); the flag is bucketed by visitor code")
  }

  private mutating func checkVariations(of flag: Element) {
    let variations = Self.elements("variations", of: flag.value, at: flag.path)
    checkUnique("key", in: variations, .duplicateKey, "the first variation counts")
    for variation in variations {
      let variables = Self.elements("variables", of: variation.value, at: variation.path)
      checkUnique("key", in: variables, .duplicateKey, "the last variable counts")
    }
    let keys = Set(variations.compactMap { $0.value["key"] })
    let fallback = flag.value["defaultVariationKey"] ?? .string("")
    if !keys.contains(fallback) {
      report(
        .unknownDefault, "\(flag.path).defaultVariationKey",
        "the flag has no variation \(fallback.text()); it is served without name and variables")
    }
    for rule in Self.elements("rules", of: flag.value, at: flag.path) {
      for entry in Self.elements("variationByExposition", of: rule.value, at: rule.path) {
        let key = entry.value["variationKey"] ?? .string("")
        guard !keys.contains(key) else { continue }
        report(
          .unknownVariation, "\(entry.path).variationKey",
          "the flag has no variation \(key.text()); it is served without name and variables")
      }
    }
  }

  // MARK: - Rules

  private mutating func checkRules(
    of flag: Element, _ segmentIDs: Set<Int64>, _ everybody: Set<Int64>
  ) {
    var last: Element?
    for rule in Self.elements("rules", of: flag.value, at: flag.path) {
      if let id = rule.value["segmentId"]?.integerValue, !segmentIDs.contains(id) {
        report(
          .unknownSegment, "\(rule.path).segmentId",
          "no segment has the id \(id); the rule is open to everybody")
      }
      checkExposition(of: rule)
      let isDelivery = Self.isDelivery(rule)
      checkSplit(
        of: rule,
        consequence: isDelivery
          ? "a delivery serves its first entry to all it admits"
          : "the rest goes on to the next rule")
      if let last {
        report(
          .unreachableRule, rule.path,
          "is never reached: \(last.path) decides for every visitor")
      } else if alwaysDecides(rule, segmentIDs, everybody) {
        last = rule
      }
    }
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

  /// The segments without conditions.
  private func everybodySegments() -> Set<Int64> {
    let open = segments.filter { segment in
      guard let tree = segment.value["conditionsData"], !tree.isNull else { return true }
      guard tree.objectValue != nil else { return false }
      guard let groups = tree["firstLevel"], !groups.isNull else { return true }
      return groups.arrayValue?.isEmpty == true
    }
    return Set(open.compactMap { $0.value["id"]?.integerValue })
  }

  // MARK: - Splits

  mutating func checkSplit(of owner: Element, consequence: String) {
    let entries = Self.elements("variationByExposition", of: owner.value, at: owner.path)
    let path = "\(owner.path).variationByExposition"
    guard !entries.isEmpty else {
      return report(.splitSum, path, "the split is empty; it serves nothing")
    }
    checkUnique("variationId", in: entries, .duplicateID, "tracking cannot tell them apart")
    let sum = entries.reduce(0.0) { $0 + ($1.value["exposition"]?.doubleValue ?? 0) }
    for entry in entries { checkExposition(of: entry) }
    if abs(sum - 1) > Self.tolerance {
      report(.splitSum, path, "the expositions sum to \(sum), not 1; \(consequence)")
    }
  }

  private mutating func checkExposition(of element: Element) {
    guard let exposition = element.value["exposition"]?.doubleValue,
      !(0...1).contains(exposition)
    else { return }
    report(.exposition, "\(element.path).exposition", "\(exposition) is outside 0…1")
  }
}
