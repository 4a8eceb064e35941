// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// One difference between two data files.
public struct Change: Sendable, Hashable {
  /// What is different; the raw values are stable.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A setting of `configuration`.
    case configuration
    /// A declared custom datum: new, gone, or said otherwise.
    case customDataAdded = "custom-data-added"
    case customDataRemoved = "custom-data-removed"
    case customDataChanged = "custom-data-changed"
    /// A segment: new, gone, with other conditions, tracked as audience or not.
    case segmentAdded = "segment-added"
    case segmentRemoved = "segment-removed"
    case segmentConditions = "segment-conditions"
    case segmentAudience = "segment-audience"
    /// The global holdout: new, gone, another experiment, another split.
    case holdoutAdded = "holdout-added"
    case holdoutRemoved = "holdout-removed"
    case holdoutExperiment = "holdout-experiment"
    case holdoutSplit = "holdout-split"
    /// A flag: new, gone, its settings.
    case flagAdded = "flag-added"
    case flagRemoved = "flag-removed"
    case flagOrder = "flag-order"
    case flagSwitchedOn = "flag-switched-on"
    case flagSwitchedOff = "flag-switched-off"
    case flagID = "flag-id"
    case flagDefault = "flag-default"
    case flagGroup = "flag-group"
    case flagBucketing = "flag-bucketing"
    /// A variation of a flag, its name, its variables.
    case variationAdded = "variation-added"
    case variationRemoved = "variation-removed"
    case variationName = "variation-name"
    case variableAdded = "variable-added"
    case variableRemoved = "variable-removed"
    case variableChanged = "variable-changed"
    /// A rule of a flag.
    case ruleAdded = "rule-added"
    case ruleRemoved = "rule-removed"
    case ruleOrder = "rule-order"
    case ruleType = "rule-type"
    case ruleExposition = "rule-exposition"
    case ruleExperiment = "rule-experiment"
    case ruleSegment = "rule-segment"
    case ruleRespool = "rule-respool"
    case ruleSplit = "rule-split"
  }

  /// What is different.
  public let kind: Kind
  /// The flag that it belongs to; nil for what belongs to the whole file.
  public let featureKey: String?
  /// The rule that it belongs to.
  public let ruleID: Int64?
  /// What stood there; null for nothing.
  public let before: JSONValue
  /// What stands there; null for nothing.
  public let after: JSONValue
  /// The difference in words, without a full stop.
  public let sentence: String
  /// What of a longer thing is gone (`- `) and new (`+ `), a line each.
  public let details: [String]

  init(
    _ kind: Kind, flag: String? = nil, rule: Int64? = nil, before: JSONValue = .null,
    after: JSONValue = .null, _ sentence: String, details: [String] = []
  ) {
    self.kind = kind
    featureKey = flag
    ruleID = rule
    self.before = before
    self.after = after
    self.sentence = sentence
    self.details = details
  }

  /// The change as JSON, with the keys that the README lists.
  public var document: JSONValue {
    [
      "kind": .string(kind.rawValue), "flag": .text(featureKey), "ruleId": .id(ruleID),
      "before": before, "after": after, "sentence": .string(sentence), "details": .texts(details),
    ]
  }
}
