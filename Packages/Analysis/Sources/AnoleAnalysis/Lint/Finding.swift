// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// Something in a data file that is wrong or surely not meant.
public struct Finding: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Visitors get something else than the file seems to say.
    case error
    /// It works as written, and is probably not meant.
    case warning
  }

  /// What is wrong; the raw values are stable.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// An element cannot be read and is left out or replaced.
    case unreadable
    /// A condition has a type that is not known here.
    case unknownConditionType = "unknown-condition-type"
    /// A condition's regular expression does not compile.
    case invalidPattern = "invalid-pattern"
    /// A condition's version cannot be read.
    case invalidVersion = "invalid-version"
    /// A condition never matches for another reason.
    case neverMatches = "never-matches"
    /// A condition asks for a value that no visitor can have.
    case impossibleValue = "impossible-value"
    /// A condition refers to an experiment, rule or variation that the file does not have.
    case unknownReference = "unknown-reference"
    /// A rule's segment is not in the file.
    case unknownSegment = "unknown-segment"
    /// Segments refer to each other in a circle.
    case segmentCycle = "segment-cycle"
    /// Custom data are used that the file does not declare.
    case unknownCustomData = "unknown-custom-data"
    /// A flag names no default variation.
    case missingDefault = "missing-default"
    /// A flag's default variation is none of its variations.
    case unknownDefault = "unknown-default"
    /// A split names a variation that the flag does not have.
    case unknownVariation = "unknown-variation"
    /// A split is empty or does not sum to 1.
    case splitSum = "split-sum"
    /// A share is outside 0…1.
    case exposition
    /// A rule is never reached, or targets nobody.
    case unreachableRule = "unreachable-rule"
    /// A rule's type is not known here.
    case unknownRuleType = "unknown-rule-type"
    /// A key stands twice where only one counts.
    case duplicateKey = "duplicate-key"
    /// An id stands twice.
    case duplicateID = "duplicate-id"
    /// Two keys differ only by case or Unicode normalisation.
    case similarKey = "similar-key"
    /// A mutually exclusive group has one member.
    case loneGroupMember = "lone-group-member"
    /// A member of a mutually exclusive group is switched off.
    case disabledGroupMember = "disabled-group-member"
    /// Members of a mutually exclusive group are bucketed by different keys.
    case groupBucketing = "group-bucketing"
    /// The holdout has no entry that keeps anybody out.
    case openHoldout = "open-holdout"

    /// How bad findings of the kind are.
    public var severity: Severity {
      switch self {
      case .unreadable, .unknownConditionType, .invalidPattern, .invalidVersion, .neverMatches,
        .unknownSegment, .segmentCycle, .missingDefault, .unknownDefault, .unknownVariation,
        .splitSum, .exposition, .duplicateKey, .duplicateID:
        .error
      case .impossibleValue, .unknownReference, .unknownCustomData, .unreachableRule,
        .unknownRuleType, .similarKey, .loneGroupMember, .disabledGroupMember, .groupBucketing,
        .openHoldout:
        .warning
      }
    }
  }

  /// What is wrong.
  public let code: Code
  /// Where, as a path from the root: `featureFlags[2].rules[0].id`.
  public let path: String
  /// What is wrong and what follows from it, without a full stop.
  public let message: String
  /// What to do about it, without a full stop.
  public let advice: String

  /// How bad it is.
  public var severity: Severity { code.severity }

  /// Message and advice in one sentence, without a full stop.
  public var sentence: String { "\(message); \(advice)" }

  /// The finding as JSON: `severity`, `code`, `path`, `message`, `advice`.
  public var document: JSONValue {
    [
      "severity": .string(severity.rawValue), "code": .string(code.rawValue),
      "path": .string(path), "message": .string(message), "advice": .string(advice),
    ]
  }
}
