// SPDX-License-Identifier: Apache-2.0

public import AnoleModels
import AnoleTargeting

extension DecisionTrace {
  /// The trace as JSON, for programs and pages; like the trace it is personal data.
  ///
  /// Members keep their names and order between versions. What was not reached is `null` or an empty
  /// list.
  public var document: JSONValue {
    [
      "flag": .string(featureKey), "visitor": .string(visitorCode), "hashKey": .string(hashKey),
      "hashKeySource": .string(hashKeySource.rawValue), "consent": consent.document,
      "environmentEnabled": .bool(isEnvironmentEnabled), "simulated": .bool(isSimulated),
      "holdout": holdout?.document ?? .null, "group": group?.document ?? .null,
      "rules": .array(rules.map(\.document)), "outcome": outcome?.document ?? .null,
      "failure": .text(failure),
    ]
  }
}

extension DecisionTrace.Consent {
  fileprivate var document: JSONValue {
    ["required": .bool(isRequired), "state": .string(state), "blocksFully": .bool(blocksFully)]
  }
}

extension DecisionTrace.Hash {
  fileprivate var document: JSONValue { ["input": .string(input), "value": .real(value)] }
}

extension DecisionTrace.Range {
  fileprivate var document: JSONValue {
    [
      "variation": .string(variationKey), "variationId": .id(variationID), "upTo": .real(upTo),
      "chosen": .bool(isChosen),
    ]
  }
}

extension DecisionTrace.Holdout {
  fileprivate var document: JSONValue {
    [
      "experimentId": .id(experimentID), "hash": hash.document,
      "ranges": .array(ranges.map(\.document)), "inHoldout": .bool(isInHoldout),
    ]
  }
}

extension DecisionTrace.Group {
  fileprivate var document: JSONValue {
    [
      "name": .string(name), "members": .array(members.map(JSONValue.string)),
      "hash": hash?.document ?? .null, "picked": .string(picked),
    ]
  }
}

extension DecisionTrace.Rule {
  fileprivate var document: JSONValue {
    [
      "id": .id(id), "type": .string(type), "experimentId": .id(experimentID),
      "segment": segment?.document ?? .null, "forced": .text(forced),
      "exposition": .real(exposition), "admission": admission?.document ?? .null,
      "banditCandidates": .array(banditCandidates.map { .id($0) }),
      "choice": choice?.document ?? .null, "ranges": .array(ranges.map(\.document)),
      "outcome": .string(outcome.rawValue),
    ]
  }
}

extension DecisionTrace.Outcome {
  fileprivate var document: JSONValue {
    [
      "variation": .string(variationKey), "variationId": .id(variationID),
      "experimentId": .id(experimentID), "reason": .string(reason.rawValue),
      "explanation": .string(reason.sentence),
    ]
  }
}

extension SegmentTrace {
  fileprivate var document: JSONValue {
    ["id": .id(id), "match": .bool(isMatch), "groups": .array(groups.map(\.document))]
  }
}

extension SegmentTrace.Group {
  fileprivate var document: JSONValue {
    [
      "match": .bool(isMatch), "conditions": .array(conditions.map(\.document)),
      "joinsNextWith": .text(joinsNextWith?.rawValue),
    ]
  }
}

extension SegmentTrace.Condition {
  fileprivate var document: JSONValue {
    [
      "summary": .string(summary), "excluded": .bool(isExcluded), "match": .bool(isMatch),
      "note": .text(note), "segment": segment?.trace?.document ?? .null,
      "joinsNextWith": .text(joinsNextWith?.rawValue),
    ]
  }
}

// MARK: - Values that may be missing

extension JSONValue {
  fileprivate static func id(_ value: Int64?) -> JSONValue {
    value.map { .number(.integer($0)) } ?? .null
  }

  fileprivate static func real(_ value: Double) -> JSONValue { .number(.double(value)) }

  fileprivate static func text(_ value: String?) -> JSONValue {
    value.map(JSONValue.string) ?? .null
  }
}
