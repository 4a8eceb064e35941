// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The shares that the rules of a flag promise to a population.
///
/// Hashes of different ids are independent, so that the shares of holdout, group, rules and split
/// multiply. Where visitors have different data, the shares are those of each combination of data,
/// weighted by how many visitors have it.
public struct Expectation: Sendable, Hashable {
  /// An outcome and its share.
  public struct Share: Sendable, Hashable {
    /// What becomes of the visitors.
    public let outcome: FlagOutcome
    /// The part of all visitors, above 0, up to 1.
    public let share: Double
  }

  /// The share of each outcome, in the order in which the pipeline reaches them; they sum to 1.
  ///
  /// Empty if nothing can be promised.
  public let shares: [Share]
  /// The share of visitors in the global holdout.
  public let holdoutShare: Double
  /// Why nothing can be promised, in words; nil if it can.
  public let obstacle: String?

  /// Computes the shares of a flag.
  ///
  /// - Parameters:
  ///   - featureKey: the flag.
  ///   - population: who asks.
  ///   - snapshot: the compiled data file.
  /// - Throws: ``AnalysisError``: there is no such flag, or the population is not usable.
  public init(
    _ featureKey: String, population: VisitorPopulation, in snapshot: Snapshot
  ) throws(AnalysisError) {
    let crowd = try Crowd(population)
    self = try Expectation(featureKey, crowd, crowd.records(snapshot.customData), snapshot)
  }

  init(
    _ featureKey: String, _ crowd: Crowd, _ records: [VisitorRecord], _ snapshot: Snapshot
  ) throws(AnalysisError) {
    guard let flag = snapshot.dataFile.visibleFlag(featureKey) else {
      throw .evaluation(.featureNotFound(featureKey: featureKey))
    }
    holdoutShare = Self.holdoutShare(snapshot.dataFile)
    let audience = FlagAudience(flag, crowd, records, snapshot)
    obstacle = audience.obstacle
    guard audience.obstacle == nil else {
      shares = []
      return
    }
    var table = ShareTable()
    for (reader, weight) in audience.kinds {
      var pipeline = ExpectedPipeline(flag, reader, snapshot, holdoutShare: holdoutShare)
      for share in pipeline.shares() { table.add(share.outcome, share.share * weight) }
    }
    shares = table.shares
  }

  /// The share of an outcome; 0 for one that was not foreseen, nil if nothing can be promised.
  public func share(of outcome: FlagOutcome) -> Double? {
    guard obstacle == nil else { return nil }
    return shares.first { $0.outcome == outcome }?.share ?? 0
  }

  private static func holdoutShare(_ dataFile: DataFile) -> Double {
    guard let holdout = dataFile.holdout else { return 0 }
    return zip(holdout.split, ExpectedPipeline.widths(of: holdout.split))
      .filter { $0.0.variationKey == Holdout.inHoldoutKey }
      .reduce(0) { $0 + $1.1 }
  }
}

/// Shares by outcome, in the order of the first mention.
struct ShareTable {
  private(set) var shares: [Expectation.Share] = []
  private var positions: [FlagOutcome: Int] = [:]

  mutating func add(_ outcome: FlagOutcome, _ share: Double) {
    guard share > 0 else { return }
    guard let position = positions[outcome] else {
      positions[outcome] = shares.count
      shares.append(Expectation.Share(outcome: outcome, share: share))
      return
    }
    let sum = shares[position].share + share
    shares[position] = Expectation.Share(outcome: outcome, share: sum)
  }
}

extension DataFile {
  /// The flag with a key; of two flags with one key the later counts.
  func visibleFlag(_ key: String) -> FeatureFlag? {
    featureFlags.last { $0.key.hasSameBytes(as: key) }
  }

  /// The flags that no later flag with the same key hides, in file order.
  var visibleFlags: [FeatureFlag] {
    var keys: Set<ExactText> = []
    return featureFlags.reversed().filter { keys.insert(ExactText($0.key)).inserted }.reversed()
  }

  /// The visible flags of a mutually exclusive group by ascending id.
  func groupMembers(_ name: String) -> [FeatureFlag] {
    let members = visibleFlags.filter { $0.mutuallyExclusiveGroup?.hasSameBytes(as: name) ?? false }
    return members.enumerated()
      .sorted { ($0.element.id, $0.offset) < ($1.element.id, $1.offset) }
      .map(\.element)
  }
}
