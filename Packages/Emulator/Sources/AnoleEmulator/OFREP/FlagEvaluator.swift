// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// Evaluates flags of one data file for one context, in the form of the protocol.
struct FlagEvaluator {
  private let served: ServedSnapshot
  private let context: EvaluationContext
  private let record: VisitorRecord

  init(_ served: ServedSnapshot, _ context: EvaluationContext) {
    self.served = served
    self.context = context
    record = context.record(served.snapshot)
  }

  /// All flags, in the order of the data file.
  func evaluateAll() -> JSONValue {
    // Every key is one of the file's, so that an evaluation finds its flag.
    .array(served.snapshot.featureKeys.compactMap(evaluate))
  }

  /// One flag; nil if there is none with the key.
  func evaluate(_ key: String) -> JSONValue? {
    do throws(EvaluationError) {
      let decision = try served.snapshot.decide(
        key, visitorCode: context.visitorCode, record: record, at: context.moment)
      return success(key, decision)
    } catch {
      switch error {
      case .environmentDisabled: return disabled(key, "environmentDisabled")
      case .blockedByConsent: return disabled(key, "blockedByConsent")
      case .visitorCodeInvalid, .featureNotFound, .variationNotFound, .variableNotFound,
        .experimentNotFound:
        return nil
      }
    }
  }

  private func success(_ key: String, _ decision: Decision) -> JSONValue {
    let variation = served.snapshot.variation(of: decision)
    let value = served.shapes[decision.flagPosition].value(
      variationKey: decision.variationKey, variables: variation.variables)
    var members: [JSONValue.Member] = [.init(key: "key", value: .string(key))]
    if let value { members.append(.init(key: "value", value: value)) }
    let flag = served.flags[decision.flagPosition]
    let reason = decision.reason.openFeatureReason(isFlagFixed: isFixed(flag))
    members.append(.init(key: "reason", value: .string(reason)))
    members.append(.init(key: "variant", value: .string(decision.variationKey)))
    let metadata = metadata([
      ("decision", .string(decision.reason.rawValue)),
      ("active", .bool(decision.isActive)),
      ("flagId", .number(.integer(flag.id))),
      ("ruleId", decision.ruleID.map { .number(.integer($0)) }),
      ("experimentId", decision.experimentID.map { .number(.integer($0)) }),
      ("variationId", decision.variationID.map { .number(.integer($0)) }),
    ])
    return .object(members + [.init(key: "metadata", value: metadata)])
  }

  /// No value: the application's own default counts.
  private func disabled(_ key: String, _ decision: String) -> JSONValue {
    // Clients in use fail without a variant, though the protocol does not ask for it.
    [
      "key": .string(key), "reason": "DISABLED", "variant": "",
      "metadata": metadata([("decision", .string(decision)), ("active", false)]),
    ]
  }

  private func metadata(_ members: [(name: String, value: JSONValue?)]) -> JSONValue {
    let all = members + [("ignored", ignored)]
    return .object(
      all.compactMap { (name, value) in value.map { .init(key: name, value: $0) } })
  }

  /// The members of the context that were not used, as metadata, which knows no lists.
  var ignored: JSONValue? {
    if context.remarks.isEmpty { return nil }
    let names = context.remarks.map { $0.path.dropFirst("context.".count) }
    return .string(names.joined(separator: ", "))
  }

  /// Whether every visitor gets the same of a flag.
  private func isFixed(_ flag: FeatureFlag) -> Bool {
    flag.rules.isEmpty && (flag.mutuallyExclusiveGroup ?? "").isEmpty
      && served.snapshot.dataFile.holdout == nil
  }
}

extension Decision.Reason {
  /// The reason in the words of the protocol.
  ///
  /// `SPLIT` where a hash decided, also against the visitor; `TARGETING_MATCH` where a rule or a wish
  /// did; `STATIC` where nothing can change the answer. The rest is `UNKNOWN`, as the protocol has no
  /// word for a default that nobody was targeted away from.
  func openFeatureReason(isFlagFixed: Bool) -> String {
    switch self {
    case .experiment, .bandit, .inHoldout, .excludedByGroup, .notDelivered: "SPLIT"
    case .targetedDelivery, .forced, .simulated: "TARGETING_MATCH"
    case .noRuleApplied: isFlagFixed ? "STATIC" : "UNKNOWN"
    case .consentRefused: "UNKNOWN"
    }
  }
}
