// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

extension Lint {
  mutating func checkSegments() {
    checkUnique("id", in: segments, .duplicateID, "rules use the last one")
    let indexes = Set(customData.compactMap { $0.value["index"]?.integerValue })
    let references = ReferenceTable(flags)
    for entry in segments.flatMap(Self.conditions) {
      if entry.type == "CUSTOM_DATUM" { checkCustomDatum(entry, indexes) }
      guard !neverMatching.contains(entry.path) else { continue }
      let isExcluded = entry.condition["isInclude"]?.boolValue == false
      let consequence =
        isExcluded ? "the condition always holds, because it excludes" : "the condition never holds"
      if let impossibility = entry.impossibility {
        report(
          .impossibleValue, entry.path, "\(impossibility); \(consequence)",
          "change the value, or take the condition out")
      }
      if let missing = references.missing(entry) {
        report(
          .unknownReference, entry.path,
          "\(missing); \(consequence) unless such an assignment comes from elsewhere",
          "correct the reference, or take the condition out")
      }
    }
  }

  private mutating func checkCustomDatum(_ entry: ConditionList.Entry, _ indexes: Set<Int64>) {
    let field = entry.condition["customDataIndex"]
    guard let index = field?.integerValue ?? field?.stringValue.flatMap(Int64.init),
      !indexes.contains(index)
    else { return }
    report(
      .unknownCustomData, "\(entry.path).customDataIndex", "customData declares no index \(index)",
      "declare it, or correct the index")
  }

  static func conditions(of segment: Element) -> [ConditionList.Entry] {
    guard let tree = segment.value["conditionsData"] else { return [] }
    return ConditionList.entries(of: tree, path: "\(segment.path).conditionsData")
  }
}

/// What the flags of a file have that conditions may refer to.
private struct ReferenceTable {
  private var variationIDs: [Int64: Set<Int64>] = [:]
  private var flags: [Int64: Lint.Element] = [:]

  init(_ flags: [Lint.Element]) {
    for flag in flags {
      if let id = flag.value["id"]?.integerValue { self.flags[id] = flag }
      for rule in flag.value["rules"]?.arrayValue ?? [] {
        guard let id = rule["experimentId"]?.integerValue else { continue }
        let split = rule["variationByExposition"]?.arrayValue ?? []
        variationIDs[id, default: []].formUnion(
          split.compactMap { $0["variationId"]?.integerValue })
      }
    }
  }

  /// What a condition refers to that the file does not have; nil if it has all.
  func missing(_ entry: ConditionList.Entry) -> String? {
    switch entry.type {
    case "TARGET_EXPERIMENT":
      guard let id = entry.condition["experimentId"]?.integerValue else { return nil }
      guard let known = variationIDs[id] else { return "no rule has the experiment \(id)" }
      guard entry.condition["variationMatchType"]?.stringValue == "EXACT",
        let variation = entry.condition["variationId"]?.integerValue, !known.contains(variation)
      else { return nil }
      return "the experiment \(id) has no variation \(variation)"
    case "TARGET_FEATURE_FLAG": return missingOfFlag(entry)
    default: return nil
    }
  }

  private func missingOfFlag(_ entry: ConditionList.Entry) -> String? {
    guard let id = entry.condition["featureFlagId"]?.integerValue, let flag = flags[id] else {
      return nil  // An unknown flag is told by compiling.
    }
    var rules = flag.value["rules"]?.arrayValue ?? []
    if let rule = entry.condition["ruleId"]?.integerValue, rule != 0 {
      rules = rules.filter { $0["id"]?.integerValue == rule }
      if rules.isEmpty { return "the flag \(id) has no rule \(rule)" }
    }
    guard let key = entry.condition["variationKey"] else { return nil }
    let keys = rules.flatMap { $0["variationByExposition"]?.arrayValue ?? [] }
      .compactMap { $0["variationKey"] }
    return key.isNull || keys.contains(key)
      ? nil : "no rule of the flag \(id) serves \(key.text())"
  }
}

extension ConditionList.Entry {
  /// Why no visitor can have what the condition asks for; nil if one may.
  var impossibility: String? {
    switch type {
    case "CUSTOM_DATUM": customDatumImpossibility
    case "VISITS": countImpossibility("visitCount", least: 1, "a visitor has 1 visit at least")
    case "SAME_DAY_VISITS": countImpossibility("visitCount", least: 0, "visits are not below 0")
    case "PAGE_VIEWS": countImpossibility("pageCount", least: 0, "page views are not below 0")
    case "HEAT_SLICE": heatSliceImpossibility
    case "APPLICATION_VERSION": versionImpossibility
    case "VISITOR_CODE": visitorCodeImpossibility
    default: nil
    }
  }

  private var customDatumImpossibility: String? {
    let isUndefined = condition["valueMatchType"]?.stringValue == "UNDEFINED"
    if let index = condition["customDataIndex"]?.stringValue, !isUndefined {
      let isPlain = !index.isEmpty && index.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if !isPlain || Int(index) == nil { return "\(index.quoted) is no index of custom data" }
    }
    guard condition["valueMatchType"]?.stringValue == "AMONG_VALUES",
      let text = condition["value"]?.stringValue
    else { return nil }
    do throws(JSONError) {
      guard let list = try JSONValue(parsing: text).arrayValue else { return nil }
      let usable = list.filter { value in
        value.stringValue != nil || value.boolValue != nil || value.doubleValue != nil
      }
      return usable.isEmpty ? "the list of values is empty" : nil
    } catch {
      return nil  // Compiling reports it.
    }
  }

  private func countImpossibility(_ field: String, least: Double, _ reason: String) -> String? {
    guard let number = condition[field]?.doubleValue else { return nil }
    switch condition["matchType"]?.stringValue {
    case "EQUAL" where number < least, "LOWER" where number <= least: return reason
    case "EQUAL" where number != number.rounded(): return "\(number) is no count"
    default: return nil
    }
  }

  private var heatSliceImpossibility: String? {
    guard let lower = condition["lowerBound"]?.doubleValue,
      let upper = condition["upperBound"]?.doubleValue
    else { return nil }
    if lower > upper { return "the lower bound \(lower) is above the upper bound \(upper)" }
    return upper < 0 || lower > 100 ? "scores lie within 0…100" : nil
  }

  private var versionImpossibility: String? {
    guard condition["versionMatchType"]?.stringValue?.uppercased() == "LOWER",
      let version = condition["version"]?.stringValue.flatMap(AppVersion.init),
      version == AppVersion("0")
    else { return nil }
    return "no version is lower than 0"
  }

  private var visitorCodeImpossibility: String? {
    guard condition["matchType"]?.stringValue == "EXACT",
      let code = condition["visitorCode"]?.stringValue, !VisitorCode.isValid(code)
    else { return nil }
    return "a visitor code has 1 to \(VisitorCode.maximumLength) characters"
  }
}
