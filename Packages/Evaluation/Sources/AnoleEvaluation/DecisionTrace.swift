// SPDX-License-Identifier: Apache-2.0

public import AnoleTargeting

/// Every step that led to a decision, for people and programs to read.
///
/// It names the visitor's hash key and data: treat it as personal data.
public struct DecisionTrace: Sendable, Hashable, Codable {
  /// What a hash was made of and where it fell.
  public struct Hash: Sendable, Hashable, Codable {
    /// The text that was hashed: hash key and suffix.
    public let input: String
    /// The value, 0…1.
    public let value: Double
  }

  /// An entry of a split with the upper end of its range.
  public struct Range: Sendable, Hashable, Codable {
    /// The variation key.
    public let variationKey: String
    /// The variation id, if the entry has one.
    public let variationID: Int64?
    /// The running sum of expositions: the greatest hash value that falls into the entry.
    public let upTo: Double
    /// Whether the entry was chosen.
    public let isChosen: Bool
  }

  /// Where the hash key comes from (section 3.2).
  public enum HashKeySource: String, Sendable, Hashable, Codable {
    /// The visitor code, the mapping identifier, or a custom datum named by the flag.
    case visitorCode, mappingIdentifier, customData
  }

  /// Consent as far as it matters.
  public struct Consent: Sendable, Hashable, Codable {
    /// Whether the data file asks for it.
    public let isRequired: Bool
    /// The visitor's state: `unknown`, `given` or `refused`.
    public let state: String
    /// Whether a refusal blocks fully.
    public let blocksFully: Bool
  }

  /// The global holdout.
  public struct Holdout: Sendable, Hashable, Codable {
    /// The experiment.
    public let experimentID: Int64
    /// Where the visitor fell.
    public let hash: Hash
    /// The split.
    public let ranges: [Range]
    /// Whether the visitor is kept out of every flag.
    public let isInHoldout: Bool
  }

  /// The mutually exclusive group.
  public struct Group: Sendable, Hashable, Codable {
    /// The name.
    public let name: String
    /// The members' feature keys by ascending flag id.
    public let members: [String]
    /// Where the visitor fell; nil if a single member never restricts.
    public let hash: Hash?
    /// The member that may be evaluated.
    public let picked: String
  }

  /// A rule that was looked at.
  public struct Rule: Sendable, Hashable, Codable {
    /// What the rule did.
    public enum Outcome: String, Sendable, Hashable, Codable {
      /// The visitor is not targeted: next rule.
      case notTargeted
      /// The hash is above the exposition: next rule, or the end for a delivery.
      case notAdmitted
      /// Consent was refused: the end.
      case blockedByConsent
      /// The split sums to less than the hash: next rule.
      case splitExhausted
      /// A delivery without entries: the end.
      case emptyDelivery
      /// A variation was served.
      case served
    }

    /// The rule's id.
    public let id: Int64
    /// The rule's type literal.
    public let type: String
    /// The experiment's id.
    public let experimentID: Int64
    /// The conditions; nil if the rule is open to everybody or targeting was skipped.
    public internal(set) var segment: SegmentTrace?
    /// How a variation was forced: with or without targeting; nil if none was.
    public internal(set) var forced: String?
    /// The admission hash; nil if it was not reached.
    public internal(set) var admission: Hash?
    /// The share of admitted visitors.
    public let exposition: Double
    /// The variation ids that bandit scores leave, best group; empty if there are none.
    public internal(set) var banditCandidates: [Int64] = []
    /// The variation hash; nil if it was not needed.
    public internal(set) var choice: Hash?
    /// The split; empty if it was not needed.
    public internal(set) var ranges: [Range] = []
    /// What the rule did.
    public internal(set) var outcome: Outcome = .notTargeted
  }

  /// The result.
  public struct Outcome: Sendable, Hashable, Codable {
    /// The variation key to serve.
    public let variationKey: String
    /// The variation's id, if there is one.
    public let variationID: Int64?
    /// The experiment's id, if a rule decided.
    public let experimentID: Int64?
    /// Why.
    public let reason: Decision.Reason
  }

  /// The flag.
  public let featureKey: String
  /// The visitor.
  public let visitorCode: String
  /// What is hashed instead of, or as, the visitor code.
  public internal(set) var hashKey = ""
  /// Where it comes from.
  public internal(set) var hashKeySource = HashKeySource.visitorCode
  /// Consent.
  public internal(set) var consent: Consent
  /// Whether the flag is switched on.
  public internal(set) var isEnvironmentEnabled = true
  /// Whether a simulated variation decided.
  public internal(set) var isSimulated = false
  /// The holdout, if the data file has one and it was reached.
  public internal(set) var holdout: Holdout?
  /// The group, if the flag is in one and it was reached.
  public internal(set) var group: Group?
  /// The rules that were looked at, in order.
  public internal(set) var rules: [Rule] = []
  /// The result; nil if the evaluation failed.
  public internal(set) var outcome: Outcome?
  /// Why the evaluation failed; nil if it did not.
  public internal(set) var failure: String?

  init(featureKey: String, visitorCode: String, consent: Consent) {
    self.featureKey = featureKey
    self.visitorCode = visitorCode
    self.consent = consent
  }
}
