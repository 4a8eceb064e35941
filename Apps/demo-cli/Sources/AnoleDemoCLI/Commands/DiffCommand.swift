// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels

/// `diff`: what is different between two data files, and for whom.
enum DiffCommand: Command {
  static let name = "diff"
  static let summary = "compare two data files and count whom the change moves"
  static let synopsis = "OLD NEW [OPTION…]"
  static let options = [visitors] + PopulationOptions.all + VisitorOptions.data
  static let example = "diff before.json after.json --share device=phone:0.6,desktop:0.4"
  static let notes =
    [
      "Tells changed flags, rules, ranges, segments, holdout, custom data and settings; then how many",
      "visitors get another variation, as a table of transitions with some of their codes. Flags that",
      "cannot have changed for anybody are not decided. One of the files may be - for standard input.",
    ] + PopulationOptions.notes + [
      "Exit status: 0 no difference, 1 differences, 2 wrong usage or no such file, 4 no data file."
    ]

  private static let visitors = Option(
    "visitors", value: "N",
    help: "how many, up to 10,000,000; 0 compares the files alone; default: 10,000")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let paths = arguments.operands
    guard paths.count == 2 else {
      throw Failure("diff needs two data files; write demo-cli diff OLD NEW")
    }
    guard paths != ["-", "-"] else {
      throw Failure("standard input can be one of the files only; give the path of the other")
    }
    let limit = Int64(VisitorPopulation.greatestCount)
    let count = Int(try arguments.integer(visitors, in: 0...limit) ?? 10_000)
    var sources: [DataSource] = []
    for path in paths {
      let bytes = try environment.read(path)
      sources.append(
        try DataSource(bytes, name: DataSource.name(of: path), in: environment))
    }
    let (old, new) = (sources[0], sources[1])
    let comparison = DataFileComparison(old.snapshot.dataFile, new.snapshot.dataFile)
    let moves =
      count > 0 ? try await moves(count, comparison, old, new, arguments, in: environment) : nil
    let remarks = old.remarks + new.remarks
    let status = comparison.isEmpty ? ExitStatus.success : ExitStatus.negative
    guard arguments.has(.json) else {
      let text = DifferenceText(old: old.name, new: new.name, comparison, moves)
      return Output(
        lines: text.lines, remarks: remarks, status: status, colouring: .differences)
    }
    let document: JSONValue = [
      "old": .string(old.name), "new": .string(new.name), "equal": .bool(comparison.isEmpty),
      "changes": .array(comparison.changes.map(\.document)), "moves": moves?.document ?? .null,
    ]
    return Output(json: document, remarks: remarks, status: status)
  }

  private static func moves(
    _ count: Int, _ comparison: DataFileComparison, _ old: DataSource, _ new: DataSource,
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> VisitorMoves {
    let population = try PopulationOptions.population(
      count, try VisitorDescription(arguments, new, in: environment), arguments)
    let progress = environment.progress
    defer { progress.end() }
    do throws(AnalysisError) {
      return try await VisitorMoves.run(
        from: old.snapshot, to: new.snapshot, featureKeys: comparison.affectedFlags,
        population: population, progress: { progress.show($0, of: count, "visitor") })
    } catch {
      throw error.failure
    }
  }
}
