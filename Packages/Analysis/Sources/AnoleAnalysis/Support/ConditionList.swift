// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The conditions of a segment's tree as they stand in the file.
enum ConditionList {
  /// A condition and its place.
  struct Entry: Sendable {
    let path: String
    let condition: JSONValue

    /// The condition's type; nil if it has none.
    var type: String? { condition["targetingType"]?.stringValue }

    /// The segment that a `SEGMENT` condition refers to; nil for all others.
    var segmentID: Int64? {
      type == "SEGMENT" ? condition["segmentId"]?.integerValue : nil
    }
  }

  /// The conditions of all groups, in order.
  ///
  /// - Parameters:
  ///   - tree: the value of `conditionsData`.
  ///   - path: where it stands.
  static func entries(of tree: JSONValue, path: String) -> [Entry] {
    var entries: [Entry] = []
    for (position, group) in (tree["firstLevel"]?.arrayValue ?? []).enumerated() {
      for (index, condition) in (group["conditions"]?.arrayValue ?? []).enumerated() {
        let place = "\(path).firstLevel[\(position)].conditions[\(index)]"
        entries.append(Entry(path: place, condition: condition))
      }
    }
    return entries
  }

  /// The conditions of a segment of a data file that was read; empty if there are none.
  static func entries(of segment: Segment) -> [Entry] {
    guard case .tree(let text) = segment.conditions else { return [] }
    do throws(JSONError) {
      return entries(of: try text.value(), path: "")
    } catch {
      return []  // The compiled segment reports it.
    }
  }

  /// The types of all conditions that a segment asks, also through other segments.
  static func types(askedBy segmentID: Int64, in dataFile: DataFile) -> Set<String> {
    var seen: Set<Int64> = []
    var types: Set<String> = []
    var waiting = [segmentID]
    while let id = waiting.popLast() {
      guard seen.insert(id).inserted, let segment = dataFile.segments.last(where: { $0.id == id })
      else { continue }
      for entry in entries(of: segment) {
        if let type = entry.type { types.insert(type) }
        if let other = entry.segmentID { waiting.append(other) }
      }
    }
    return types
  }
}
