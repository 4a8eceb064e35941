// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation
public import AnoleModels

/// What can become of a visitor who asks for a flag: a variation and the reason, or why there is none.
public struct FlagOutcome: Sendable, Hashable {
  /// Whether a variation is served.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// A variation is served.
    case decided
    /// The visitor refused consent, and that blocks fully.
    case blockedByConsent
    /// The flag is switched off in this environment.
    case switchedOff
    /// The data file has no such flag.
    case absent
  }

  /// Whether a variation is served.
  public let status: Status
  /// The variation's key; nil unless decided.
  public let variationKey: String?
  /// The variation's id; nil for default variations and entries without id.
  public let variationID: Int64?
  /// The experiment; nil for default variations.
  public let experimentID: Int64?
  /// The rule; nil for default variations.
  public let ruleID: Int64?
  /// What led to the variation; nil unless decided.
  public let reason: Decision.Reason?

  /// No variation.
  init(_ status: Status) {
    self.status = status
    variationKey = nil
    variationID = nil
    experimentID = nil
    ruleID = nil
    reason = nil
  }

  /// A default variation.
  init(variationKey: String, reason: Decision.Reason) {
    status = .decided
    self.variationKey = variationKey
    variationID = nil
    experimentID = nil
    ruleID = nil
    self.reason = reason
  }

  /// An entry of a rule's split.
  init(_ entry: SplitEntry, of rule: Rule, reason: Decision.Reason) {
    status = .decided
    variationKey = entry.variationKey
    variationID = entry.variationID
    experimentID = rule.experimentID
    ruleID = rule.id
    self.reason = reason
  }

  /// What was decided.
  public init(_ decision: Decision) {
    status = .decided
    variationKey = decision.variationKey
    variationID = decision.variationID
    experimentID = decision.experimentID
    ruleID = decision.ruleID
    reason = decision.reason
  }

  /// Why nothing was decided.
  public init(_ error: EvaluationError) {
    switch error {
    case .environmentDisabled: self.init(.switchedOff)
    case .blockedByConsent: self.init(.blockedByConsent)
    default: self.init(.absent)
    }
  }

  /// Whether all is the same; keys are compared byte by byte.
  public static func == (left: FlagOutcome, right: FlagOutcome) -> Bool {
    left.status == right.status && left.reason == right.reason && left.ruleID == right.ruleID
      && left.variationID == right.variationID && left.experimentID == right.experimentID
      && left.servesSameVariation(as: right)
  }

  /// Feeds what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(ruleID)
    hasher.combine(variationID)
    hasher.combine(reason)
    hasher.combine(variationKey.map(ExactText.init))
  }

  /// Whether the application gets the same variation key, or none both times.
  public func servesSameVariation(as other: FlagOutcome) -> Bool {
    switch (variationKey, other.variationKey) {
    case (nil, nil): true
    case (let left?, let right?): left.hasSameBytes(as: right)
    default: false
    }
  }

  /// The reason in words.
  public var explanation: String {
    switch status {
    case .decided:
      (reason?.sentence ?? "") + (ruleID.map { " (rule \($0))" } ?? "")
    case .blockedByConsent: "not decided, consent was refused and that blocks fully"
    case .switchedOff: "not decided, switched off in this environment"
    case .absent: "not decided, no such flag"
    }
  }

  /// `variation` (null unless decided), `status`, `reason`, `explanation`, `ruleId`, `experimentId`,
  /// `variationId`.
  public var document: JSONValue {
    [
      "variation": .text(variationKey), "status": .string(status.rawValue),
      "reason": .text(reason?.rawValue), "explanation": .string(explanation),
      "ruleId": .id(ruleID), "experimentId": .id(experimentID), "variationId": .id(variationID),
    ]
  }
}
