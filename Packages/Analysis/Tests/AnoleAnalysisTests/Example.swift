// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// Whether the split of a flag holds, and whom the new data file moves.
func rehearse(_ key: String, old: [UInt8], new: [UInt8], at now: Timestamp) async throws -> String {
  let files = try [old, new].map {
    Snapshot(try DataFile(parsing: $0), sdk: SDKIdentity(version: "1.0.0"))
  }
  var visitors = VisitorPopulation(count: 10_000, moment: Moment(now: now))
  visitors.distributions = [try DataDistribution(parsing: "device=phone:0.6,desktop:0.4")]
  let simulation = try await Simulation.run([key], in: files[1], population: visitors)
  let moves = try await VisitorMoves.run(from: files[0], to: files[1], population: visitors)
  return "\(simulation.flags[0].sentence); \(moves.movedCount) of 10000 visitors move"
}
