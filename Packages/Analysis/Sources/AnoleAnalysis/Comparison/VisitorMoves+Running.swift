// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation
import AnoleModels

extension VisitorMoves {
  /// Decides by both data files, on several threads.
  ///
  /// - Parameters:
  ///   - old: the data file before, compiled.
  ///   - new: the data file after, compiled.
  ///   - featureKeys: the flags; nil for all of both files. ``DataFileComparison/affectedFlags`` spares
  ///     those that cannot have changed.
  ///   - population: who asks.
  ///   - threads: how many parts run at once, if there are as many processors.
  ///   - progress: hears how many visitors are done, in growing numbers, one call at a time, on any
  ///     thread.
  /// - Throws: ``AnalysisError``: the population is not usable, or the task was cancelled.
  @concurrent
  public static func run(
    from old: Snapshot, to new: Snapshot, featureKeys: [String]? = nil,
    population: VisitorPopulation, threads: Int = 8, progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(AnalysisError) -> VisitorMoves {
    let plan = try MovePlan(old, new, featureKeys, population)
    guard !plan.flags.isEmpty else {
      return VisitorMoves(visitorCount: population.count, movedCount: 0, flags: [])
    }
    let workers = try await ChunkRunner.run(
      count: population.count, size: plan.rangeSize, threads: threads,
      worker: { MoveWorker(plan) }, work: { $0.run($1) }, progress: progress)
    return VisitorMoves(
      visitorCount: population.count, movedCount: workers.reduce(0) { $0 + $1.movedCount },
      flags: plan.flags.indices.map { Self.flag($0, plan, workers) })
  }

  /// Two outcomes.
  private struct Ends: Hashable {
    let from: FlagOutcome
    let to: FlagOutcome
  }

  private static func flag(_ position: Int, _ plan: MovePlan, _ workers: [MoveWorker]) -> Flag {
    var counts: [Ends: (count: Int, numbers: [Int])] = [:]
    for worker in workers {
      let flag = worker.flags[position]
      for pair in flag.pairs {
        let ends = Ends(from: flag.old.outcomes[pair.old], to: flag.new.outcomes[pair.new])
        counts[ends, default: (0, [])].count += pair.count
        counts[ends, default: (0, [])].numbers += pair.numbers
      }
    }
    let key = plan.flags[position].key
    let files = [plan.old, plan.new].map { $0.dataFile.visibleFlag(key) }
    var transitions: [Transition] = []
    var unchanged = 0
    for (ends, value) in counts {
      guard let effect = effect(ends, files[0], files[1]) else {
        unchanged += value.count
        continue
      }
      let numbers = value.numbers.sorted().prefix([Int].exampleCount)
      transitions.append(
        Transition(
          from: ends.from, to: ends.to, effect: effect, count: value.count,
          examples: numbers.map(plan.crowd.population.visitorCode)))
    }
    return Flag(
      featureKey: key, transitions: transitions.sorted(by: precedes), unchangedCount: unchanged)
  }

  /// What visitors notice; nil if nothing at all is different.
  private static func effect(
    _ ends: Ends, _ old: FeatureFlag?, _ new: FeatureFlag?
  ) -> Effect? {
    guard ends.from.servesSameVariation(as: ends.to) else { return .variation }
    if let key = ends.to.variationKey,
      variables(key, old) != variables(key, new)
    {
      return .variables
    }
    return ends.from == ends.to ? nil : .reason
  }

  private static func variables(_ key: String, _ flag: FeatureFlag?) -> [Variable] {
    flag?.variations.first { $0.key.hasSameBytes(as: key) }?.variables ?? []
  }

  /// An order that is always the same: effect, count, then the outcomes as text.
  private static func precedes(_ left: Transition, _ right: Transition) -> Bool {
    if left.effect != right.effect {
      let order = Effect.allCases
      return order.firstIndex(of: left.effect) ?? 0 < order.firstIndex(of: right.effect) ?? 0
    }
    if left.count != right.count { return left.count > right.count }
    let texts = [left, right].map { $0.from.document.text() + $0.to.document.text() }
    return texts[0] < texts[1]
  }
}
