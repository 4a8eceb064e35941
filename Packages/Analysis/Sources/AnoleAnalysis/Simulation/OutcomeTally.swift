// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// Counts outcomes of one flag, quickly.
struct OutcomeTally: Sendable {
  /// The numbers of an outcome: comparing them touches no reference count.
  private struct Probe: Sendable, Equatable {
    let reason: Decision.Reason
    let ruleID: Int64
    let variationID: Int64
    let experimentID: Int64
    /// Negative if the flag has no variation with the key.
    let variation: Int
    let hasIDs: Bool

    @inline(__always)
    init(_ decision: Decision) {
      reason = decision.reason
      ruleID = decision.ruleID ?? 0
      variationID = decision.variationID ?? .min
      experimentID = decision.experimentID ?? 0
      variation = decision.variationPosition ?? -1
      hasIDs = decision.ruleID != nil
    }
  }

  /// The outcomes in the order in which they were first seen.
  private(set) var outcomes: [FlagOutcome] = []
  /// How often each was seen.
  private(set) var counts: [Int] = []
  private var probes: [Probe?] = []

  /// Counts a decision.
  ///
  /// - Returns: the position of its outcome.
  @inline(__always)
  @discardableResult
  mutating func count(_ decision: Decision) -> Int {
    let probe = Probe(decision)
    for position in probes.indices where probes[position] == probe {
      if probe.variation >= 0 || isSameKey(position, decision) {
        counts[position] += 1
        return position
      }
    }
    return add(FlagOutcome(decision), probe)
  }

  /// Counts an outcome without decision.
  ///
  /// - Returns: its position.
  @discardableResult
  mutating func count(_ outcome: FlagOutcome) -> Int {
    guard let position = outcomes.firstIndex(of: outcome) else { return add(outcome, nil) }
    counts[position] += 1
    return position
  }

  private mutating func add(_ outcome: FlagOutcome, _ probe: Probe?) -> Int {
    probes.append(probe)
    outcomes.append(outcome)
    counts.append(1)
    return outcomes.count - 1
  }

  private func isSameKey(_ position: Int, _ decision: Decision) -> Bool {
    outcomes[position].variationKey?.hasSameBytes(as: decision.variationKey) ?? false
  }
}
