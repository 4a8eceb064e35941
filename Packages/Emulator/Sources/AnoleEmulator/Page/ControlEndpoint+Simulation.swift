// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleConcurrency
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

extension ControlEndpoint {
  private static let maximumVisitors: Int64 = 1_000_000
  private static let usualVisitors = 10_000
  private static let usualPrefix = "visitor-"

  /// The shares that many visitors get of a flag, against those that its rules promise.
  ///
  /// They have numbers behind a prefix for codes, and all the data of the context.
  @Sendable
  static func simulate(
    _ arguments: ControlArguments, _ core: Core
  ) async throws(ControlError) -> JSONValue {
    try arguments.allow("siteCode", "environment", "flag", "visitors", "prefix", "context")
    let flag = try arguments.requiredText("flag")
    let count = try arguments.integer("visitors", in: 1...maximumVisitors) ?? usualVisitors
    let prefix = try arguments.text("prefix") ?? usualPrefix
    let snapshot = try core.snapshot(try Place(arguments)).snapshot
    let context = try crowdContext(arguments, prefix: prefix, snapshot, core)
    var population = VisitorPopulation(count: count, moment: context.moment)
    population.prefix = prefix
    population.traits = context.traits
    do throws(AnalysisError) {
      let simulation = try await Simulation.run([flag], in: snapshot, population: population)
      return simulation.flags.first?.document ?? .null
    } catch {
      if case .evaluation(let error) = error { throw ControlError(error) }
      throw ControlError(400, "\(error).")
    }
  }

  /// The context with the prefix for its targeting key, which visitors have each for themselves.
  private static func crowdContext(
    _ arguments: ControlArguments, prefix: String, _ snapshot: Snapshot, _ core: Core
  ) throws(ControlError) -> EvaluationContext {
    let given = arguments["context"] ?? [:]
    guard var members = given.objectValue else {
      throw ControlError(400, "context must be an object.")
    }
    members.removeAll { $0.key == "targetingKey" }
    members.append(.init(key: "targetingKey", value: .string(prefix + "1")))
    return try context(.object(members), snapshot, core)
  }
}

extension EvaluationContext {
  /// What the context says, as simulated visitors have it.
  fileprivate var traits: [VisitorTrait] {
    let consents: [VisitorTrait] =
      switch consent {
      case .unknown: []
      case .given: [.consent(isGiven: true)]
      case .refused: [.consent(isGiven: false)]
      }
    return items.map(VisitorTrait.datum) + consents + forced.map(VisitorTrait.forced)
  }
}
