// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The flags of a data file as the control endpoint shows them.
///
/// Ids are texts: JavaScript could not tell large numbers apart.
enum FlagList {
  static func document(of file: DataFile) -> JSONValue {
    [
      "consentRequired": .bool(file.configuration.isConsentRequired),
      "customData": .array(file.customData.map(document)),
      "holdout": file.holdout.map(document) ?? .null,
      "flags": .array(file.featureFlags.map(document)),
    ]
  }

  private static func document(_ datum: CustomDataDefinition) -> JSONValue {
    [
      "index": .number(.integer(Int64(datum.index))), "name": text(datum.name),
    ]
  }

  private static func document(_ holdout: Holdout) -> JSONValue {
    [
      "experimentId": .string("\(holdout.experimentID)"),
      "split": .array(holdout.split.map(document)),
    ]
  }

  private static func document(_ flag: FeatureFlag) -> JSONValue {
    [
      "key": .string(flag.key), "enabled": .bool(flag.isEnvironmentEnabled),
      "default": .string(flag.defaultVariationKey), "group": text(flag.mutuallyExclusiveGroup),
      "bucketedBy": id(flag.bucketingCustomDataID),
      "variations": .array(
        flag.variations.map { ["key": .string($0.key), "name": .string($0.name)] }),
      "rules": .array(flag.rules.map(document)),
    ]
  }

  private static func document(_ rule: Rule) -> JSONValue {
    [
      "id": .string("\(rule.id)"), "type": .string(rule.type.literal),
      "experimentId": .string("\(rule.experimentID)"), "segmentId": id(rule.segmentID),
      "exposition": .number(.double(rule.exposition)), "split": .array(rule.split.map(document)),
    ]
  }

  private static func document(_ entry: SplitEntry) -> JSONValue {
    [
      "variation": .string(entry.variationKey), "variationId": id(entry.variationID),
      "share": .number(.double(entry.exposition)),
    ]
  }

  private static func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

  private static func id(_ value: Int64?) -> JSONValue { value.map { .string("\($0)") } ?? .null }
}
