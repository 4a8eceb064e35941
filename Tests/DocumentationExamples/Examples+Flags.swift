// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

extension Examples {
  /// Whether a feature is active, with and without report of the exposure.
  package func k22(featureKey: String) -> Bool {
    var hasFeature = false
    do {
      hasFeature = try kameleoonClient.isFeatureActive(featureKey: featureKey)

      // Without report of the exposure:
      hasFeature = try kameleoonClient.isFeatureActive(featureKey: featureKey, track: false)
    } catch {
      switch error {
      case KameleoonError.sdkNotReady:
        effects.note("not ready")
      case KameleoonError.Feature.notFound:
        effects.note("not found")
      default:
        effects.note("unexpected: \(error)")
      }
    }
    return hasFeature
  }

  /// A variation, with and without report of the exposure.
  package func k23(featureKey: String) -> String {
    var variation: Types.Variation?
    do {
      variation = try kameleoonClient.getVariation(featureKey: featureKey)

      // Without report of the exposure:
      variation = try kameleoonClient.getVariation(featureKey: featureKey, track: false)
    } catch {
      switch error {
      case KameleoonError.sdkNotReady:
        effects.note("not ready")
      case KameleoonError.Feature.notFound:
        effects.note("not found")
      case KameleoonError.Feature.environmentDisabled:
        effects.note("disabled")
      default:
        effects.note("unexpected: \(error)")
      }
    }
    let title = variation?.variables["title"]?.value as? String
    switch variation?.key {
    case "on":
      return title ?? "on"
    case "alternative":
      return "alternative"
    default:
      return "default"
    }
  }

  /// The variations of all flags, of the active ones, and without report.
  package func k24() throws -> [[String: Types.Variation]] {
    do {
      let variations = try kameleoonClient.getVariations()
      let activeVariations = try kameleoonClient.getVariations(onlyActive: true)
      let untrackedVariations = try kameleoonClient.getVariations(onlyActive: true, track: false)
      return [variations, activeVariations, untrackedVariations]
    } catch KameleoonError.sdkNotReady {
      effects.note("not ready")
      return []
    }
  }

  /// Forcing a variation of an experiment, and ending it.
  package func k25(experimentId: Int) {
    do {
      try kameleoonClient.setForcedVariation(experimentId: experimentId, variationKey: "on")
      // The conditions still count:
      try kameleoonClient.setForcedVariation(
        experimentId: experimentId, variationKey: "on", forceTargeting: false)
      // Reset:
      try kameleoonClient.setForcedVariation(experimentId: experimentId, variationKey: nil)
    } catch KameleoonError.Feature.experimentNotFound {
      effects.note("experiment not found")
    } catch KameleoonError.Feature.variationNotFound {
      effects.note("variation not found")
    } catch {
      effects.note("unexpected: \(error)")
    }
  }

  /// The audiences of the visitor.
  package func k26() {
    do {
      try kameleoonClient.evaluateAudiences()
    } catch {
      effects.note("not ready")
    }
  }

  /// What the configuration says about all flags.
  package func k28() -> Types.DataFile? {
    do {
      let dataFile = try kameleoonClient.getDataFile()
      return dataFile
    } catch KameleoonError.sdkNotReady {
      effects.note("not ready")
    } catch {
      effects.note("unexpected: \(error)")
    }
    return nil
  }

  /// The parts of a data file.
  package func k46(dataFile: Types.DataFile) -> (Int, Int) {
    let featureFlags = dataFile.featureFlags
    let dateModified = dataFile.dateModified
    return (featureFlags.count, dateModified)
  }

  /// The parts of a flag.
  package func k47(featureFlag: Types.FeatureFlag) -> [String] {
    let environmentEnabled = featureFlag.environmentEnabled
    let defaultVariationKey = featureFlag.defaultVariationKey
    let defaultVariation = featureFlag.defaultVariation
    let variations = featureFlag.variations
    let rules = featureFlag.rules
    return [
      "\(environmentEnabled)", defaultVariationKey, defaultVariation?.name ?? "none",
      "\(variations.count)", "\(rules.count)",
    ]
  }

  /// The parts of a rule.
  package func k48(rule: Types.Rule) -> [String] {
    let variations = rule.variations
    return variations.keys.sorted()
  }

  /// The parts of a variation.
  package func k49(variation: Types.Variation) -> [String] {
    let name = variation.name
    let key = variation.key
    let id = variation.id
    let experimentId = variation.experimentId
    let variables = variation.variables
    return [name, key, "\(id)", "\(experimentId)", "\(variables.count)"]
  }

  /// The value of a variable by its type.
  package func k50(variables: [String: Types.Variable]) -> [String] {
    let boolValue = variables["bool"]?.value as? Bool
    let numberValue = variables["number"]?.value as? NSNumber
    let stringValue = variables["string"]?.value as? String
    return [
      boolValue.map { "\($0)" } ?? "none", numberValue?.stringValue ?? "none",
      stringValue ?? "none",
    ]
  }
}
