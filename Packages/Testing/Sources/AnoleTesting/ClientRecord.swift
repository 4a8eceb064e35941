// SPDX-License-Identifier: Apache-2.0

public import kameleoonClient

/// What code under test did with a client.
public struct ClientRecord: Sendable {
  /// An exposure that would have been reported.
  public struct Exposure: Sendable, Hashable {
    /// The flag's key.
    public let featureKey: String
    /// The variation's key.
    public let variationKey: String

    /// Makes an exposure, to compare with.
    ///
    /// - Parameters:
    ///   - featureKey: The flag's key.
    ///   - variationKey: The variation's key.
    public init(featureKey: String, variationKey: String) {
      self.featureKey = featureKey
      self.variationKey = variationKey
    }
  }

  /// A datum that was added.
  public struct Addition: Sendable {
    /// The datum.
    public let datum: any KameleoonData
    /// Whether it would have been reported.
    public let isTracked: Bool
  }

  /// A variation that was forced.
  public struct Forcing: Sendable, Hashable {
    /// The experiment's id.
    public let experimentId: Int
    /// The variation's key; nil where forcing was ended.
    public let variationKey: String?
    /// Whether the conditions were passed over.
    public let forceTargeting: Bool

    /// Makes a forcing, to compare with.
    ///
    /// - Parameters:
    ///   - experimentId: The experiment's id.
    ///   - variationKey: The variation's key.
    ///   - forceTargeting: Whether the conditions were passed over.
    public init(experimentId: Int, variationKey: String?, forceTargeting: Bool = true) {
      self.experimentId = experimentId
      self.variationKey = variationKey
      self.forceTargeting = forceTargeting
    }
  }

  /// A remote call.
  public enum RemoteCall: Sendable, Hashable {
    /// Remote data were asked for, by key.
    case data(key: String)
    /// Data of the visitor were.
    case visitorData(filter: Types.RemoteVisitorDataFilter, addsData: Bool)
    /// Warehouse audiences were.
    case warehouseAudience(key: String, customDataIndex: Int)
  }

  /// The exposures in order.
  public internal(set) var exposures: [Exposure] = []
  /// The flags that were read, by key and in order, whether reported or not.
  public internal(set) var readFlags: [String] = []
  /// The conversions in order, also those that were added as data.
  public internal(set) var conversions: [Conversion] = []
  /// The data in order, conversions included.
  public internal(set) var additions: [Addition] = []
  /// What was said about consent, in order.
  public internal(set) var consents: [Bool] = []
  /// For each flush in order, whether it was instant.
  public internal(set) var flushes: [Bool] = []
  /// The variations that were forced, in order.
  public internal(set) var forcings: [Forcing] = []
  /// How often the audiences were evaluated.
  public internal(set) var audienceEvaluations = 0
  /// The remote calls in order.
  public internal(set) var remoteCalls: [RemoteCall] = []
  /// The limits of waits for readiness in milliseconds, in order; nil for the default limit.
  public internal(set) var waits: [Int?] = []

  /// The custom data that were added, in order.
  public var customData: [CustomData] { additions.compactMap { $0.datum as? CustomData } }

  init() {}
}
