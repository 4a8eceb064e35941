// SPDX-License-Identifier: Apache-2.0

/// A feature flag (section 1.6).
public struct FeatureFlag: Sendable, Hashable {
  /// Id; orders the members of a mutually exclusive group.
  public var id: Int64 = 0
  /// The key application code uses.
  public var key: String = ""
  /// Whether the flag is switched on in this environment.
  public var isEnvironmentEnabled = false
  /// The variation served when no rule yields another.
  public var defaultVariationKey: String = ""
  /// The variations; the first one with a given key counts.
  public var variations: [FlagVariation] = []
  /// The rules, evaluated in this order.
  public var rules: [Rule] = []
  /// The name of the mutually exclusive group; nil for none.
  public var mutuallyExclusiveGroup: String?
  /// The ``CustomDataDefinition/id`` whose value replaces the visitor code as hash key.
  public var bucketingCustomDataID: Int64?

  /// A flag with the defaults of the format.
  public init() {}
}

/// One of the variations of a flag (section 1.7).
public struct FlagVariation: Sendable, Hashable {
  /// The key rules refer to; `off` means inactive.
  public var key: String = ""
  /// The name for people.
  public var name: String = ""
  /// The variables, which may differ from variation to variation.
  public var variables: [Variable] = []

  /// A variation with the defaults of the format.
  public init() {}
}

/// A rule of a flag, with the experiment it carries (section 1.8).
public struct Rule: Sendable, Hashable {
  /// Id; input of the admission hash.
  public var id: Int64
  /// Informative only: the order of the list counts.
  public var order: Int64 = 0
  /// Experiment, delivery, or a kind this version does not know.
  public var type: RuleType = .other("")
  /// The share of the targeted visitors that the rule admits, 0…1.
  public var exposition: Double = 0
  /// Id of the experiment; input of the variation hash.
  public var experimentID: Int64 = 0
  /// The split among admitted visitors.
  public var split: [SplitEntry] = []
  /// The targeting segment; nil for everybody.
  public var segmentID: Int64?
  /// Appended to the hash inputs if not 0, so that changing it draws every visitor anew.
  public var respoolTime: Int64?

  /// A rule with the defaults of the format.
  public init(id: Int64) {
    self.id = id
  }
}

/// What a rule is (section 1.8).
public enum RuleType: Sendable, Hashable {
  /// An experiment: visitors who are not admitted go on to the next rule.
  case experimentation
  /// A delivery: visitors who are targeted but not admitted get the default variation.
  case targetedDelivery
  /// Any other literal; processed like an experiment, but consent does not block it.
  case other(String)

  /// The literal of the format.
  public init(_ literal: String) {
    switch literal {
    case "EXPERIMENTATION": self = .experimentation
    case "TARGETED_DELIVERY": self = .targetedDelivery
    default: self = .other(literal)
    }
  }

  /// The literal of the format.
  public var literal: String {
    switch self {
    case .experimentation: "EXPERIMENTATION"
    case .targetedDelivery: "TARGETED_DELIVERY"
    case .other(let literal): literal
    }
  }
}

/// One entry of a split (section 1.8.1).
public struct SplitEntry: Sendable, Hashable {
  /// The key of the flag's variation that is served.
  public var variationKey: String = ""
  /// The id reported for tracking; an entry without one is served but never saved or tracked.
  public var variationID: Int64?
  /// The share of the admitted visitors, 0…1.
  public var exposition: Double = 0

  /// An entry with the defaults of the format.
  public init() {}
}
