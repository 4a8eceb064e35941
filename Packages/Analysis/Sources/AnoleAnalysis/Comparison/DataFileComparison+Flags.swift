// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension DataFileComparison {
  mutating func compare(_ old: FeatureFlag, _ new: FeatureFlag) {
    let name = "flag \(new.key.quoted)"
    if old.isEnvironmentEnabled != new.isEnvironmentEnabled {
      report(
        new.isEnvironmentEnabled ? .flagSwitchedOn : .flagSwitchedOff, flag: new.key,
        before: .bool(old.isEnvironmentEnabled), after: .bool(new.isEnvironmentEnabled),
        "\(name) is switched \(new.isEnvironmentEnabled ? "on" : "off")")
    }
    if old.id != new.id {
      report(
        .flagID, flag: new.key, before: .id(old.id), after: .id(new.id),
        "\(name): the id was \(old.id), is \(new.id)")
    }
    if !old.defaultVariationKey.hasSameBytes(as: new.defaultVariationKey) {
      report(
        .flagDefault, flag: new.key, before: .string(old.defaultVariationKey),
        after: .string(new.defaultVariationKey),
        "\(name): the default variation was \(old.defaultVariationKey.quoted), "
          + "is \(new.defaultVariationKey.quoted)")
    }
    let groups = [old, new].map(\.mutuallyExclusiveGroup)
    if groups[0].map(ExactText.init) != groups[1].map(ExactText.init) {
      let words = groups.map { $0.map(\.quoted) ?? "none" }
      report(
        .flagGroup, flag: new.key, before: .text(groups[0]), after: .text(groups[1]),
        "\(name): the exclusive group was \(words[0]), is \(words[1])")
    }
    if old.bucketingCustomDataID != new.bucketingCustomDataID {
      let words = [old, new].map { flag in
        flag.bucketingCustomDataID.map { "custom data with id \($0)" } ?? "visitor code"
      }
      report(
        .flagBucketing, flag: new.key, before: .id(old.bucketingCustomDataID),
        after: .id(new.bucketingCustomDataID),
        "\(name): was bucketed by \(words[0]), is by \(words[1])")
    }
    compareVariations(old, new)
    compareRules(old, new)
  }

  // MARK: - Variations

  private mutating func compareVariations(_ old: FeatureFlag, _ new: FeatureFlag) {
    let name = "flag \(new.key.quoted)"
    let matching = Matching(old.variations, new.variations) { ExactText($0.key) }
    for pair in matching.common { compare(pair.old, pair.new, of: new.key) }
    for variation in matching.added {
      report(
        .variationAdded, flag: new.key, after: Self.document(variation),
        "\(name): variation \(variation.key.quoted) is new")
    }
    for variation in matching.removed {
      report(
        .variationRemoved, flag: new.key, before: Self.document(variation),
        "\(name): variation \(variation.key.quoted) is gone")
    }
  }

  private mutating func compare(_ old: FlagVariation, _ new: FlagVariation, of flag: String) {
    let place = "flag \(flag.quoted), variation \(new.key.quoted)"
    if !old.name.hasSameBytes(as: new.name) {
      report(
        .variationName, flag: flag, before: .string(old.name), after: .string(new.name),
        "\(place): the name was \(old.name.quoted), is \(new.name.quoted)")
    }
    let variables = Matching(old.variables, new.variables) { ExactText($0.key) }
    for pair in variables.common where !pair.old.isSame(as: pair.new) {
      report(
        .variableChanged, flag: flag, before: Self.document(pair.old),
        after: Self.document(pair.new),
        "\(place): variable \(pair.new.key.quoted) was \(Self.short(pair.old)), "
          + "is \(Self.short(pair.new))")
    }
    for variable in variables.added {
      report(
        .variableAdded, flag: flag, after: Self.document(variable),
        "\(place): variable \(variable.key.quoted) is new: \(Self.short(variable))")
    }
    for variable in variables.removed {
      report(
        .variableRemoved, flag: flag, before: Self.document(variable),
        "\(place): variable \(variable.key.quoted) is gone: \(Self.short(variable))")
    }
  }

  // MARK: - Rules

  private mutating func compareRules(_ old: FeatureFlag, _ new: FeatureFlag) {
    let name = "flag \(new.key.quoted)"
    let matching = Matching(old.rules, new.rules, by: \.id)
    for rule in matching.added {
      report(
        .ruleAdded, flag: new.key, rule: rule.id, after: Self.document(rule),
        "\(name): rule \(rule.id) is new (\(Self.summary(rule)))")
    }
    for rule in matching.removed {
      report(
        .ruleRemoved, flag: new.key, rule: rule.id, before: Self.document(rule),
        "\(name): rule \(rule.id) is gone (it was \(Self.summary(rule)))")
    }
    if matching.isReordered {
      let orders = [old, new].map { $0.rules.map(\.id) }
      let words = orders.map { $0.map(String.init).joined(separator: ", ") }
      report(
        .ruleOrder, flag: new.key, before: .array(orders[0].map { .id($0) }),
        after: .array(orders[1].map { .id($0) }),
        "\(name): the rules stood in the order \(words[0]), stand in \(words[1])")
    }
    for pair in matching.common { compare(pair.old, pair.new, of: new.key) }
  }

  private mutating func compare(_ old: Rule, _ new: Rule, of flag: String) {
    func difference(
      _ kind: Change.Kind, _ what: String, _ before: JSONValue, _ after: JSONValue,
      _ words: (String, String)? = nil
    ) {
      guard before != after else { return }
      let (was, now) = words ?? (before.text(), after.text())
      report(
        kind, flag: flag, rule: new.id, before: before, after: after,
        "flag \(flag.quoted), rule \(new.id): \(what) was \(was), is \(now)")
    }
    difference(.ruleType, "the type", .string(old.type.literal), .string(new.type.literal))
    difference(.ruleExposition, "the exposition", .real(old.exposition), .real(new.exposition))
    difference(.ruleExperiment, "the experiment", .id(old.experimentID), .id(new.experimentID))
    let segments = [old, new].map { $0.segmentID.map { "\($0)" } ?? "everybody" }
    difference(
      .ruleSegment, "the segment", .id(old.segmentID), .id(new.segmentID),
      (segments[0], segments[1]))
    // Zero and absent are the same (section 2.1).
    let times = [old, new].map { $0.respoolTime == 0 ? nil : $0.respoolTime }
    let words = times.map { $0.map { "\($0)" } ?? "none" }
    difference(
      .ruleRespool, "the respool time", .id(times[0]), .id(times[1]),
      (words[0], "\(words[1]); every visitor is drawn anew"))
    difference(
      .ruleSplit, "the split", Self.document(old.split), Self.document(new.split),
      (Self.ranges(old.split), Self.ranges(new.split)))
  }
}

extension Variable {
  fileprivate func isSame(as other: Variable) -> Bool {
    type.hasSameBytes(as: other.type) && value.jsonValue == other.value.jsonValue
  }
}
