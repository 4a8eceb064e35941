// SPDX-License-Identifier: Apache-2.0

public import AnoleModels
public import AnoleTargeting

/// Many invented visitors: how they are called and what is known of them.
///
/// A visitor follows from seed and number: the same population is the same visitors on every machine.
public struct VisitorPopulation: Sendable, Hashable {
  /// The most visitors.
  public static let greatestCount = 10_000_000
  /// The most combinations of distributed data: three distributions of sixteen shares each.
  ///
  /// Each takes a record of its own, and expectations are made for each.
  public static let greatestCombinationCount = 4_096

  /// How many visitors, 1 to ``greatestCount``; they have the numbers 1 to `count`.
  public var count: Int
  /// How visitor codes begin; the number follows.
  public var prefix = "visitor-"
  /// Decides which share of a distribution a visitor draws; visitor codes do not depend on it.
  public var seed: UInt64 = 0
  /// What all visitors have.
  public var traits: [VisitorTrait] = []
  /// What some have and others have not; of one datum that several set, the last counts.
  public var distributions: [DataDistribution] = []
  /// The time of all decisions, and of the start of all visits.
  public var moment: Moment

  /// Visitors of whom nothing is known.
  public init(count: Int, moment: Moment) {
    self.count = count
    self.moment = moment
  }

  /// The code of a visitor.
  public func visitorCode(_ number: Int) -> String { prefix + String(number) }

  /// The record of a visitor, as a simulation uses it.
  ///
  /// - Parameters:
  ///   - number: from 1.
  ///   - catalogue: the custom data that the data file declares; what it does not know by name is
  ///     left out.
  public func record(of number: Int, catalogue: CustomDataCatalogue) -> VisitorRecord {
    var all = traits
    for (distribution, draw) in zip(distributions, draws) {
      all += distribution.completeShares[draw.share(of: number)].traits
    }
    return record(all, visitorCode: visitorCode(number), catalogue)
  }

  /// How the distributions are drawn.
  var draws: [DataDistribution.Draw] {
    distributions.enumerated().map { DataDistribution.Draw($1, at: $0, seed: seed) }
  }

  /// A record with traits, under a visitor code.
  func record(
    _ traits: [VisitorTrait], visitorCode: String, _ catalogue: CustomDataCatalogue
  ) -> VisitorRecord {
    var record = VisitorRecord(visitStart: moment.now)
    for trait in traits {
      _ = record.add(trait, visitorCode: visitorCode, at: moment.now, catalogue)
    }
    return record
  }
}
