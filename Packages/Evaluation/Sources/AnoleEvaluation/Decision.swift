// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// What a visitor gets of a flag, and why.
public struct Decision: Sendable, Hashable {
  /// What led to the variation.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// The split of an experiment, or of a rule of unknown type.
    case experiment
    /// A targeted delivery.
    case targetedDelivery
    /// Contextual bandit scores.
    case bandit
    /// A variation forced for the experiment.
    case forced
    /// A simulated variation.
    case simulated
    /// The visitor is in the global holdout: default variation.
    case inHoldout
    /// Another flag of the mutually exclusive group was picked: default variation.
    case excludedByGroup
    /// A delivery targets the visitor and does not admit or serve anything: default variation.
    case notDelivered
    /// The visitor refused consent and an experiment would have applied: default variation.
    case consentRefused
    /// No rule applied: default variation.
    case noRuleApplied
  }

  /// The position of the flag in the snapshot.
  let flag: Int32
  /// The position of the variation among the snapshot's variations; negative if the flag has none
  /// with the key.
  let variation: Int32
  /// The kind of rule, for what may be sent without consent.
  let origin: Assignment.Origin
  /// The holdout entry that the visitor was assigned, in or out; nil without holdout.
  let holdoutVariationID: Int64?

  /// The key of the variation to serve.
  public let variationKey: String
  /// The variation's id; nil for the default variation and for entries without id.
  public let variationID: Int64?
  /// The experiment's id; nil for the default variation.
  public let experimentID: Int64?
  /// The rule that decided; nil for the default variation.
  public let ruleID: Int64?
  /// Why.
  public let reason: Reason

  /// The position of the flag in the data file, from 0; of use for tables that are built once a
  /// snapshot.
  public var flagPosition: Int { Int(flag) }
  /// The position of the variation among all variations of all flags of the snapshot in file order,
  /// below ``Snapshot/variationCount``; nil if the flag has none with the key.
  public var variationPosition: Int? { variation >= 0 ? Int(variation) : nil }

  /// Whether the feature is active: the key is not `off` (section 3.1).
  public var isActive: Bool { variationKey != Self.offKey }

  /// The variation key that means inactive.
  static let offKey = "off"
}
