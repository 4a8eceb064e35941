// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// What can become of a visitor: variation and reason.
struct Outcome: Sendable, Hashable {
  let variationKey: String
  var variationID: Int64?
  var experimentID: Int64?
  var ruleID: Int64?
  let reason: Decision.Reason

  /// A default variation.
  init(variationKey: String, reason: Decision.Reason) {
    self.variationKey = variationKey
    self.reason = reason
  }

  /// An entry of a rule's split.
  init(_ entry: SplitEntry, of rule: Rule, reason: Decision.Reason) {
    variationKey = entry.variationKey
    variationID = entry.variationID
    experimentID = rule.experimentID
    ruleID = rule.id
    self.reason = reason
  }

  init(_ decision: Decision) {
    variationKey = decision.variationKey
    variationID = decision.variationID
    experimentID = decision.experimentID
    ruleID = decision.ruleID
    reason = decision.reason
  }

  /// Whether a decision has this outcome; numbers are compared first.
  func matches(_ decision: Decision) -> Bool {
    ruleID == decision.ruleID && variationID == decision.variationID
      && reason == decision.reason && experimentID == decision.experimentID
      && variationKey.utf8.elementsEqual(decision.variationKey.utf8)
  }
}
