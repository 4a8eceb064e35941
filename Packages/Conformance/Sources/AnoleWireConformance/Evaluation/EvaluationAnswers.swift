// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleWireRecordings
import kameleoonClient

/// Writes what the public interface returns in the form of the evaluation vectors.
enum EvaluationAnswers {
  static func variation(_ variation: Types.Variation, withVariables: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "key", value: .string(variation.key)),
      .init(key: "name", value: .string(variation.name)),
      .init(key: "id", value: id(variation.id)),
      .init(key: "experimentId", value: id(variation.experimentId)),
    ]
    if withVariables {
      let variables = variation.variables.values.map { variable in
        JSONValue.Member(
          key: variable.key, value: [.string(variable.type), native(variable.value)])
      }
      members.append(.init(key: "variables", value: .object(variables)))
    }
    return .object(members)
  }

  static func variations(
    _ variations: [String: Types.Variation], withVariables: Bool
  ) -> JSONValue {
    .object(
      variations.map {
        .init(key: $0.key, value: variation($0.value, withVariables: withVariables))
      })
  }

  static func dataFile(_ dataFile: Types.DataFile) -> JSONValue {
    let flags = dataFile.featureFlags.map { key, flag in
      JSONValue.Member(
        key: key,
        value: [
          "environmentEnabled": .bool(flag.environmentEnabled),
          "defaultVariationKey": .string(flag.defaultVariationKey),
          "variations": variations(flag.variations, withVariables: true),
          "rules": .array(
            flag.rules.map { variations($0.variations, withVariables: false) }),
        ])
    }
    return [
      "dateModified": .number(.integer(Int64(dataFile.dateModified))),
      "featureFlags": .object(flags),
    ]
  }

  /// A value as the interface hands it out: `Bool`, `Int`, `Double`, `String`, lists, dictionaries, nil.
  static func native(_ value: Any?) -> JSONValue {
    switch value {
    case nil: .null
    case let value as Bool: .bool(value)
    case let value as Int: .number(.integer(Int64(value)))
    case let value as Double: .number(.double(value))
    case let value as String: .string(value)
    case let values as [Any?]: .array(values.map(native))
    case let members as [String: Any?]:
      .object(members.map { .init(key: $0.key, value: native($0.value)) })
    case .some(let other): .string("a value of type \(type(of: other))")
    }
  }

  /// The name of an error in the vectors; nil for errors that they do not have.
  static func name(of error: any Error) -> String? {
    switch error {
    case KameleoonError.visitorCodeInvalid: "visitorCodeInvalid"
    case KameleoonError.Feature.notFound: "featureNotFound"
    case KameleoonError.Feature.environmentDisabled: "featureEnvironmentDisabled"
    case KameleoonError.Feature.variationNotFound: "featureVariationNotFound"
    case KameleoonError.Feature.variableNotFound: "featureVariableNotFound"
    case KameleoonError.Feature.experimentNotFound: "featureExperimentNotFound"
    default: nil
    }
  }

  /// A tracking line as an event of the vectors; nil for kinds that they do not list.
  static func event(_ line: TrackingLine) throws(WireFormatError) -> JSONValue? {
    func number(_ name: String) throws(WireFormatError) -> JSONValue {
      guard let number = line[name].flatMap(Double.init) else {
        throw WireFormatError("\(name) is no number in \(line.text)")
      }
      return .number(.double(number))
    }
    func flag(_ name: String) -> JSONValue { .bool(line[name] == "true") }
    switch line.kind {
    case .experiment:
      return [
        "type": "experiment", "experimentId": try number("id"),
        "variationId": try number("variationId"),
      ]
    case .segment: return ["type": "targetingSegment", "id": try number("id")]
    case .conversion:
      return [
        "type": "conversion", "goalId": try number("goalId"), "revenue": try number("revenue"),
        "negative": flag("negative"),
      ]
    case .customData:
      // The comparison of lines reports what is no JSON.
      let map = (try? JSONValue(parsing: line["valuesCountMap"] ?? "")) ?? .null
      let values = (map.objectValue ?? []).map { JSONValue.string($0.key) }
      return WireData.object([
        ("type", "customData"), ("index", try number("index")), ("values", .array(values)),
        ("overwrite", flag("overwrite")),
        ("mappingIdentifier", line["mappingIdentifier"].map { .bool($0 == "true") }),
      ])
    case .staticData, .geolocation, .visits, .page, .activity: return nil
    }
  }

  private static func id(_ value: Int) -> JSONValue {
    value == -1 ? .null : .number(.integer(Int64(value)))
  }
}
