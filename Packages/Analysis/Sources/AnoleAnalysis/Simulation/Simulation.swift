// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation
public import AnoleModels

/// What a population gets of flags: shares against expectation, holdout and group overlaps.
///
/// Every flag is decided for itself, for visitors who come for the first time: nothing is saved between
/// two flags. The result depends on data file and population alone, not on the number of threads.
public struct Simulation: Sendable, Hashable {
  /// The p-value below which the split of a single flag counts as broken; with several flags it is
  /// divided by their number, so that the whole simulation raises a false alarm that rarely.
  public static let defaultSignificance = 0.001

  /// How many visitors asked.
  public let visitorCount: Int
  /// The flags in the order in which they were named, or of the data file.
  public let flags: [FlagSimulation]
  /// How many visitors the holdout keeps out; nil without holdout.
  public let holdout: HoldoutOverlap?
  /// The mutually exclusive groups that a flag is in, with all their members.
  public let groups: [GroupOverlap]

  /// Simulates on several threads.
  ///
  /// - Parameters:
  ///   - featureKeys: the flags; nil for all of the data file.
  ///   - snapshot: the compiled data file.
  ///   - population: who asks.
  ///   - threads: how many parts run at once, if there are as many processors.
  ///   - progress: hears how many visitors are done, in growing numbers, one call at a time, on any
  ///     thread.
  /// - Throws: ``AnalysisError``: there is no such flag, the population is not usable, or the task was
  ///   cancelled.
  @concurrent
  public static func run(
    _ featureKeys: [String]? = nil, in snapshot: Snapshot, population: VisitorPopulation,
    threads: Int = 8, progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(AnalysisError) -> Simulation {
    let plan = try SimulationPlan(featureKeys, population, snapshot)
    let workers = try await ChunkRunner.run(
      count: population.count, size: plan.rangeSize, threads: threads,
      worker: { SimulationWorker(plan) }, work: { $0.run($1) }, progress: progress)
    return try Simulation(plan, workers)
  }

  /// Simulates on the calling thread, for few visitors.
  ///
  /// - Parameters:
  ///   - featureKeys: the flags; nil for all of the data file.
  ///   - snapshot: the compiled data file.
  ///   - population: who asks.
  /// - Throws: ``AnalysisError``: there is no such flag, or the population is not usable.
  public init(
    _ featureKeys: [String]? = nil, in snapshot: Snapshot, population: VisitorPopulation
  ) throws(AnalysisError) {
    let plan = try SimulationPlan(featureKeys, population, snapshot)
    var worker = SimulationWorker(plan)
    worker.run(1...population.count)
    try self.init(plan, [worker])
  }

  private init(_ plan: SimulationPlan, _ workers: [SimulationWorker]) throws(AnalysisError) {
    let count = plan.crowd.population.count
    let records = plan.crowd.records(plan.snapshot.customData)
    var expectations: [Expectation] = []
    for flag in plan.flags {
      expectations.append(try Expectation(flag.key, plan.crowd, records, plan.snapshot))
    }
    let significance = Self.defaultSignificance / Double(max(plan.reportedCount, 1))
    flags = (0..<plan.reportedCount).map { position in
      FlagSimulation(
        plan.flags[position].key, counts: Self.counts(position, workers),
        expectation: expectations[position],
        remarks: Self.remarks(plan.flags[position].key, plan.snapshot.dataFile),
        significance: significance)
    }
    visitorCount = count
    holdout = plan.snapshot.dataFile.holdout.map { holdout in
      let held = workers.reduce(0) { $0 + $1.holdoutCount }
      return HoldoutOverlap(
        experimentID: holdout.experimentID, count: held, share: Double(held) / Double(count),
        expectedShare: expectations.first?.holdoutShare ?? 0)
    }
    groups = plan.groups.indices.map { Self.overlap($0, plan, workers, expectations) }
  }

  /// The outcomes of a flag with their counts over all workers.
  private static func counts(
    _ flag: Int, _ workers: [SimulationWorker]
  ) -> [(outcome: FlagOutcome, count: Int)] {
    var counts: [FlagOutcome: Int] = [:]
    for worker in workers {
      let tally = worker.tallies[flag]
      for (outcome, count) in zip(tally.outcomes, tally.counts) {
        counts[outcome, default: 0] += count
      }
    }
    return counts.map { ($0.key, $0.value) }
  }

  private static func overlap(
    _ position: Int, _ plan: SimulationPlan, _ workers: [SimulationWorker],
    _ expectations: [Expectation]
  ) -> GroupOverlap {
    let group = plan.groups[position]
    let population = plan.crowd.population
    let counts = workers.map { $0.groups[position] }
    func sum(_ value: (SimulationWorker.GroupCounts) -> Int) -> Int {
      counts.reduce(0) { $0 + value($1) }
    }
    let members = group.members.enumerated().map { member, flag in
      let count = sum { $0.open[member] }
      let isEnabled = plan.flags[flag].isEnabled
      return GroupOverlap.Member(
        featureKey: plan.flags[flag].key, isEnabled: isEnabled, count: count,
        share: Double(count) / Double(population.count),
        expectedShare: isEnabled ? expectations[flag].openShare(plan.snapshot.dataFile) : nil)
    }
    let examples = counts.flatMap(\.severalNumbers).sorted().prefix([Int].exampleCount)
    return GroupOverlap(
      name: group.name, members: members, holdoutCount: sum(\.inHoldout),
      blockedCount: sum(\.blocked), switchedOffCount: sum(\.switchedOff),
      severalCount: sum(\.several), severalExamples: examples.map(population.visitorCode))
  }

  private static let historyTypes: Set<String> = [
    "CONVERSIONS", "EXCLUSIVE_EXPERIMENT", "FIRST_VISIT", "LAST_VISIT", "NEW_VISITORS",
    "SAME_DAY_VISITS", "TARGET_EXPERIMENT", "TARGET_FEATURE_FLAG", "TARGET_PERSONALIZATION",
    "VISITS",
  ]

  private static func remarks(_ featureKey: String, _ dataFile: DataFile) -> [String] {
    let segments = dataFile.visibleFlag(featureKey)?.rules.compactMap(\.segmentID) ?? []
    let types = segments.reduce(into: Set<String>()) {
      $0.formUnion(ConditionList.types(askedBy: $1, in: dataFile))
    }
    let asked = types.intersection(historyTypes).sorted()
    guard !asked.isEmpty else { return [] }
    return [
      "segments of the flag look at the visitor's history (\(asked.joined(separator: ", "))), "
        + "and simulated visitors come for the first time"
    ]
  }
}

extension Expectation {
  /// The share of visitors whom neither holdout, group nor a refusal before them keeps from the rules;
  /// nil if nothing can be promised.
  fileprivate func openShare(_ dataFile: DataFile) -> Double? {
    guard obstacle == nil else { return nil }
    return shares.reduce(0) { sum, item in
      switch (item.outcome.status, item.outcome.reason) {
      case (.decided, .inHoldout), (.decided, .excludedByGroup): sum
      case (.blockedByConsent, _) where dataFile.holdout != nil: sum
      default: sum + item.share
      }
    }
  }
}

extension Simulation {
  /// The worst verdict of all flags.
  public var verdict: FlagSimulation.Verdict {
    let order: [FlagSimulation.Verdict] = [.unforeseen, .differs, .holds]
    return order.first { verdict in flags.contains { $0.verdict == verdict } } ?? .notTested
  }

  /// The result as JSON, with the keys that the README lists.
  public var document: JSONValue {
    [
      "visitors": .count(visitorCount), "verdict": .string(verdict.rawValue),
      "flags": .array(flags.map(\.document)), "holdout": holdout?.document ?? .null,
      "groups": .array(groups.map(\.document)),
    ]
  }
}
