// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

extension ControlEndpoint {
  /// What a visitor gets of every flag, and every step that leads to one of them.
  @Sendable
  static func explain(
    _ arguments: ControlArguments, _ core: Core
  ) async throws(ControlError) -> JSONValue {
    try arguments.allow("siteCode", "environment", "flag", "context")
    let flag = try arguments.text("flag")
    let snapshot = try core.snapshot(try Place(arguments)).snapshot
    let context = try context(arguments["context"] ?? [:], snapshot, core)
    var record = context.record(snapshot)
    var explanation = JSONValue.null
    if let flag, !snapshot.featureKeys.contains(where: { $0.hasSameBytes(as: flag) }) {
      throw ControlError(EvaluationError.featureNotFound(featureKey: flag))
    }
    var decisions: [JSONValue] = []
    // One after the other: conditions see the assignments made for earlier flags.
    for key in snapshot.featureKeys {
      if let flag, key.hasSameBytes(as: flag) {
        explanation = try trace(key, context, record, snapshot).document
      }
      let decision = decide(key, context, record, snapshot)
      if case .success(let decision) = decision {
        snapshot.save(decision, in: &record, at: context.moment.now, isTracked: true)
      }
      decisions.append(document(key, decision, snapshot))
    }
    return [
      "decisions": .array(decisions), "explanation": explanation,
      "remarks": .array(context.remarks.map { .string("\($0)") }),
    ]
  }

  /// Reads a context; the time is the emulator's unless it says another.
  static func context(
    _ json: JSONValue, _ snapshot: Snapshot, _ core: Core
  ) throws(ControlError) -> EvaluationContext {
    do throws(EvaluationContextError) {
      return try EvaluationContext(
        json, snapshot, now: Timestamp(milliseconds: core.wallClock.milliseconds))
    } catch {
      throw ControlError(400, "\(error.message).")
    }
  }

  private static func trace(
    _ key: String, _ context: EvaluationContext, _ record: VisitorRecord, _ snapshot: Snapshot
  ) throws(ControlError) -> DecisionTrace {
    do throws(EvaluationError) {
      return try snapshot.explain(
        key, visitorCode: context.visitorCode, record: record, at: context.moment)
    } catch {
      throw ControlError(error)
    }
  }

  /// A decision, or why there is none of a flag that exists.
  private static func decide(
    _ key: String, _ context: EvaluationContext, _ record: VisitorRecord, _ snapshot: Snapshot
  ) -> Result<Decision, EvaluationError> {
    Result { () throws(EvaluationError) in
      try snapshot.decide(
        key, visitorCode: context.visitorCode, record: record, at: context.moment)
    }
  }

  private static func document(
    _ key: String, _ result: Result<Decision, EvaluationError>, _ snapshot: Snapshot
  ) -> JSONValue {
    switch result {
    case .failure(let error):
      return [
        "flag": .string(key), "variation": .null, "active": false,
        "explanation": .string("\(error)"),
      ]
    case .success(let decision):
      let variables = snapshot.variation(of: decision).variables.map { variable in
        JSONValue.Member(key: variable.key, value: variable.value.jsonValue)
      }
      return [
        "flag": .string(key), "variation": .string(decision.variationKey),
        "active": .bool(decision.isActive), "reason": .string(decision.reason.rawValue),
        "explanation": .string(decision.reason.sentence), "variables": .object(variables),
      ]
    }
  }
}

extension ControlError {
  init(_ error: EvaluationError) {
    if case .featureNotFound = error {
      self.init(404, "\(error).")
    } else {
      self.init(400, "\(error).")
    }
  }
}
