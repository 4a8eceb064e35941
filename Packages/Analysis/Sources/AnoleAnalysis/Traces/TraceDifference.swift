// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// A step of an evaluation that came out, or is said, differently in two traces.
public struct TraceDifference: Sendable, Hashable {
  /// The step, in the order of the pipeline; the raw values are stable.
  public enum Step: String, Sendable, Hashable, Codable, CaseIterable {
    /// The flag is in one data file only.
    case flag
    /// A simulated variation.
    case simulation
    /// The flag is switched on or off.
    case environment
    /// What consent is asked for, what the visitor said, what a refusal blocks.
    case consent
    /// What is hashed.
    case hashKey = "hash-key"
    /// The global holdout.
    case holdout
    /// The mutually exclusive group.
    case group
    /// A rule; see ``TraceDifference/part``.
    case rule
    /// The default variation.
    case defaultVariation = "default-variation"
  }

  /// The part of a rule; the raw values are stable.
  public enum Part: String, Sendable, Hashable, Codable, CaseIterable {
    /// The rule was looked at in one of the traces only: it is new, gone, or stands elsewhere.
    case presence
    /// The rules stand in another order.
    case order
    /// Whether the rule is an experiment or a delivery.
    case type
    /// A variation forced for its experiment.
    case forced
    /// The segment it targets.
    case segment
    /// A condition of its segment.
    case condition
    /// Whether it admits the visitor.
    case admission
    /// Whether refused consent blocks it.
    case consent
    /// Contextual bandit scores.
    case bandit
    /// The range of its split that the visitor falls into.
    case range
    /// The variation that a delivery serves.
    case delivery
  }

  /// The step.
  public let step: Step
  /// The rule, if the step is one.
  public let ruleID: Int64?
  /// The part of the rule, if the step is one.
  public let part: Part?
  /// How it came out before.
  public let before: String
  /// How it came out after.
  public let after: String

  init(
    _ step: Step, rule: Int64? = nil, part: Part? = nil, before: String, after: String
  ) {
    self.step = step
    ruleID = rule
    self.part = part
    self.before = before
    self.after = after
  }

  /// The step in words: `rule 6003, admission`.
  public var place: String {
    switch step {
    case .flag: "flag"
    case .simulation: "simulation"
    case .environment: "environment"
    case .consent: "consent"
    case .hashKey: "hash key"
    case .holdout: "holdout"
    case .group: "group"
    case .rule: "rule \(ruleID ?? 0)" + (part.map { ", \($0.rawValue)" } ?? "")
    case .defaultVariation: "default variation"
    }
  }

  /// The difference as JSON: `step`, `ruleId`, `part`, `before`, `after`.
  public var document: JSONValue {
    [
      "step": .string(step.rawValue), "ruleId": .id(ruleID), "part": .text(part?.rawValue),
      "before": .string(before), "after": .string(after),
    ]
  }
}
