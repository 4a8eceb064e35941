// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// How elements of a data file are told in changes.
extension DataFileComparison {
  static func state(_ flag: FeatureFlag) -> String {
    let rules = flag.rules.count == 1 ? "1 rule" : "\(flag.rules.count) rules"
    return "switched \(flag.isEnvironmentEnabled ? "on" : "off"), \(rules)"
  }

  static func document(_ flag: FeatureFlag) -> JSONValue {
    [
      "id": .id(flag.id), "enabled": .bool(flag.isEnvironmentEnabled),
      "default": .string(flag.defaultVariationKey), "group": .text(flag.mutuallyExclusiveGroup),
      "bucketingCustomDataId": .id(flag.bucketingCustomDataID),
      "variations": .array(flag.variations.map(document)),
      "rules": .array(flag.rules.map(document)),
    ]
  }

  static func document(_ variation: FlagVariation) -> JSONValue {
    [
      "key": .string(variation.key), "name": .string(variation.name),
      "variables": .array(variation.variables.map(document)),
    ]
  }

  static func document(_ variable: Variable) -> JSONValue {
    [
      "key": .string(variable.key), "type": .string(variable.type),
      "value": variable.value.jsonValue,
    ]
  }

  /// A variable's value, and its type if that is not evident, shortened.
  static func short(_ variable: Variable) -> String {
    let text = variable.value.jsonValue.text()
    let limit = 80
    let shown = text.count > limit ? String(text.prefix(limit)) + "…" : text
    return variable.type.isEmpty ? shown : "\(shown) (\(variable.type))"
  }

  static func document(_ rule: Rule) -> JSONValue {
    [
      "id": .id(rule.id), "type": .string(rule.type.literal), "exposition": .real(rule.exposition),
      "experimentId": .id(rule.experimentID), "segmentId": .id(rule.segmentID),
      "respoolTime": .id(rule.respoolTime), "split": document(rule.split),
    ]
  }

  static func summary(_ rule: Rule) -> String {
    let type = rule.type.literal.isEmpty ? "without type" : rule.type.literal
    let audience = rule.segmentID.map { "segment \($0)" } ?? "everybody"
    return "\(type), \(audience), exposition \(rule.exposition), \(ranges(rule.split))"
  }

  static func document(_ holdout: Holdout) -> JSONValue {
    ["experimentId": .id(holdout.experimentID), "split": document(holdout.split)]
  }

  static func document(_ datum: CustomDataDefinition) -> JSONValue {
    let scope: JSONValue =
      switch datum.scope {
      case .page?: "PAGE"
      case .visit?: "VISIT"
      case .visitor?: "VISITOR"
      case .other(let text)?: .string(text)
      case nil: .null
      }
    return [
      "id": .id(datum.id), "index": .count(datum.index), "name": .text(datum.name), "scope": scope,
      "localOnly": .bool(datum.isLocalOnly), "mappingIdentifier": .bool(datum.isMappingIdentifier),
    ]
  }

  /// A split as ranges: the hash values above `from`, up to `to`, get the variation.
  static func document(_ split: [SplitEntry]) -> JSONValue {
    var sum = 0.0
    return .array(
      split.map { entry in
        let from = sum
        sum += entry.exposition
        return [
          "variation": .string(entry.variationKey), "variationId": .id(entry.variationID),
          "from": .real(from), "to": .real(sum),
        ]
      })
  }

  /// A split in words: `off 0…0.4, on 0.4…1`.
  static func ranges(_ split: [SplitEntry]) -> String {
    guard !split.isEmpty else { return "nothing" }
    var sum = 0.0
    return split.map { entry in
      let from = sum
      sum += entry.exposition
      return "\(entry.variationKey) \(from.plain)…\(sum.plain)"
    }.joined(separator: ", ")
  }
}
