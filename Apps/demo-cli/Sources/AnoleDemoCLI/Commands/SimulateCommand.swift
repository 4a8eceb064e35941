// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels

/// `simulate`: the splits of flags among many visitors.
enum SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "decide flags for many visitors and test the shares"
  static let synopsis = "[FLAG] [OPTION…]"
  static let options =
    [visitors] + PopulationOptions.all + [DataSource.option] + VisitorOptions.data
  static let example = "simulate checkout --visitors 10000"
  static let notes =
    [
      "Without FLAG all flags are simulated. The visitors are called visitor-1, visitor-2 and so on;",
      "all have the data of the options, some those of --share.",
    ] + PopulationOptions.notes + [
      "The expected share follows from holdout, group, expositions and split; it is left out where",
      "decisions depend on more than chance. A split counts as broken if chance yields such counts",
      "in less than 1 of 1,000 simulations.",
      "Exit status: 0 done, 1 a split is broken or the flag cannot be decided, 2 wrong usage.",
    ]

  private static let visitors = Option(
    "visitors", value: "N", help: "how many, 1 to 10,000,000; default: 100,000")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let limit = Int64(VisitorPopulation.greatestCount)
    let count = Int(try arguments.integer(visitors, in: 1...limit) ?? 100_000)
    let key = try arguments.onlyOperand("flag")
    let source = try DataSource(arguments, in: environment)
    let flag = try key.map { (key) throws(Failure) in try source.flag(key) }
    var remarks = source.remarks
    let isOff = flag.map { !$0.isEnvironmentEnabled } ?? false
    if isOff, let flag {
      remarks.append(EvaluationError.environmentDisabled(featureKey: flag.key).description)
      guard arguments.has(.json) else {
        return Output(lines: [], remarks: remarks, status: ExitStatus.negative)
      }
    }
    let population = try PopulationOptions.population(
      count, try VisitorDescription(arguments, source, in: environment), arguments)
    let progress = environment.progress
    defer { progress.end() }
    let simulation: Simulation
    do throws(AnalysisError) {
      simulation = try await Simulation.run(
        flag.map { [$0.key] }, in: source.snapshot, population: population,
        progress: { progress.show($0, of: count, "visitor") })
    } catch {
      throw error.failure
    }
    let isBroken = simulation.verdict == .differs || simulation.verdict == .unforeseen
    let status = isBroken || isOff ? ExitStatus.negative : ExitStatus.success
    guard arguments.has(.json) else {
      return Output(lines: SimulationText(simulation).lines, remarks: remarks, status: status)
    }
    let document =
      [JSONValue.Member(key: "dataFile", value: .string(source.name))]
      + (simulation.document.objectValue ?? [])
    return Output(json: .object(document), remarks: remarks, status: status)
  }
}
