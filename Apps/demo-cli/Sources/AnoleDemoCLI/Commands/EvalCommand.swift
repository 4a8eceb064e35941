// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import AnoleTargeting

/// `eval`: decides flags for one visitor.
enum EvalCommand: Command {
  static let name = "eval"
  static let summary = "decide flags for a visitor"
  static let synopsis = "[FLAG…] --visitor CODE [OPTION…]"
  static let options =
    [VisitorOptions.visitor, DataSource.option] + VisitorOptions.data + [variables]
  static let example = "eval checkout --visitor anna --custom-name plan=gold"
  static let notes = [
    "Without FLAG all flags are decided in file order. Assignments made for a flag are seen by the",
    "conditions of later ones, as in the SDK's call for all flags. A line says: flag, variation,",
    "active (the variation is not \"off\") or inactive, the reason, ids.",
    "Exit status: 0 decided, 1 a flag named by FLAG cannot be decided, 2 wrong usage.",
  ]

  private static let variables = Option(
    "variables", help: "print the variables of the variations too")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let code = try VisitorDescription.code(arguments, example: "demo-cli eval")
    let source = try DataSource(arguments, in: environment)
    let visitor = try VisitorDescription(arguments, source, in: environment)
    let named = try arguments.operands.map { (key) throws(Failure) in try source.flag(key).key }
    let keys = named.isEmpty ? source.snapshot.featureKeys : named
    var record = visitor.record(of: code, source.snapshot)
    let answers = FlagAnswer.decide(
      keys, visitorCode: code, record: &record, visitor, source.snapshot)
    let isRefused = !named.isEmpty && answers.contains(where: \.isFailure)
    let status = isRefused ? ExitStatus.negative : ExitStatus.success
    if arguments.has(.json) {
      let document = document(source, code, visitor, record, answers)
      return Output(json: document, remarks: source.remarks, status: status)
    }
    let lines = lines(answers, withVariables: arguments.has(variables))
    return Output(
      lines: lines.isEmpty ? ["\(source.name) has no flags"] : lines, remarks: source.remarks,
      status: status, colouring: .answers)
  }

  /// A line a flag, each followed by its variables if wanted.
  static func lines(_ answers: [FlagAnswer], withVariables: Bool) -> [String] {
    var table = Table([.left, .left, .left, .left, .left])
    for answer in answers { table.add(answer.cells) }
    guard withVariables else { return table.lines }
    return zip(table.lines, answers).flatMap { line, answer in [line] + answer.variableLines }
  }

  private static func document(
    _ source: DataSource, _ code: String, _ visitor: VisitorDescription, _ record: VisitorRecord,
    _ answers: [FlagAnswer]
  ) -> JSONValue {
    let assignments = record.assignments.all.map { assignment -> JSONValue in
      [
        "experimentId": .id(assignment.experimentID), "variationId": .id(assignment.variationID),
      ]
    }
    return [
      "visitor": .string(code), "now": .id(visitor.moment.now.milliseconds),
      "dataFile": .string(source.name), "flags": .array(answers.map(\.document)),
      "assignments": .array(assignments),
      "audiences": .array(audiences(source.snapshot, code, record, visitor.moment)),
    ]
  }

  private static func audiences(
    _ snapshot: Snapshot, _ code: String, _ record: VisitorRecord, _ moment: Moment
  ) -> [JSONValue] {
    do throws(EvaluationError) {
      return try snapshot.audiences(visitorCode: code, record: record, at: moment)
        .map { .id($0) }
    } catch {
      return []  // Only an invalid visitor code fails, which was refused before.
    }
  }
}
