// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// Writes results in the form of the vectors.
enum VectorAnswers {
  static func variation(
    _ variation: Variation, withVariables: Bool
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "key", value: .string(variation.key)),
      .init(key: "name", value: .string(variation.name)),
      .init(key: "id", value: number(variation.id)),
      .init(key: "experimentId", value: number(variation.experimentID)),
    ]
    if withVariables {
      let variables = variation.variables.map { variable in
        JSONValue.Member(
          key: variable.key, value: [.string(variable.type), variable.value.jsonValue])
      }
      members.append(.init(key: "variables", value: .object(variables)))
    }
    return .object(members)
  }

  static func dataFile(_ snapshot: Snapshot) -> JSONValue {
    let flags = snapshot.overview().map { flag in
      let rules = flag.rules.map { variations in
        JSONValue.object(
          variations.map { .init(key: $0.key, value: variation($0, withVariables: false)) })
      }
      let variations = flag.variations.map {
        JSONValue.Member(key: $0.key, value: variation($0, withVariables: true))
      }
      return JSONValue.Member(
        key: flag.key,
        value: [
          "environmentEnabled": .bool(flag.isEnvironmentEnabled),
          "defaultVariationKey": .string(flag.defaultVariationKey),
          "variations": .object(variations), "rules": .array(rules),
        ])
    }
    return [
      "dateModified": .number(.integer(snapshot.dataFile.dateModified.milliseconds)),
      "featureFlags": .object(flags),
    ]
  }

  /// The vectors list exposures, custom data, conversions and segments; nil for the other kinds.
  static func event(_ event: TrackingEvent) -> JSONValue? {
    switch event {
    case .experiment(let experimentID, let variationID):
      return [
        "type": "experiment", "experimentId": .number(.integer(experimentID)),
        "variationId": .number(.integer(variationID)),
      ]
    case .customData(let index, let values, let isOverwriting, let isMappingIdentifier):
      var members: [JSONValue.Member] = [
        .init(key: "type", value: "customData"),
        .init(key: "index", value: .number(.integer(Int64(index)))),
        .init(key: "values", value: .array(values.map(JSONValue.string))),
        .init(key: "overwrite", value: .bool(isOverwriting)),
      ]
      if isMappingIdentifier { members.append(.init(key: "mappingIdentifier", value: true)) }
      return .object(members)
    case .conversion(let goalID, let revenue, let isNegative, _):
      return [
        "type": "conversion", "goalId": .number(.integer(goalID)),
        "revenue": .number(.double(revenue)), "negative": .bool(isNegative),
      ]
    case .targetedSegment(let id):
      return ["type": "targetingSegment", "id": .number(.integer(id))]
    case .activity, .geolocation, .device, .operatingSystem, .browser, .visits, .pageView:
      return nil
    }
  }

  private static func number(_ value: Int64?) -> JSONValue {
    value.map { .number(.integer($0)) } ?? .null
  }
}
