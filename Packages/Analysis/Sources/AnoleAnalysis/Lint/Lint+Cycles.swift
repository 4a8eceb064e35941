// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Lint {
  /// The positions of segments by id; of two segments with one id the later counts.
  var segmentPositions: [Int64: Int] {
    var positions: [Int64: Int] = [:]
    for (position, segment) in segments.enumerated() {
      if let id = segment.value["id"]?.integerValue { positions[id] = position }
    }
    return positions
  }

  /// Reports segments that refer to each other in a circle, each circle once.
  ///
  /// A walk in depth with a stack of its own: the file decides how deep references go.
  mutating func checkSegmentCycles() {
    let positions = segmentPositions
    let references = segments.map { segment in
      Self.conditions(of: segment).compactMap { $0.segmentID.flatMap { positions[$0] } }
    }
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: segments.count)
    for start in segments.indices where marks[start] == .new {
      var path = [(position: start, next: 0)]
      marks[start] = .open
      while let top = path.last {
        guard top.next < references[top.position].count else {
          marks[top.position] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let target = references[top.position][top.next]
        switch marks[target] {
        case .done: continue
        case .new:
          marks[target] = .open
          path.append((target, 0))
        case .open: reportCycle(path.map(\.position), backTo: target)
        }
      }
    }
  }

  /// Longer circles are shortened in the message.
  private static let shownSegments = 6

  private mutating func reportCycle(_ path: [Int], backTo target: Int) {
    let circle = path.drop { $0 != target }
    var names = circle.prefix(Self.shownSegments).map { segments[$0].value["id"]?.text() ?? "" }
    if circle.count > names.count { names.append("…") }
    names.append(segments[target].value["id"]?.text() ?? "")
    report(
      .segmentCycle, "\(segments[target].path).conditionsData",
      "segments refer to each other in a circle (\(names.joined(separator: " → "))); "
        + "the reference back never matches",
      "take one of the references out")
  }
}
