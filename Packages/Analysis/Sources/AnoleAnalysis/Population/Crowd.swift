// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// A population made ready for many visitors: every combination of distributed data once.
struct Crowd: Sendable {
  /// What some of the visitors have together.
  struct Combination: Sendable {
    let weight: Double
    let traits: [VisitorTrait]
  }

  let population: VisitorPopulation
  let combinations: [Combination]
  private let draws: [DataDistribution.Draw]

  /// - Throws: ``AnalysisError/invalidPopulation(_:)`` naming what has to change.
  init(_ population: VisitorPopulation) throws(AnalysisError) {
    let limit = VisitorPopulation.greatestCount
    guard (1...limit).contains(population.count) else {
      throw .invalidPopulation(
        "\(population.count) visitors cannot be simulated; take 1 to \(limit)")
    }
    guard VisitorCode.isValid(population.visitorCode(population.count)) else {
      throw .invalidPopulation(
        "the prefix of visitor codes is too long; with its number a code has at most "
          + "\(VisitorCode.maximumLength) characters")
    }
    self.population = population
    var combinations = [Combination(weight: 1, traits: population.traits)]
    draws = population.draws
    for distribution in population.distributions {
      let shares = distribution.completeShares
      let count = combinations.count * shares.count
      guard count <= VisitorPopulation.greatestCombinationCount else {
        throw .invalidPopulation(
          "the distributions have more than \(VisitorPopulation.greatestCombinationCount) "
            + "combinations; take fewer, or fewer shares")
      }
      combinations = shares.flatMap { share in
        combinations.map {
          Combination(weight: $0.weight * share.weight, traits: $0.traits + share.traits)
        }
      }
    }
    self.combinations = combinations
  }

  /// The position of a visitor's combination.
  @inline(__always)
  func combination(of number: Int) -> Int {
    guard !draws.isEmpty else { return 0 }
    var position = 0
    var stride = 1
    for draw in draws {
      position += draw.share(of: number) * stride
      stride *= draw.shareCount
    }
    return position
  }

  // MARK: - Records

  /// What visitors of a combination have, under a visitor code.
  func record(
    of combination: Int, visitorCode: String, _ catalogue: CustomDataCatalogue
  ) -> VisitorRecord {
    population.record(
      combinations[combination].traits, visitorCode: visitorCode, catalogue)
  }

  /// A record for each combination.
  func records(_ catalogue: CustomDataCatalogue) -> [VisitorRecord] {
    combinations.indices.map { record(of: $0, visitorCode: population.prefix, catalogue) }
  }

  /// Why data were dropped; empty if none were.
  func droppedData(_ catalogue: CustomDataCatalogue) -> [VisitorTrait: String] {
    let all = population.traits + population.distributions.flatMap { $0.shares.flatMap(\.traits) }
    var record = VisitorRecord(visitStart: population.moment.now)
    var reasons: [VisitorTrait: String] = [:]
    for trait in all {
      let reason = record.add(
        trait, visitorCode: population.prefix, at: population.moment.now, catalogue)
      reasons[trait] = reason
    }
    return reasons
  }

  /// - Throws: ``AnalysisError/invalidPopulation(_:)`` if a datum is used by none of the catalogues.
  func requireUsableData(_ catalogues: [CustomDataCatalogue]) throws(AnalysisError) {
    let reasons = catalogues.map(droppedData)
    guard let first = reasons.first else { return }
    let lost = first.filter { trait, _ in reasons.allSatisfy { $0[trait] != nil } }
    guard let reason = lost.values.min() else { return }
    throw .invalidPopulation("\(reason); check the name, or give the index")
  }
}
