// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

/// The deprecated calls, which vectors use as well; behind a protocol their use is no warning.
protocol DeprecatedCalls {
  func featureList() -> [String]
  func activeFeatureList() -> [String]
  func activeFeatures() -> [String: Types.Variation]
  func featureVariationKey(_ featureKey: String) throws -> String
  func featureVariable(_ featureKey: String, _ variableKey: String) throws -> Any?
  func featureVariationVariables(
    _ featureKey: String, _ variationKey: String
  ) throws -> [String: Any]
}

/// Forwards to a client.
struct DeprecatedClient: DeprecatedCalls {
  let client: any AnoleClient

  @available(*, deprecated)
  func featureList() -> [String] { client.getFeatureList() }

  @available(*, deprecated)
  func activeFeatureList() -> [String] { client.getActiveFeatureList() }

  @available(*, deprecated)
  func activeFeatures() -> [String: Types.Variation] { client.getActiveFeatures() }

  @available(*, deprecated)
  func featureVariationKey(_ featureKey: String) throws -> String {
    try client.getFeatureVariationKey(featureKey: featureKey)
  }

  @available(*, deprecated)
  func featureVariable(_ featureKey: String, _ variableKey: String) throws -> Any? {
    try client.getFeatureVariable(featureKey: featureKey, variableKey: variableKey)
  }

  @available(*, deprecated)
  func featureVariationVariables(
    _ featureKey: String, _ variationKey: String
  ) throws -> [String: Any] {
    try client.getFeatureVariationVariables(featureKey: featureKey, variationKey: variationKey)
  }
}
