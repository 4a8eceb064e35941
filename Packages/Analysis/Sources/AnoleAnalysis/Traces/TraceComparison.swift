// SPDX-License-Identifier: Apache-2.0

public import AnoleEvaluation
public import AnoleModels

/// What changed the answer for one visitor: two traces of one flag, side by side.
///
/// The traces are of two data files, or of one with other data of the visitor. They name the visitor's
/// data: treat the comparison as personal data too.
public struct TraceComparison: Sendable, Hashable {
  /// The evaluation before; nil if there was no such flag.
  public let before: DecisionTrace?
  /// The evaluation after; nil if there is no such flag.
  public let after: DecisionTrace?
  /// Whether the application gets another variation, another id, or another failure.
  public let isAnswerChanged: Bool
  /// The first step that came out differently and so made the answer another; nil if the answer is the
  /// same.
  public let cause: TraceDifference?
  /// The other steps that differ, in the order of the pipeline, in what they say or how they come out.
  public let others: [TraceDifference]

  /// Compares.
  public init(before: DecisionTrace?, after: DecisionTrace?) {
    self.before = before
    self.after = after
    guard let before, let after else {
      isAnswerChanged = (before == nil) != (after == nil)
      cause =
        isAnswerChanged
        ? TraceDifference(
          .flag, before: Self.answer(before), after: Self.answer(after)) : nil
      others = []
      return
    }
    isAnswerChanged = !before.hasSameAnswer(as: after)
    let walk = TraceWalk(before, after)
    let cause = isAnswerChanged ? walk.cause() : nil
    self.cause = cause
    others = walk.differences().filter { difference in
      guard let cause else { return true }
      return difference.step != cause.step || difference.ruleID != cause.ruleID
    }
  }

  /// An answer in words: `"on" (variation 4, experiment 3): the split of an experiment`.
  public static func answer(_ trace: DecisionTrace?) -> String {
    guard let trace else { return "no such flag" }
    guard let outcome = trace.outcome else { return trace.failure ?? "no answer" }
    let ids = [
      outcome.variationID.map { "variation \($0)" },
      outcome.experimentID.map { "experiment \($0)" },
    ].compactMap(\.self)
    let suffix = ids.isEmpty ? "" : " (\(ids.joined(separator: ", ")))"
    return "\(outcome.variationKey.quoted)\(suffix): \(outcome.reason.sentence)"
  }

  /// The comparison as lines of text.
  public var lines: [String] {
    var lines = [
      "before: \(Self.answer(before))", "after:  \(Self.answer(after))",
    ]
    if let cause {
      lines.append("what changed it: \(cause.place)")
      lines += ["  before: \(cause.before)", "  after:  \(cause.after)"]
    } else {
      lines.append("the answer is the same")
    }
    if !others.isEmpty {
      lines.append(cause == nil ? "differs without effect:" : "differs besides:")
      for other in others {
        lines.append("  \(other.place)")
        lines += ["    before: \(other.before)", "    after:  \(other.after)"]
      }
    }
    return lines
  }

  /// The comparison as JSON, with the keys that the README lists.
  public var document: JSONValue {
    [
      "changed": .bool(isAnswerChanged), "before": .string(Self.answer(before)),
      "after": .string(Self.answer(after)), "cause": cause?.document ?? .null,
      "others": .array(others.map(\.document)),
    ]
  }
}

extension DecisionTrace {
  fileprivate func hasSameAnswer(as other: DecisionTrace) -> Bool {
    switch (outcome, other.outcome) {
    case (nil, nil): failure == other.failure
    case (let left?, let right?):
      left.variationKey.hasSameBytes(as: right.variationKey)
        && left.variationID == right.variationID && left.experimentID == right.experimentID
    default: false
    }
  }
}
