// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// A variation as it is handed out: what the flag says about it and where it comes from.
public struct Variation: Sendable, Hashable {
  /// The key.
  public let key: String
  /// The name for people; empty if the flag has no variation with the key.
  public let name: String
  /// The id that is reported; nil for a default variation.
  public let id: Int64?
  /// The experiment; nil for a default variation.
  public let experimentID: Int64?
  /// The variables in file order.
  public let variables: [Variable]

  /// The variable with a key (the last one, should it occur twice); nil if there is none.
  public func variable(_ key: String) -> Variable? {
    variables.last { $0.key.hasSameBytes(as: key) }
  }
}

/// What a data file says about a flag, without a visitor (section 3.9).
public struct FlagOverview: Sendable, Hashable {
  /// The flag's key.
  public let key: String
  /// Whether the flag is switched on in this environment.
  public let isEnvironmentEnabled: Bool
  /// The key of the default variation.
  public let defaultVariationKey: String
  /// The variations, without ids.
  public let variations: [Variation]
  /// For each rule, in order, the variations of its split that exist on the flag, with ids.
  public let rules: [[Variation]]

  /// The default variation; nil if the flag has none with the key.
  public var defaultVariation: Variation? {
    variations.first { $0.key.hasSameBytes(as: defaultVariationKey) }
  }
}
