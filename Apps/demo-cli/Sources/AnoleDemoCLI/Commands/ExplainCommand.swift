// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleEvaluation
import AnoleModels

/// `explain`: tells every step of one decision.
enum ExplainCommand: Command {
  static let name = "explain"
  static let summary = "tell every step that leads to a decision"
  static let synopsis = "FLAG --visitor CODE [OPTION…]"
  static let options = [VisitorOptions.visitor, DataSource.option, since] + VisitorOptions.data
  static let example = "explain checkout --visitor anna"
  static let notes = [
    "With --since the answer by an earlier data file is told too, and the first step that made it",
    "another. The trace names hash key and data of the visitor: treat it as personal data.",
    "Exit status: 0 decided, 1 the flag cannot be decided (the trace says why), 2 wrong usage.",
  ]

  private static let since = Option(
    "since", value: "FILE", help: "tell what changed the answer since this data file")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let key = try arguments.onlyOperand("flag") else {
      throw Failure("explain needs a flag; write demo-cli explain FLAG --visitor anna")
    }
    let code = try VisitorDescription.code(
      arguments, example: "demo-cli explain \(Printable.line(key))")
    let source = try DataSource(arguments, in: environment)
    let flag = try source.flag(key)
    let visitor = try VisitorDescription(arguments, source, in: environment)
    let trace = try trace(flag.key, code, visitor, source.snapshot)
    let status = trace.failure == nil ? ExitStatus.success : ExitStatus.negative
    let change = try change(to: trace, of: code, visitor, arguments, in: environment)
    if arguments.has(.json) {
      var document = trace.document.objectValue ?? []
      if let change { document.append(JSONValue.Member(key: "since", value: change.document)) }
      return Output(json: .object(document), remarks: source.remarks, status: status)
    }
    return Output(
      lines: [trace.description] + (change?.lines ?? []), remarks: source.remarks, status: status,
      colouring: .explanation)
  }

  /// What changed the answer since an earlier data file.
  private struct Change {
    let file: String
    let comparison: TraceComparison

    var lines: [String] { ["", "since \(file)"] + comparison.lines.map { "  \($0)" } }

    var document: JSONValue {
      .object(
        [JSONValue.Member(key: "dataFile", value: .string(file))]
          + (comparison.document.objectValue ?? []))
    }
  }

  /// - Returns: nil without `--since`.
  private static func change(
    to trace: DecisionTrace, of code: String, _ visitor: VisitorDescription,
    _ arguments: Arguments, in environment: Environment
  ) throws(Failure) -> Change? {
    guard let path = arguments.value(since) else { return nil }
    let source = try DataSource(
      try environment.read(path), name: DataSource.name(of: path), in: environment)
    let isKnown = source.snapshot.featureKeys.contains {
      $0.utf8.elementsEqual(trace.featureKey.utf8)
    }
    let before = isKnown ? try Self.trace(trace.featureKey, code, visitor, source.snapshot) : nil
    return Change(
      file: source.name, comparison: TraceComparison(before: before, after: trace))
  }

  /// The steps of a decision.
  static func trace(
    _ key: String, _ code: String, _ visitor: VisitorDescription, _ snapshot: Snapshot
  ) throws(Failure) -> DecisionTrace {
    do throws(EvaluationError) {
      return try snapshot.explain(
        key, visitorCode: code, record: visitor.record(of: code, snapshot), at: visitor.moment)
    } catch {
      throw Failure(error.description)
    }
  }
}
