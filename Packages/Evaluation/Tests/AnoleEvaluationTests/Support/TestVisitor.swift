// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// One visitor of one snapshot, with a clock that stands still.
struct TestVisitor {
  let snapshot: Snapshot
  let code: String
  var record: VisitorRecord
  var now = Timestamp(milliseconds: 1_760_000_000_000)

  init(_ code: String, of snapshot: Snapshot, _ data: [VisitorDatum] = []) {
    self.snapshot = snapshot
    self.code = code
    record = VisitorRecord(visitStart: now)
    for datum in data { add(datum) }
  }

  var moment: Moment { Moment(now: now) }

  /// The saved assignments as `experiment→variation`.
  var saved: [String] { record.assignments.all.map { "\($0.experimentID)→\($0.variationID)" } }

  /// The exposures that wait to be sent, in the same form.
  var pending: [String] {
    let isRequired = snapshot.dataFile.configuration.isConsentRequired
    return record.pendingEvents(isConsentRequired: isRequired).compactMap { event in
      guard case .experiment(let experiment, let variation) = event else { return nil }
      return "\(experiment)→\(variation)"
    }
  }

  @discardableResult
  mutating func add(
    _ datum: VisitorDatum, from source: DatumSource = .application(isTracked: true)
  ) -> DatumAddition {
    record.add(
      datum, visitorCode: code, from: source, at: now, catalogue: snapshot.customData)
  }

  /// Adds values of a custom data index.
  mutating func add(_ index: Int, _ values: String...) {
    add(.customData(index: index, values: values))
  }

  mutating func force(
    _ experiment: Int64, _ key: String, isTargetingForced: Bool = true
  ) throws {
    record.force(
      try snapshot.forcedVariation(
        experimentID: experiment, variationKey: key, isTargetingForced: isTargetingForced))
  }

  func decide(_ key: String) throws(EvaluationError) -> Decision {
    try snapshot.decide(key, visitorCode: code, record: record, at: moment)
  }

  func explain(_ key: String) throws(EvaluationError) -> DecisionTrace {
    try snapshot.explain(key, visitorCode: code, record: record, at: moment)
  }

  /// Decides and saves, as the calls about one flag do.
  @discardableResult
  mutating func evaluate(_ key: String, isTracked: Bool = true) throws -> Decision {
    let decision = try decide(key)
    snapshot.save(decision, in: &record, at: now, isTracked: isTracked)
    return decision
  }

  /// Decides every flag; the answers as `flag=variation`.
  @discardableResult
  mutating func evaluateAll(_ saving: Saving = .tracked) throws -> [String] {
    var answers: [String] = []
    try snapshot.decideAll(visitorCode: code, record: &record, at: moment, saving: saving) {
      answers.append("\(snapshot.featureKey(of: $0))=\($0.variationKey)")
    }
    return answers
  }

  /// The decision on a flag with the way that led to it, for comparison as text:
  /// `variation variationID/experimentID reason [rule outcome, …]`, or the error.
  ///
  /// It also tells where `decide` and `explain` disagree.
  func answer(_ key: String = "flag") -> String {
    let trace: DecisionTrace
    do throws(EvaluationError) {
      trace = try explain(key)
    } catch {
      return "\(error)"
    }
    do throws(EvaluationError) {
      let decision = try decide(key)
      guard let outcome = trace.outcome, trace.failure == nil,
        outcome.variationKey.utf8.elementsEqual(decision.variationKey.utf8),
        outcome.variationID == decision.variationID,
        outcome.experimentID == decision.experimentID, outcome.reason == decision.reason
      else { return "decide and explain disagree: \(decision) and \(trace)" }
      return "\(Self.text(decision)) [\(Self.steps(trace))]"
    } catch {
      guard trace.failure == error.description, trace.outcome == nil else {
        return "decide and explain disagree: \(error) and \(trace)"
      }
      return "\(error)"
    }
  }

  private static func text(_ decision: Decision) -> String {
    guard let experiment = decision.experimentID else {
      return "\(decision.variationKey) \(decision.reason)"
    }
    let variation = decision.variationID.map(String.init) ?? "-"
    return "\(decision.variationKey) \(variation)/\(experiment) \(decision.reason)"
  }

  private static func steps(_ trace: DecisionTrace) -> String {
    trace.rules.map { "\($0.id) \($0.outcome)" }.joined(separator: ", ")
  }
}
