// SPDX-License-Identifier: Apache-2.0

/// A project's configuration as it stands in the data file (format v3, section 1).
///
/// A plain value; ``DataFile/init(parsing:)`` reads it leniently. To decide with it, compile it
/// into a snapshot of `AnoleEvaluation`.
public struct DataFile: Sendable, Hashable {
  /// When the file was last changed; 0 if it does not say.
  public var dateModified: Timestamp = Timestamp(milliseconds: 0)
  /// Settings.
  public var configuration = Configuration()
  /// The declared custom data; entries without index are left out.
  public var customData: [CustomDataDefinition] = []
  /// The targeting segments.
  public var segments: [Segment] = []
  /// The flags in file order.
  public var featureFlags: [FeatureFlag] = []
  /// The global holdout experiment, if there is one.
  public var holdout: Holdout?

  /// An empty data file.
  public init() {}
}

/// The settings of a data file (section 1.3).
public struct Configuration: Sendable, Hashable {
  /// What happens to experiments when the visitor has refused consent.
  public enum ConsentOptOutBehavior: Sendable, Hashable {
    /// Experiments yield the default variation; deliveries go on.
    case partiallyBlock
    /// Evaluation of experiments fails as if the environment were disabled.
    case fullyBlock
  }

  /// Whether configuration changes are streamed; otherwise the file is polled.
  public var isRealTimeUpdate = false
  /// Whether legal consent is required (`consentType` is `REQUIRED`).
  public var isConsentRequired = false
  /// What a refusal means.
  public var consentOptOutBehavior = ConsentOptOutBehavior.partiallyBlock
  /// The host of the Data API to use from now on; nil to keep the usual one.
  public var dataAPIDomain: String?

  /// The defaults.
  public init() {}
}

/// A declared custom datum (section 1.4).
public struct CustomDataDefinition: Sendable, Hashable {
  /// How long the server keeps a value.
  public enum Scope: Sendable, Hashable {
    /// `PAGE`.
    case page
    /// `VISIT`.
    case visit
    /// `VISITOR`: values that came from the server are sent again with the next request.
    case visitor
    /// Whatever else the file says.
    case other(String)
  }

  /// Internal id, which a flag's `bucketingCustomDataId` refers to.
  public var id: Int64?
  /// The index application code uses, from 0.
  public var index: Int
  /// The name application code may use instead of the index; compared byte by byte.
  public var name: String?
  /// How long the server keeps a value; nil if the file does not say.
  public var scope: Scope?
  /// Whether the value is used for targeting but never sent.
  public var isLocalOnly = false
  /// Whether the index carries the cross-device user id.
  public var isMappingIdentifier = false

  /// A datum with an index and nothing else said about it.
  public init(index: Int) {
    self.index = index
  }
}

/// A targeting segment (section 1.5).
public struct Segment: Sendable, Hashable {
  /// The conditions as they stand in the file.
  public enum Conditions: Sendable, Hashable {
    /// None: everybody is targeted.
    case everybody
    /// The JSON object `conditionsData`, which `AnoleTargeting` compiles.
    case tree(RawJSON)
    /// Something else than an object stands there: nobody is targeted.
    case unreadable
  }

  /// The id that rules and `SEGMENT` conditions refer to.
  public var id: Int64
  /// Whether the segment takes part in the evaluation of audiences.
  public var isAudienceTracked = false
  /// Where the segment stands in its file's list, for diagnostics; nil for one made in code.
  public var position: Int?
  /// Who is in the segment.
  public var conditions = Conditions.everybody

  /// A segment of everybody.
  public init(id: Int64) {
    self.id = id
  }
}

/// The global holdout: an experiment without rule (section 1.9).
public struct Holdout: Sendable, Hashable {
  /// The variation key that means "in the holdout".
  public static let inHoldoutKey = "in-holdout"

  /// Id of the experiment; input of the holdout hash.
  public var experimentID: Int64
  /// The split; the entry with ``inHoldoutKey`` takes visitors out of every flag.
  public var split: [SplitEntry]

  /// Makes a holdout.
  public init(experimentID: Int64, split: [SplitEntry]) {
    self.experimentID = experimentID
    self.split = split
  }
}
