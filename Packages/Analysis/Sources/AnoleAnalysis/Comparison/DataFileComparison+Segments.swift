// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension DataFileComparison {
  mutating func compareSegments(_ old: DataFile, _ new: DataFile) {
    let matching = Matching(old.visibleSegments, new.visibleSegments, by: \.id)
    for pair in matching.common {
      if pair.old.isAudienceTracked != pair.new.isAudienceTracked {
        report(
          .segmentAudience, before: .bool(pair.old.isAudienceTracked),
          after: .bool(pair.new.isAudienceTracked),
          "segment \(pair.new.id) is \(pair.new.isAudienceTracked ? "now" : "no longer") "
            + "tracked as an audience")
      }
      compareConditions(pair.old, pair.new)
    }
    for segment in matching.added {
      report(
        .segmentAdded, after: .id(segment.id), "segment \(segment.id) is new",
        details: Self.summaries(segment).map { "+ \($0)" })
    }
    for segment in matching.removed {
      report(
        .segmentRemoved, before: .id(segment.id), "segment \(segment.id) is gone",
        details: Self.summaries(segment).map { "- \($0)" })
    }
  }

  private mutating func compareConditions(_ old: Segment, _ new: Segment) {
    let trees = [old, new].map(Self.tree)
    guard trees[0] != trees[1] else { return }
    let conditions = Matching(Self.summaries(old), Self.summaries(new), by: ExactText.init)
    let details = conditions.removed.map { "- \($0)" } + conditions.added.map { "+ \($0)" }
    let isArrangement = details.isEmpty
    report(
      .segmentConditions, before: trees[0], after: trees[1],
      "segment \(new.id): "
        + (isArrangement
          ? "the same conditions are joined or grouped otherwise"
          : "conditions changed, \(conditions.removed.count) gone, \(conditions.added.count) new"),
      details: details)
  }

  /// The tree without what says nothing about matching: sorted keys, no nulls, no ids of conditions.
  private static func tree(_ segment: Segment) -> JSONValue {
    switch segment.conditions {
    case .everybody: return .null
    case .unreadable: return false
    case .tree(let text):
      do throws(JSONError) {
        return canonical(try text.value())
      } catch {
        return false  // Nobody is targeted, as with an unreadable tree.
      }
    }
  }

  private static let silentKeys: Set<String> = ["id", "weight"]

  private static func canonical(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let values): return .array(values.map(canonical))
    case .object(let members):
      let kept = members.filter { !$0.value.isNull && !silentKeys.contains($0.key) }
        .map { JSONValue.Member(key: $0.key, value: canonical($0.value)) }
      return .object(kept.sorted { $0.key < $1.key })
    case .null, .bool, .number, .string: return value
    }
  }

  /// Each condition as a line: `NOT DEVICE_TYPE device="PHONE"`.
  private static func summaries(_ segment: Segment) -> [String] {
    ConditionList.entries(of: segment).map(\.summary)
  }
}

extension ConditionList.Entry {
  /// Type and fields in file order, without what says nothing about matching.
  var summary: String {
    let silent: Set<String> = ["targetingType", "isInclude", "id", "weight"]
    let fields = (condition.objectValue ?? [])
      .filter { !silent.contains($0.key) && !$0.value.isNull }
      .map { "\($0.key)=\($0.value.text())" }
    let negation = condition["isInclude"]?.boolValue == false ? "NOT " : ""
    return ([negation + (type ?? "condition without type")] + fields).joined(separator: " ")
  }
}

extension DataFile {
  /// The segments that no later segment with the same id hides, in file order.
  var visibleSegments: [Segment] {
    var ids: Set<Int64> = []
    return segments.reversed().filter { ids.insert($0.id).inserted }.reversed()
  }
}
