// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels

/// The options that describe many visitors; ``VisitorOptions/data`` are what all of them have.
enum PopulationOptions {
  static let prefix = Option(
    "prefix", value: "TEXT", help: "how visitor codes begin; default: visitor-")
  static let share = Option(
    "share", value: "NAME=VALUE:SHARE,…",
    help: "data that some have: device=phone:0.6,desktop:0.4; repeat it for more")
  static let seed = Option(
    "seed", value: "NUMBER", help: "another number deals the shares out anew; default: 0")

  /// All but the number of visitors, whose default is each command's.
  static let all = [prefix, share, seed]

  /// What the help says of `--share`.
  static let notes = [
    "--share names are device, os, browser, country, app-version, consent (given, refused),",
    "custom:INDEX and custom:NAME; what is missing to 1 are visitors without the data.",
  ]

  /// The visitors.
  ///
  /// - Parameter description: what all of them have, and the time.
  static func population(
    _ count: Int, _ description: VisitorDescription, _ arguments: Arguments
  ) throws(Failure) -> VisitorPopulation {
    var population = VisitorPopulation(count: count, moment: description.moment)
    if let prefix = arguments.value(prefix) { population.prefix = prefix }
    guard VisitorCode.isValid(population.visitorCode(count)) else {
      throw Failure(
        "--prefix is too long; with its number a code has at most "
          + "\(VisitorCode.maximumLength) characters")
    }
    population.seed = UInt64(try arguments.integer(seed, in: 0...Int64.max) ?? 0)
    population.traits =
      description.items.map { .datum($0) } + description.forced.map { .forced($0) }
    if let isGiven = description.isConsentGiven {
      population.traits.append(.consent(isGiven: isGiven))
    }
    for text in arguments.values(share) {
      do throws(AnalysisError) {
        population.distributions.append(try DataDistribution(parsing: text))
      } catch {
        throw Failure("\(share.text): \(error)")
      }
    }
    return population
  }
}

extension AnalysisError {
  /// The failure of a command.
  var failure: Failure {
    if case .cancelled = self { .interrupted } else { Failure(description) }
  }
}
