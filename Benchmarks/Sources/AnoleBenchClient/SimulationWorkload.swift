// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleBenchCore
import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// S1: 1,000,000 visitors of the experiment of W5, simulated on `--threads` threads.
struct SimulationWorkload {
  let options: Options

  private static let visitors = 1_000_000

  func run() async throws(BenchmarkError) -> [Measurement] {
    let bytes = try System.read("\(options.data)/small.json")
    let snapshot: Snapshot
    do throws(DataFileError) {
      snapshot = Snapshot(try DataFile(parsing: bytes), sdk: SDKIdentity(version: "4.27.2"))
    } catch {
      throw BenchmarkError("small.json: \(error)")
    }
    var samples: [Double] = []
    var check = ""
    // The first pass warms up.
    for round in 0...options.rounds {
      let start = System.seconds()
      let simulation = try await simulate(snapshot)
      let elapsed = System.seconds() - start
      if round > 0 { samples.append(elapsed / Double(Self.visitors) * 1e9) }
      check = simulation.flags[0].rows.map { "\($0.outcome.variationKey ?? "") \($0.count)" }
        .joined(separator: " ")
    }
    return [Measurement(metric: "simulate", unit: "ns/op", samples: samples, check: check)]
  }

  private func simulate(_ snapshot: Snapshot) async throws(BenchmarkError) -> Simulation {
    let moment = Moment(now: Timestamp(milliseconds: 1_763_000_000_000))
    do throws(AnalysisError) {
      return try await Simulation.run(
        ["w5"], in: snapshot, population: VisitorPopulation(count: Self.visitors, moment: moment),
        threads: options.threads)
    } catch {
      throw BenchmarkError(error.description)
    }
  }
}
