// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// What a visitor gets of one flag, or why nothing can be said.
struct FlagAnswer: Sendable {
  let key: String
  let result: Result<Decision, EvaluationError>
  /// Name and variables; nil without decision.
  let variation: Variation?

  /// Decides flags in order as the SDK's call for all flags does: an assignment made for one is
  /// seen by the conditions of the next.
  static func decide(
    _ keys: [String], visitorCode: String, record: inout VisitorRecord,
    _ visitor: VisitorDescription, _ snapshot: Snapshot
  ) -> [FlagAnswer] {
    var answers: [FlagAnswer] = []
    for key in keys {
      do throws(EvaluationError) {
        let decision = try snapshot.decide(
          key, visitorCode: visitorCode, record: record, at: visitor.moment)
        snapshot.save(decision, in: &record, at: visitor.moment.now, isTracked: true)
        answers.append(
          FlagAnswer(
            key: key, result: .success(decision), variation: snapshot.variation(of: decision)))
      } catch {
        answers.append(FlagAnswer(key: key, result: .failure(error), variation: nil))
      }
    }
    return answers
  }

  /// Whether nothing can be said.
  var isFailure: Bool {
    if case .failure = result { true } else { false }
  }

  // MARK: - Text

  /// Key, variation, active or not, reason, ids.
  var cells: [String] {
    switch result {
    case .failure(let error): [key, "-", "-", error.phrase]
    case .success(let decision):
      [
        key, decision.variationKey, decision.isActive ? "active" : "inactive",
        decision.reason.sentence, Self.ids(decision),
      ]
    }
  }

  private static func ids(_ decision: Decision) -> String {
    let ids = [
      decision.ruleID.map { "rule \($0)" }, decision.experimentID.map { "experiment \($0)" },
      decision.variationID.map { "variation \($0)" },
    ]
    return ids.compactMap(\.self).joined(separator: ", ")
  }

  /// A line a variable.
  var variableLines: [String] {
    (variation?.variables ?? []).map { variable in
      let type = variable.type.isEmpty ? "" : " (\(Printable.line(variable.type)))"
      let value = Printable.line(variable.value.jsonValue.text())
      return "    \(Printable.line(variable.key))\(type) = \(value)"
    }
  }

  // MARK: - JSON

  var document: JSONValue {
    switch result {
    case .failure(let error):
      return [
        "flag": .string(key), "error": .string(error.name),
        "explanation": .string(error.phrase),
      ]
    case .success(let decision):
      let variables = (variation?.variables ?? []).map { variable -> JSONValue in
        [
          "key": .string(variable.key), "type": .string(variable.type),
          "value": variable.value.jsonValue,
        ]
      }
      return [
        "flag": .string(key), "variation": .string(decision.variationKey),
        "name": .string(variation?.name ?? ""), "active": .bool(decision.isActive),
        "reason": .string(decision.reason.rawValue),
        "explanation": .string(decision.reason.sentence), "ruleId": .id(decision.ruleID),
        "experimentId": .id(decision.experimentID), "variationId": .id(decision.variationID),
        "variables": .array(variables),
      ]
    }
  }
}

extension EvaluationError {
  /// The kind, for programs.
  var name: String {
    switch self {
    case .visitorCodeInvalid: "visitorCodeInvalid"
    case .featureNotFound: "featureNotFound"
    case .environmentDisabled: "environmentDisabled"
    case .blockedByConsent: "blockedByConsent"
    case .variationNotFound: "variationNotFound"
    case .variableNotFound: "variableNotFound"
    case .experimentNotFound: "experimentNotFound"
    }
  }

  /// The reason in words, for a place where the flag was named already.
  var phrase: String {
    switch self {
    case .environmentDisabled: "not decided, switched off in this environment"
    case .blockedByConsent: "not decided, consent was refused and that blocks fully"
    default: description
    }
  }
}
