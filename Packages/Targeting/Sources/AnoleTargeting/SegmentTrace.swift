// SPDX-License-Identifier: Apache-2.0

/// Why a visitor is in a segment or not: every condition with its result.
public struct SegmentTrace: Sendable, Hashable, Codable {
  /// A group of conditions.
  public struct Group: Sendable, Hashable, Codable {
    /// The conditions in file order.
    public let conditions: [Condition]
    /// The group's result.
    public let isMatch: Bool
    /// The operator that joins the group to the next one; nil for the last.
    public let joinsNextWith: Operator?
  }

  /// A condition.
  public struct Condition: Sendable, Hashable, Codable {
    /// The condition in words: its type and fields.
    public let summary: String
    /// Whether the result is negated (`isInclude` is false).
    public let isExcluded: Bool
    /// The result after negation.
    public let isMatch: Bool
    /// What there is to say about the result: missing data, an invalid pattern, an unknown type.
    public let note: String?
    /// The operator that joins the condition to the next one; nil for the last.
    public let joinsNextWith: Operator?
    /// The segment a `SEGMENT` condition refers to, unless it is being evaluated already.
    public let segment: SegmentReference?
  }

  /// A segment inside a segment.
  public struct SegmentReference: Sendable, Hashable, Codable {
    private let boxed: [SegmentTrace]

    init(_ trace: SegmentTrace) { boxed = [trace] }

    /// The trace of the segment referred to.
    public var trace: SegmentTrace? { boxed.first }
  }

  /// How neighbours are joined.
  public enum Operator: String, Sendable, Hashable, Codable {
    /// Both have to match, as the grouping rule of section 4.1 pairs them.
    case and = "AND"
    /// One of them has to match.
    case or = "OR"
  }

  /// The segment.
  public let id: Int64
  /// The groups in file order; empty where everybody is targeted.
  public let groups: [Group]
  /// The result.
  public let isMatch: Bool
}

extension SegmentTrace: CustomStringConvertible {
  /// The tree, one condition a line.
  public var description: String { lines(indentation: 0).joined(separator: "\n") }

  /// The lines of ``description``, indented by two spaces a level.
  public func lines(indentation level: Int) -> [String] {
    let margin = String(repeating: "  ", count: level)
    var lines = ["\(margin)segment \(id): \(Self.word(isMatch))"]
    if groups.isEmpty { lines[0] += " (no conditions: everybody)" }
    for (position, group) in groups.enumerated() {
      let isOnly = groups.count == 1
      if !isOnly {
        lines.append("\(margin)  group \(position + 1): \(Self.word(group.isMatch))")
      }
      for condition in group.conditions {
        lines += condition.lines(indentation: level + (isOnly ? 1 : 2))
      }
      if let next = group.joinsNextWith { lines.append("\(margin)  \(next.rawValue)") }
    }
    return lines
  }

  fileprivate static func word(_ isMatch: Bool) -> String { isMatch ? "match" : "no match" }
}

extension SegmentTrace.Condition {
  fileprivate func lines(indentation level: Int) -> [String] {
    let margin = String(repeating: "  ", count: level)
    var line = margin + (isExcluded ? "NOT " : "") + summary + ": " + SegmentTrace.word(isMatch)
    if let note { line += " (\(note))" }
    if let next = joinsNextWith { line += " \(next.rawValue)" }
    return [line] + (segment?.trace?.lines(indentation: level + 1) ?? [])
  }
}
