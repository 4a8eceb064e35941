// SPDX-License-Identifier: Apache-2.0

import AnoleBenchCore
import AnoleBenchDelivery
import AnoleBenchEvaluation
import AnoleModels

/// `bench`: the workloads of `anole-bench`.
enum BenchCommand: Command {
  static let name = "bench"
  static let summary = "measure the workloads of the benchmark"
  static let synopsis = "[WORKLOAD…] --data DIR"
  static let options = [dataOption, secondsOption, roundsOption, threadsOption, urlOption]
  static let example = "bench W1 W5 --data inputs"
  static let notes = [
    "Measures as anole-bench does: the same work, inputs and figures. Without WORKLOAD all are",
    "measured that need no server:",
    "  " + workloads.filter { $0 != upload }.joined(separator: ", "),
    "\(upload) sends events to --url. Files are made in the folder of $BENCH_TMP, or here, and removed.",
    "Exit status: 0 measured, 2 wrong usage, 4 inputs or results are not what they have to be,",
    "130 interrupted.",
  ]

  private static let upload = "W10"
  private static let workloads = EvaluationWorkloads.names + DeliveryWorkloads.names

  private static let dataOption = Option(
    "data", value: "DIR", help: "the folder of inputs (required)", isSetting: true)
  private static let secondsOption = Option(
    "seconds", value: "S", help: "how long a sample takes at least; default: 0.2")
  private static let roundsOption = Option(
    "rounds", value: "R", help: "how many samples are taken; default: 5")
  private static let threadsOption = Option(
    "threads", value: "N", help: "how many threads evaluate at once (W1, W2, W2R); default: 1")
  private static let urlOption = Option(
    "url", value: "URL", help: "the server of \(upload), which answers 204")

  /// What one workload measured.
  private struct Result {
    let workload: String
    let measurements: [Measurement]
  }

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let names = try arguments.operands.map { (word) throws(Failure) in try workload(word) }
    var wanted = names.isEmpty ? workloads : names
    if names.isEmpty, arguments.value(urlOption) == nil { wanted.removeAll { $0 == upload } }
    if wanted.contains(upload), arguments.value(urlOption) == nil {
      throw Failure("\(upload) needs a server that answers 204; name it with --url URL")
    }
    guard let folder = arguments.value(dataOption), !folder.isEmpty else {
      throw Failure("--data is missing; name the folder of the benchmark's inputs")
    }
    var results: [Result] = []
    for (position, name) in wanted.enumerated() {
      guard !Task.isCancelled else { throw .interrupted }
      environment.progress.show(position, of: wanted.count, "workload")
      do throws(BenchmarkError) {
        results.append(
          Result(workload: name, measurements: try measure(name, folder, arguments)))
      } catch {
        environment.progress.end()
        throw .data(error.description)
      }
    }
    environment.progress.end()
    return arguments.has(.json)
      ? Output(json: ["measurements": .array(results.flatMap(document))])
      : Output(lines: lines(results))
  }

  private static func workload(_ word: String) throws(Failure) -> String {
    if let name = workloads.first(where: { $0.lowercased() == word.lowercased() }) { return name }
    throw Failure(
      "there is no workload \(Printable.quote(word)); there are \(Wording.list(workloads, "and"))")
  }

  private static func measure(
    _ name: String, _ folder: String, _ arguments: Arguments
  ) throws(BenchmarkError) -> [Measurement] {
    var words = ["--workload", name, "--data", folder]
    for option in [secondsOption, roundsOption, threadsOption, urlOption] {
      if let value = arguments.value(option) { words += [option.text, value] }
    }
    let options = try Options(words[...])
    return DeliveryWorkloads.names.contains(name)
      ? try DeliveryWorkloads(options).run() : [try EvaluationWorkloads(options).run()]
  }

  // MARK: - Words

  private static func lines(_ results: [Result]) -> [String] {
    var table = Table([.left, .left, .right, .left, .left])
    table.add(["workload", "metric", "median", "unit", "check"])
    for result in results {
      for measurement in result.measurements {
        table.add([
          result.workload, measurement.metric, rounded(median(measurement.samples)),
          measurement.unit, measurement.check,
        ])
      }
    }
    return table.lines
  }

  private static func document(_ result: Result) -> [JSONValue] {
    result.measurements.map { measurement in
      [
        "workload": .string(result.workload), "metric": .string(measurement.metric),
        "unit": .string(measurement.unit), "median": .real(median(measurement.samples)),
        "samples": .array(measurement.samples.map { .real($0) }),
        "check": .string(measurement.check),
      ]
    }
  }

  private static func median(_ samples: [Double]) -> Double {
    let sorted = samples.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func rounded(_ value: Double) -> String {
    value >= 1000 ? Wording.grouped(Int(value)) : Wording.decimals(value)
  }
}
