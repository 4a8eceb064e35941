// SPDX-License-Identifier: Apache-2.0

// What stand-ins get that do not write the deprecated members themselves. The client of this module has
// its own of each, since two of them must not save an assignment.

extension KameleoonClient {
  /// The keys of all flags, also of those that are switched off.
  @available(*, deprecated, message: "Use getDataFile().featureFlags instead")
  public func getFeatureList() -> [String] {
    // Without a configuration there are no keys.
    guard let dataFile = try? getDataFile() else { return [] }
    return dataFile.featureFlags.keys.sorted()
  }

  /// The key of the variation that the visitor gets.
  ///
  /// - Throws: As ``getVariation(featureKey:track:)``.
  @available(*, deprecated, message: "Use getVariation(featureKey:track:).key instead")
  public func getFeatureVariationKey(featureKey: String) throws -> String {
    try getVariation(featureKey: featureKey, track: true).key
  }

  /// The keys of the flags of which the visitor gets a variation other than `off`.
  @available(*, deprecated, message: "Use getVariations(onlyActive:track:).keys instead")
  public func getActiveFeatureList() -> [String] {
    getActiveFeatures().keys.sorted()
  }

  /// The variations that the visitor gets of all flags but those that are `off`, by flag key.
  @available(*, deprecated, message: "Use getVariations(onlyActive:track:) instead")
  public func getActiveFeatures() -> [String: Types.Variation] {
    // Without a configuration there are no variations.
    (try? getVariations(onlyActive: true, track: false)) ?? [:]
  }

  /// The value of a variable in the variation that the visitor gets.
  ///
  /// - Throws: As ``getVariation(featureKey:track:)``, and
  ///   ``KameleoonError/Feature/variableNotFound(_:_:_:)``.
  @available(*, deprecated, message: "Use getVariation(featureKey:track:).variables instead")
  public func getFeatureVariable(featureKey: String, variableKey: String) throws -> Any? {
    let variation = try getVariation(featureKey: featureKey, track: true)
    guard let variable = variation.variables[variableKey] else {
      throw KameleoonError.Feature.variableNotFound(featureKey, variation.key, variableKey)
    }
    return variable.value
  }

  /// The values of all variables of a variation that have one, by variable key.
  ///
  /// - Throws: ``KameleoonError/sdkNotReady``, ``KameleoonError/Feature/notFound(_:)``,
  ///   ``KameleoonError/Feature/environmentDisabled(_:_:)``,
  ///   ``KameleoonError/Feature/variationNotFound(_:_:)``.
  @available(*, deprecated, message: "Use getDataFile().featureFlags instead")
  public func getFeatureVariationVariables(
    featureKey: String, variationKey: String
  ) throws -> [String: Any] {
    guard let flag = try getDataFile().featureFlags[featureKey] else {
      throw KameleoonError.Feature.notFound(featureKey)
    }
    guard flag.environmentEnabled else {
      throw KameleoonError.Feature.environmentDisabled(featureKey, nil)
    }
    guard let variation = flag.variations[variationKey] else {
      throw KameleoonError.Feature.variationNotFound(featureKey, variationKey)
    }
    return variation.variables.compactMapValues(\.value)
  }
}
