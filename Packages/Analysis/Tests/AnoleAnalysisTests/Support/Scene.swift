// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// The time of all tests: 2026-01-01.
let testTime = Timestamp(milliseconds: 1_767_225_600_000)

let testSDK = SDKIdentity(version: "4.27.2")

/// Compiles a data file.
func snapshot(_ text: String) throws -> Snapshot {
  Snapshot(try DataFile(parsing: Array(text.utf8)), sdk: testSDK)
}

/// Visitors of whom nothing is known, or who have distributed data.
func population(_ count: Int, _ distributions: String...) throws -> VisitorPopulation {
  var population = VisitorPopulation(count: count, moment: Moment(now: testTime))
  population.distributions = try distributions.map { try DataDistribution(parsing: $0) }
  return population
}

/// Data of many kinds, so that conditions of many types match some visitors and not others.
let variedData = [
  "device=phone:0.5,tablet:0.2", "country=France:0.4,Germany:0.3", "custom:1=gold:0.3,free:0.5",
  "consent=given:0.4,refused:0.3", "app-version=1.9.0:0.5,2.1:0.5",
]

func variedPopulation(_ count: Int, seed: UInt64 = 7) throws -> VisitorPopulation {
  var population = VisitorPopulation(count: count, moment: Moment(now: testTime))
  population.seed = seed
  population.distributions = try variedData.map { try DataDistribution(parsing: $0) }
  return population
}

/// What one visitor gets of a flag, decided directly.
func directOutcome(
  _ key: String, _ code: String, _ record: VisitorRecord, _ snapshot: Snapshot
) -> FlagOutcome {
  do throws(EvaluationError) {
    return FlagOutcome(
      try snapshot.decide(
        key, visitorCode: code, record: record, at: Moment(now: testTime)))
  } catch {
    return FlagOutcome(error)
  }
}

/// A file with one flag "f" and one rule, whose parts a test replaces.
func oneRule(
  exposition: String = "1", type: String = "EXPERIMENTATION", segment: String = "null",
  split: String = halves, holdout: String = "null", segments: String = "[]",
  enabled: Bool = true, customData: String = "[]", bucketing: String = "null"
) -> String {
  """
  {"segments": \(segments), "holdout": \(holdout), "customData": \(customData),
   "featureFlags": [{"id": 1, "featureKey": "f", "environmentEnabled": \(enabled),
    "defaultVariationKey": "off", "bucketingCustomDataId": \(bucketing),
    "variations": [{"key": "off"}, {"key": "on"}],
    "rules": [{"id": 2, "type": "\(type)", "exposition": \(exposition), "experimentId": 3,
      "segmentId": \(segment), "variationByExposition": \(split)}]}]}
  """
}

let halves = """
  [{"variationKey": "off", "variationId": 4, "exposition": 0.5},
   {"variationKey": "on", "variationId": 5, "exposition": 0.5}]
  """

/// A segment with one condition.
func segment(_ id: Int, _ condition: String) -> String {
  #"{"id": \#(id), "conditionsData": {"firstLevel": [{"conditions": [\#(condition)]}]}}"#
}
