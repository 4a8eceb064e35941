// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

private let now = Timestamp(milliseconds: 1_000)

private func file(_ exposition: String) -> [UInt8] {
  Array(
    """
    {"holdout": {"experimentId": 9, "variationByExposition": [
      {"variationKey": "in-holdout", "variationId": 8, "exposition": 0.5}]},
     "featureFlags": [
      {"id": 1, "featureKey": "f", "environmentEnabled": true, "defaultVariationKey": "off",
       "mutuallyExclusiveGroup": "g", "variations": [{"key": "off"}, {"key": "on"}],
       "rules": [{"id": 2, "type": "EXPERIMENTATION", "exposition": \(exposition),
         "experimentId": 3, "variationByExposition": [
           {"variationKey": "on", "variationId": 4, "exposition": 1}]}]},
      {"id": 5, "featureKey": "other", "mutuallyExclusiveGroup": "g"}]}
    """.utf8)
}

private func snapshot(_ exposition: String) throws -> Snapshot {
  Snapshot(try DataFile(parsing: file(exposition)), sdk: SDKIdentity(version: "4.0.0"))
}

private func visitors() throws -> VisitorPopulation {
  var visitors = VisitorPopulation(count: 200, moment: Moment(now: now))
  visitors.prefix = "guest-"
  visitors.seed = 5
  visitors.traits = [.datum(.device(.phone)), .consent(isGiven: true)]
  let forced = try snapshot("1").forcedVariation(experimentID: 3, variationKey: "on")
  let share = DataDistribution.Share(weight: 0.1, traits: [.forced(forced)], label: "forced")
  visitors.distributions = [
    try DataDistribution(parsing: "custom:1=gold:0.1"),
    try DataDistribution(name: "forced", shares: [share]),
  ]
  let distribution = visitors.distributions[1]
  print(distribution.name, distribution.shares.map(\.weight), share.traits.count, share.label)
  let trait: VisitorTrait = visitors.traits[0]
  print(
    visitors.count, visitors.moment.now, visitors.visitorCode(1), trait == .consent(isGiven: false),
    visitors.record(of: 1, catalogue: CustomDataCatalogue()).hasProfile,
    VisitorPopulation.greatestCount, VisitorPopulation.greatestCombinationCount)
  return visitors
}

func useAnalysis() async throws {
  let visitors = try visitors()
  try await simulate(visitors)
  try await compare(visitors)
  try check()
  try explain()
  do throws(AnalysisError) {
    _ = try Simulation(
      ["x"], in: Snapshot(DataFile(), sdk: SDKIdentity(version: "1")), population: visitors)
  } catch {
    switch error {
    case .invalidPopulation(let sentence), .invalidDistribution(let sentence): print(sentence)
    case .evaluation(let cause): print(cause)
    case .cancelled: print(error.description)
    }
  }
}

private func simulate(_ visitors: VisitorPopulation) async throws {
  let file = try snapshot("0.5")
  let simulation = try await Simulation.run(
    ["f"], in: file, population: visitors, threads: 2, progress: { print($0) })
  print(
    simulation.visitorCount, simulation.verdict, Simulation.defaultSignificance,
    simulation.document.text())
  for flag: FlagSimulation in simulation.flags {
    let verdicts: [FlagSimulation.Verdict] = [.holds, .differs, .unforeseen, .notTested]
    print(
      flag.featureKey, flag.visitorCount, verdicts.contains(flag.verdict), flag.sentence,
      flag.noExpectation ?? "", flag.remarks, flag.significance)
    if let test: GoodnessOfFit = flag.test {
      print(test.statistic, test.degreesOfFreedom, test.pValue)
    }
    for row: FlagSimulation.Row in flag.rows {
      print(row.count, row.share, row.expectedShare ?? 0)
      show(row.outcome)
    }
  }
  if let holdout: HoldoutOverlap = simulation.holdout {
    print(holdout.experimentID, holdout.count, holdout.share, holdout.expectedShare)
  }
  for group: GroupOverlap in simulation.groups {
    print(
      group.name, group.holdoutCount, group.blockedCount, group.switchedOffCount,
      group.severalCount, group.severalExamples, group.isExclusive)
    for member: GroupOverlap.Member in group.members {
      print(
        member.featureKey, member.isEnabled, member.count, member.share, member.expectedShare ?? 0)
    }
  }
  let expectation = try Expectation("f", population: visitors, in: file)
  let shares: [Expectation.Share] = expectation.shares
  print(
    shares.map(\.share), expectation.holdoutShare, expectation.obstacle ?? "",
    shares.first.map { expectation.share(of: $0.outcome) ?? 0 } ?? 0)
  print(
    ChiSquare.pValue(1, degreesOfFreedom: 1), ChiSquare.upperGamma(1, 1),
    GoodnessOfFit(observed: [1], expected: [1]) == nil, GoodnessOfFit.leastExpectedCount)
}

private func show(_ outcome: FlagOutcome) {
  let states: [FlagOutcome.Status] = [.decided, .blockedByConsent, .switchedOff, .absent]
  print(
    outcome.variationKey ?? "", outcome.variationID ?? 0, outcome.experimentID ?? 0,
    outcome.ruleID ?? 0, outcome.reason?.sentence ?? "", outcome.explanation,
    states.contains(outcome.status), outcome.servesSameVariation(as: outcome))
}

private func compare(_ visitors: VisitorPopulation) async throws {
  let (old, new) = (try snapshot("0.2"), try snapshot("0.9"))
  let comparison = DataFileComparison(old.dataFile, new.dataFile)
  print(comparison.isEmpty, comparison.affectedFlags ?? [])
  for change: Change in comparison.changes {
    let kind: Change.Kind = change.kind
    print(
      kind.rawValue, change.featureKey ?? "", change.ruleID ?? 0, change.before, change.after,
      change.sentence, change.details)
    let kinds: [Change.Kind] = [
      .configuration, .customDataAdded, .customDataRemoved, .customDataChanged, .segmentAdded,
      .segmentRemoved, .segmentConditions, .segmentAudience, .holdoutAdded, .holdoutRemoved,
      .holdoutExperiment, .holdoutSplit, .flagAdded, .flagRemoved, .flagOrder, .flagSwitchedOn,
      .flagSwitchedOff, .flagID, .flagDefault, .flagGroup, .flagBucketing, .variationAdded,
      .variationRemoved, .variationName, .variableAdded, .variableRemoved, .variableChanged,
      .ruleAdded, .ruleRemoved, .ruleOrder, .ruleType, .ruleExposition, .ruleExperiment,
      .ruleSegment, .ruleRespool, .ruleSplit,
    ]
    print(kinds.count == Change.Kind.allCases.count)
  }
  let moves = try await VisitorMoves.run(
    from: old, to: new, featureKeys: comparison.affectedFlags, population: visitors, threads: 2,
    progress: { print($0) })
  print(moves.visitorCount, moves.movedCount, moves.document.text())
  for flag: VisitorMoves.Flag in moves.flags {
    print(flag.featureKey, flag.count(.variation), flag.unchangedCount)
    for transition: VisitorMoves.Transition in flag.transitions {
      let effects: [VisitorMoves.Effect] = [.variation, .variables, .reason]
      print(
        transition.from.explanation, transition.to.explanation, transition.count,
        transition.examples, effects.contains(transition.effect))
    }
  }
}

private func check() throws {
  let report = try LintReport(checking: file("2"), sdk: SDKIdentity(version: "1.0.0"))
  print(report.isClean, report.flagCount, report.segmentCount, report.count(.error))
  for finding: Finding in report.findings {
    let code: Finding.Code = finding.code
    let severity: Finding.Severity = finding.severity
    print(code.rawValue, severity == .warning, finding.path, finding.message, finding.advice)
    print(finding.sentence, finding.document.text(), code.severity)
  }
}

private func explain() throws {
  let traces = try ["0", "1"].map {
    try snapshot($0).explain(
      "f", visitorCode: "v", record: VisitorRecord(visitStart: now), at: Moment(now: now))
  }
  let comparison = TraceComparison(before: traces[0], after: traces[1])
  print(
    comparison.isAnswerChanged, comparison.others.count, comparison.lines,
    TraceComparison.answer(comparison.before), comparison.after?.featureKey ?? "")
  guard let cause: TraceDifference = comparison.cause else { return }
  let step: TraceDifference.Step = cause.step
  let part: TraceDifference.Part? = cause.part
  print(
    step.rawValue, part?.rawValue ?? "", cause.ruleID ?? 0, cause.before, cause.after, cause.place)
}
