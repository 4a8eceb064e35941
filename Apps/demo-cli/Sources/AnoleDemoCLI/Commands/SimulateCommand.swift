// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// `simulate`: the split of a flag among many visitors.
enum SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "decide a flag for many visitors and compare the shares"
  static let synopsis = "FLAG [OPTION…]"
  static let options = [visitors, prefix, DataSource.option] + VisitorOptions.data
  static let example = "simulate checkout --visitors 10000"
  static let notes = [
    "The visitors are called visitor-1, visitor-2 and so on, and all have the data of the options.",
    "The expected share follows from holdout, group, expositions and split; it is left out where",
    "decisions depend on more than chance.",
    "Exit status: 0 done, 1 the flag cannot be decided, 2 wrong usage.",
  ]

  private static let greatestCount: Int64 = 10_000_000
  private static let visitors = Option(
    "visitors", value: "N", help: "how many, 1 to 10,000,000; default: 100,000")
  private static let prefix = Option(
    "prefix", value: "TEXT", help: "how visitor codes begin; default: visitor-")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let key = try arguments.onlyOperand("flag") else {
      throw Failure("simulate needs a flag; write demo-cli simulate FLAG")
    }
    let count = Int(try arguments.integer(visitors, in: 1...greatestCount) ?? 100_000)
    let prefix = arguments.value(prefix) ?? "visitor-"
    guard VisitorCode.isValid(prefix + String(count)) else {
      throw Failure(
        "--prefix is too long; with its number a code has at most "
          + "\(VisitorCode.maximumLength) characters")
    }
    let source = try DataSource(arguments, in: environment)
    let flag = try source.flag(key)
    let visitor = try VisitorDescription(arguments, source, in: environment)
    let simulation: Simulation
    do throws(EvaluationError) {
      simulation = try Simulation(
        flag, visitors: count, prefix: prefix, visitor, source.snapshot)
    } catch {
      return Output(
        lines: [], remarks: source.remarks + [error.description], status: ExitStatus.negative)
    }
    if arguments.has(.json) {
      return Output(json: simulation.document, remarks: source.remarks)
    }
    let title = "\(Printable.line(flag.key)): \(Wording.count(count, "visitor"))"
    return Output(lines: [title] + simulation.lines, remarks: source.remarks)
  }
}
