// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Foundation

private let file = """
  {"dateModified": 1, "segments": [{"id": 5, "audienceTracking": true, "conditionsData": {
    "firstLevelOrOperators": [], "firstLevel": [{"orOperators": [], "conditions": [
      {"targetingType": "DEVICE_TYPE", "device": "PHONE"}]}]}}],
   "featureFlags": [{"id": 1, "featureKey": "f", "environmentEnabled": true,
    "defaultVariationKey": "off", "mutuallyExclusiveGroup": "g",
    "variations": [{"key": "off", "name": "", "variables": []}, {"key": "on", "name": "",
      "variables": [{"key": "k", "type": "STRING", "value": "v"}]}],
    "rules": [{"id": 2, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 3,
      "segmentId": 5,
      "variationByExposition": [{"variationKey": "on", "variationId": 4, "exposition": 1}]}]}]}
  """

private let now = Timestamp(milliseconds: 1_000)

private func record() -> VisitorRecord {
  var record = VisitorRecord(visitStart: now)
  record.add(
    .device(.phone), visitorCode: "v", from: .application(isTracked: true), at: now,
    catalogue: CustomDataCatalogue())
  return record
}

func useTargeting() throws {
  let sdk = SDKIdentity(name: "SWIFT", version: "4.0.0")
  print(sdk.name, sdk.version, PatternEngine.description)
  let moment = Moment(now: now, startOfDay: Timestamp(milliseconds: 0))
  print(moment.now, moment.startOfDay, Moment(now: now, utcOffsetSeconds: 3_600).startOfDay)
  let index = SegmentIndex(try DataFile(parsing: Array(file.utf8)), sdk: sdk)
  print(index.diagnostics, index.count, SegmentIndex.maximumNesting, SegmentIndex.maximumReferences)
  let subject = TargetingSubject(visitorCode: "v", record: record(), moment: moment)
  print(subject.visitorCode, subject.record.hasProfile, subject.moment.now)
  guard let position = index.position(of: 5) else { return }
  print(index.id(at: position), index.isStable(at: position), index.audiences)
  print(index.matches(segmentAt: position, subject, campaign: nil))
  print(
    index.matches(
      segmentAt: position, visitorCode: "v", record: record(), at: moment, campaign: nil))
  let trace: SegmentTrace = index.explain(segmentAt: position, subject, campaign: nil)
  print(trace.id, trace.isMatch, trace.description, trace.lines(indentation: 1).count)
  for group: SegmentTrace.Group in trace.groups {
    let operators: [SegmentTrace.Operator] = [.and, .or]
    print(group.isMatch, group.joinsNextWith.map { operators.contains($0) } ?? false)
    for condition: SegmentTrace.Condition in group.conditions {
      let reference: SegmentTrace.SegmentReference? = condition.segment
      print(
        condition.summary, condition.isExcluded, condition.isMatch, condition.note ?? "",
        condition.joinsNextWith == nil, reference?.trace?.id ?? 0)
    }
  }
}

func useEvaluation() throws {
  let snapshot = Snapshot(
    try DataFile(parsing: Array(file.utf8)), sdk: SDKIdentity(version: "4.0.0"))
  print(
    snapshot.dataFile.dateModified, snapshot.segments.count,
    snapshot.customData.mappingIndex ?? -1, snapshot.diagnostics, snapshot.flagCount,
    snapshot.featureKeys, snapshot.variationCount)
  let moment = Moment(now: now)
  var visitor = record()
  let decision: Decision = try snapshot.decide(
    "f", visitorCode: "v", record: visitor, at: moment)
  let reason: Decision.Reason = decision.reason
  print(
    decision.variationKey, decision.variationID ?? 0, decision.experimentID ?? 0,
    decision.ruleID ?? 0, reason.sentence, decision.isActive, decision.flagPosition,
    decision.variationPosition ?? -1)
  show(try snapshot.explain("f", visitorCode: "v", record: visitor, at: moment))
  show(try snapshot.decideExplaining("f", visitorCode: "v", record: visitor, at: moment).trace)
  for saving in [Saving.none, .silent, .tracked] {
    try snapshot.decideAll(visitorCode: "v", record: &visitor, at: moment, saving: saving) {
      print(snapshot.featureKey(of: $0))
    }
  }
  snapshot.save(decision, in: &visitor, at: now, isTracked: true)
  print(try snapshot.audiences(visitorCode: "v", record: visitor, at: moment))
  let forced = try snapshot.forcedVariation(
    experimentID: 3, variationKey: "on", isTargetingForced: false)
  visitor.force(forced)
  let variation: Variation = snapshot.variation(of: decision)
  print(
    variation.key, variation.name, variation.id ?? 0, variation.experimentID ?? 0,
    variation.variables.count, variation.variable("k")?.type ?? "")
  print(try snapshot.variation("off", ofFlag: "f").key)
  for overview: FlagOverview in snapshot.overview() {
    print(
      overview.key, overview.isEnvironmentEnabled, overview.defaultVariationKey,
      overview.variations.count, overview.rules.count, overview.defaultVariation?.key ?? "")
  }
  do throws(EvaluationError) {
    _ = try snapshot.decide("x", visitorCode: "v", record: visitor, at: moment)
  } catch {
    print(error.description, VisitorCode.maximumLength, VisitorCode.isValid(""))
  }
  var store = VisitorStore(limit: 10, seed: 1)
  store.withRecord(of: "v", at: now) { $0.setLegalConsent(true) }
  store.link("user", to: "v", at: now)
  print(store.count, store.limit, store.record(of: "user")?.consent ?? .unknown)
  store.removeVisitors(lastSeenBefore: now)
}

private func show(_ trace: DecisionTrace) {
  let source: DecisionTrace.HashKeySource = trace.hashKeySource
  let consent: DecisionTrace.Consent = trace.consent
  print(
    trace.featureKey, trace.visitorCode, trace.hashKey, source, trace.isEnvironmentEnabled,
    trace.isSimulated, trace.failure ?? "", consent.isRequired, consent.state,
    consent.blocksFully)
  if let holdout: DecisionTrace.Holdout = trace.holdout {
    print(holdout.experimentID, holdout.hash.value, holdout.ranges.count, holdout.isInHoldout)
  }
  if let group: DecisionTrace.Group = trace.group {
    print(group.name, group.members, group.hash?.value ?? 0, group.picked)
  }
  for rule: DecisionTrace.Rule in trace.rules {
    let outcome: DecisionTrace.Rule.Outcome = rule.outcome
    print(
      rule.id, rule.type, rule.experimentID, rule.segment?.isMatch ?? false, rule.forced ?? "",
      rule.exposition, rule.banditCandidates, outcome)
    let hashes: [DecisionTrace.Hash?] = [rule.admission, rule.choice]
    for hash in hashes { print(hash?.input ?? "", hash?.value ?? 0) }
    for range: DecisionTrace.Range in rule.ranges {
      print(range.variationKey, range.variationID ?? 0, range.upTo, range.isChosen)
    }
  }
  if let outcome: DecisionTrace.Outcome = trace.outcome {
    print(
      outcome.variationKey, outcome.variationID ?? 0, outcome.experimentID ?? 0,
      outcome.reason.sentence)
  }
  print(trace.description, trace.document)
}
