// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

@available(*, deprecated, message: "The examples call what is deprecated")
extension Examples {
  /// The keys of all flags.
  package func k27() -> [String] {
    let allFeatureKeys = kameleoonClient.getFeatureList()
    return allFeatureKeys
  }

  /// The key of a variation.
  package func k51(featureKey: String) -> String {
    do {
      let variationKey = try kameleoonClient.getFeatureVariationKey(featureKey: featureKey)
      switch variationKey {
      case "on":
        return "the main variation"
      case "alternative":
        return "the alternative variation"
      default:
        return "the default"
      }
    } catch {
      switch error {
      case KameleoonError.sdkNotReady:
        return "not ready"
      case KameleoonError.Feature.notFound:
        return "not found"
      case KameleoonError.Feature.environmentDisabled:
        return "disabled"
      default:
        return "unexpected: \(error)"
      }
    }
  }

  /// The keys of the active flags.
  package func k52() -> [String] {
    let activeFeatures = kameleoonClient.getActiveFeatureList()
    return activeFeatures
  }

  /// The variations of the active flags.
  package func k53() -> [String: Types.Variation] {
    let activeFeatures = kameleoonClient.getActiveFeatures()
    return activeFeatures
  }

  /// The value of a variable.
  package func k54(featureKey: String, variableKey: String) -> String {
    do {
      let value = try kameleoonClient.getFeatureVariable(
        featureKey: featureKey, variableKey: variableKey)
      return value as? String ?? "another type"
    } catch {
      switch error {
      case KameleoonError.sdkNotReady:
        return "not ready"
      case KameleoonError.Feature.notFound:
        return "not found"
      case KameleoonError.Feature.environmentDisabled:
        return "disabled"
      case KameleoonError.Feature.variableNotFound:
        return "variable not found"
      default:
        return "unexpected: \(error)"
      }
    }
  }

  /// The values of all variables of a variation (the documentation has it twice, as K-55 and K-56).
  package func k55(featureKey: String, variationKey: String) -> [String] {
    var allVariables: [String: Any] = [:]
    do {
      allVariables = try kameleoonClient.getFeatureVariationVariables(
        featureKey: featureKey, variationKey: variationKey)
    } catch KameleoonError.sdkNotReady {
      effects.note("not ready")
    } catch KameleoonError.Feature.notFound {
      effects.note("not found")
    } catch KameleoonError.Feature.environmentDisabled {
      effects.note("disabled")
    } catch KameleoonError.Feature.variationNotFound {
      effects.note("variation not found")
    } catch {
      effects.note("unexpected: \(error)")
    }
    return allVariables.keys.sorted()
  }

  /// The same once more.
  package func k56(featureKey: String, variationKey: String) -> [String] {
    k55(featureKey: featureKey, variationKey: variationKey)
  }
}
