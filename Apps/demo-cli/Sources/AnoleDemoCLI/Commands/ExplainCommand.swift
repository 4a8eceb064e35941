// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// `explain`: tells every step of one decision.
enum ExplainCommand: Command {
  static let name = "explain"
  static let summary = "tell every step that leads to a decision"
  static let synopsis = "FLAG --visitor CODE [OPTION…]"
  static let options = [VisitorOptions.visitor, DataSource.option] + VisitorOptions.data
  static let example = "explain checkout --visitor anna"
  static let notes = [
    "The trace names hash key and data of the visitor: treat it as personal data.",
    "Exit status: 0 decided, 1 the flag cannot be decided (the trace says why), 2 wrong usage.",
  ]

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
    if arguments.has(.json) {
      return Output(json: trace.document, remarks: source.remarks, status: status)
    }
    return Output(
      lines: [trace.description], remarks: source.remarks, status: status, colouring: .explanation)
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
