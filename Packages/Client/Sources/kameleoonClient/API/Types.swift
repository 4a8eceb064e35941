// SPDX-License-Identifier: Apache-2.0

/// What flags and their parts are handed out as (API specification, section 2.5).
public enum Types: Sendable {
  /// What the configuration in force says about all flags.
  public struct DataFile: Sendable, Hashable {
    /// The flags by key.
    public let featureFlags: [String: FeatureFlag]
    /// When the configuration was last changed, in milliseconds since 1970; 0 if it does not say.
    public let dateModified: Int

    /// Makes a data file.
    ///
    /// - Parameters:
    ///   - featureFlags: The flags by key.
    ///   - dateModified: Milliseconds since 1970.
    public init(featureFlags: [String: FeatureFlag], dateModified: Int = 0) {
      self.featureFlags = featureFlags
      self.dateModified = dateModified
    }
  }

  /// A flag, without regard to a visitor.
  public struct FeatureFlag: Sendable, Hashable {
    /// Whether it is switched on in the environment.
    public let environmentEnabled: Bool
    /// The key of the variation that is served when no rule serves another.
    public let defaultVariationKey: String
    /// The variations by key.
    public let variations: [String: Variation]
    /// The rules in order.
    public let rules: [Rule]

    /// The variation that is served when no rule serves another; nil if the flag has none with the key.
    public var defaultVariation: Variation? { variations[defaultVariationKey] }

    /// Makes a flag.
    ///
    /// - Parameters:
    ///   - environmentEnabled: Whether it is switched on.
    ///   - defaultVariationKey: The key of the default variation.
    ///   - variations: The variations by key.
    ///   - rules: The rules in order.
    public init(
      environmentEnabled: Bool, defaultVariationKey: String, variations: [String: Variation],
      rules: [Rule] = []
    ) {
      self.environmentEnabled = environmentEnabled
      self.defaultVariationKey = defaultVariationKey
      self.variations = variations
      self.rules = rules
    }
  }

  /// A rule of a flag.
  public struct Rule: Sendable, Hashable {
    /// The variations it may serve, by key, with the ids it reports.
    public let variations: [String: Variation]

    /// Makes a rule.
    ///
    /// - Parameter variations: The variations it may serve, by key.
    public init(variations: [String: Variation]) {
      self.variations = variations
    }
  }
}
