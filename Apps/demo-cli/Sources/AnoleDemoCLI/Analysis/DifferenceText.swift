// SPDX-License-Identifier: Apache-2.0

import AnoleAnalysis
import AnoleModels

/// The difference of two data files as lines.
struct DifferenceText {
  private let old: String
  private let new: String
  private let comparison: DataFileComparison
  private let moves: VisitorMoves?

  init(old: String, new: String, _ comparison: DataFileComparison, _ moves: VisitorMoves?) {
    self.old = old
    self.new = new
    self.comparison = comparison
    self.moves = moves
  }

  var lines: [String] {
    let result =
      comparison.isEmpty ? "no difference" : Wording.count(comparison.changes.count, "difference")
    let title = "\(old) → \(new): \(result)"
    guard !comparison.isEmpty else { return [title] }
    return [title] + comparison.changes.flatMap(Self.lines) + (moves.map(Self.lines) ?? [])
  }

  private static func lines(_ change: Change) -> [String] {
    ["\(mark(change)) \(Printable.line(change.sentence, limit: 1_000))"]
      + change.details.map { "    \(Printable.line($0, limit: 1_000))" }
  }

  private static func mark(_ change: Change) -> String {
    switch (change.before.isNull, change.after.isNull) {
    case (true, false): "+"
    case (false, true): "-"
    default: "~"
    }
  }

  // MARK: - Visitors

  private static func lines(_ moves: VisitorMoves) -> [String] {
    let count = Wording.count(moves.visitorCount, "visitor")
    var lines = [
      "",
      "\(count): \(Wording.grouped(moves.movedCount)) get another variation of a flag that both files have",
    ]
    for flag in moves.flags where !flag.transitions.isEmpty { lines += self.lines(flag) }
    return lines
  }

  private static func lines(_ flag: VisitorMoves.Flag) -> [String] {
    let effects = [
      (flag.count(.variation), "another variation"), (flag.count(.variables), "other variables"),
      (flag.count(.reason), "only another reason"), (flag.unchangedCount, "the same"),
    ].filter { $0.0 > 0 }.map { "\(Wording.grouped($0.0)) \($0.1)" }
    var table = Table([.left, .right, .left, .left])
    table.add(["  variation", "visitors", "reason", "such as"])
    for transition in flag.transitions {
      table.add([
        "  \(variation(transition.from)) → \(variation(transition.to))",
        Wording.grouped(transition.count),
        reasons(transition),
        transition.examples.prefix(shownExamples).map { Printable.line($0) }
          .joined(separator: ", "),
      ])
    }
    return ["", "\(Printable.line(flag.featureKey)): \(effects.joined(separator: ", "))"]
      + table.lines
  }

  private static let shownExamples = 3

  private static func variation(_ outcome: FlagOutcome) -> String { outcome.variationKey ?? "none" }

  private static func reasons(_ transition: VisitorMoves.Transition) -> String {
    let (from, to) = (transition.from.explanation, transition.to.explanation)
    return from == to ? from : "\(from) → \(to)"
  }
}
