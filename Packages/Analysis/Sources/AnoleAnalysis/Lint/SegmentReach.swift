// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Whom segments reach, as far as it follows from the file alone: everybody, nobody, or it depends.
struct SegmentReach {
  private enum Truth {
    case yes, no, open

    var negated: Truth {
      switch self {
      case .yes: .no
      case .no: .yes
      case .open: .open
      }
    }
  }

  /// The ids of segments that everybody is in.
  private(set) var everybody: Set<Int64> = []
  /// The ids of segments that nobody is in.
  private(set) var nobody: Set<Int64> = []

  /// - Parameters:
  ///   - segments: the elements of the file's list.
  ///   - positions: their positions by id.
  ///   - neverMatching: the paths of conditions, groups and lists that never match.
  init(
    _ segments: [Lint.Element], positions: [Int64: Int], neverMatching: Set<String>
  ) {
    var truths = [Truth](repeating: .open, count: segments.count)
    var referrers: [Int: [Int]] = [:]
    for (position, segment) in segments.enumerated() {
      for entry in Lint.conditions(of: segment) {
        guard let target = entry.segmentID.flatMap({ positions[$0] }) else { continue }
        referrers[target, default: []].append(position)
      }
    }
    // What is known only grows, so that every segment is looked at again at most once for each of its
    // references; circles stay open.
    var waiting = Array(segments.indices)
    while let position = waiting.popLast() {
      guard truths[position] == .open else { continue }
      let tree = Tree(segments[position], neverMatching)
      truths[position] = tree.truth { id in positions[id].map { truths[$0] } ?? .no }
      if truths[position] != .open { waiting += referrers[position] ?? [] }
    }
    for (id, position) in positions {
      switch truths[position] {
      case .yes: everybody.insert(id)
      case .no: nobody.insert(id)
      case .open: break
      }
    }
  }

  /// The tree of one segment.
  private struct Tree {
    private let segment: Lint.Element
    private let never: Set<String>

    init(_ segment: Lint.Element, _ neverMatching: Set<String>) {
      self.segment = segment
      never = neverMatching
    }

    func truth(_ reference: (Int64) -> Truth) -> Truth {
      guard let tree = segment.value["conditionsData"], !tree.isNull else { return .yes }
      let path = "\(segment.path).conditionsData"
      guard tree.objectValue != nil, !never.contains(path) else { return .no }
      guard let list = tree["firstLevel"], !list.isNull else { return .yes }
      guard let groups = list.arrayValue else { return .no }
      let truths = groups.enumerated().map { position, group in
        truth(of: group, at: "\(path).firstLevel[\(position)]", reference)
      }
      return Self.joined(truths, tree["firstLevelOrOperators"])
    }

    private func truth(
      of group: JSONValue, at path: String, _ reference: (Int64) -> Truth
    ) -> Truth {
      guard group.objectValue != nil, !never.contains(path) else { return .no }
      let conditions = group["conditions"]?.arrayValue ?? []
      let truths = conditions.enumerated().map { index, condition -> Truth in
        let entry = ConditionList.Entry(path: "\(path).conditions[\(index)]", condition: condition)
        var truth = entry.segmentID.map(reference) ?? .open
        if never.contains(entry.path) || entry.impossibility != nil { truth = .no }
        return condition["isInclude"]?.boolValue == false ? truth.negated : truth
      }
      return Self.joined(truths, group["orOperators"])
    }

    /// The grouping rule of section 4.1, from the right end.
    private static func joined(_ operands: [Truth], _ operators: JSONValue?) -> Truth {
      guard let last = operands.last else { return .yes }
      func joinsWithOr(_ position: Int) -> Bool { operators?[position]?.boolValue ?? false }
      // What the operands from the next position on make together, and from the one behind it.
      var rest = last
      var restBehind: Truth?
      for position in operands.indices.dropLast().reversed() {
        let here: Truth
        if joinsWithOr(position) {
          here = or(operands[position], rest)
        } else {
          let pair = and(operands[position], operands[position + 1])
          here =
            if let restBehind {
              joinsWithOr(position + 1) ? or(pair, restBehind) : and(pair, restBehind)
            } else {
              pair
            }
        }
        restBehind = rest
        rest = here
      }
      return rest
    }

    private static func and(_ left: Truth, _ right: Truth) -> Truth {
      if left == .no || right == .no { return .no }
      return left == .yes && right == .yes ? .yes : .open
    }

    private static func or(_ left: Truth, _ right: Truth) -> Truth {
      if left == .yes || right == .yes { return .yes }
      return left == .no && right == .no ? .no : .open
    }
  }
}
