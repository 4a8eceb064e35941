// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension SegmentIndex {
  /// Asks the same as ``matches(segmentAt:_:campaign:)`` and tells how every condition answered,
  /// also those that short-circuiting would skip.
  public func explain(
    segmentAt position: Int, _ subject: TargetingSubject, campaign: Int64? = nil
  ) -> SegmentTrace {
    var walk = Walk()
    return trace(position, subject, campaign, &walk)
  }

  private func trace(
    _ position: Int, _ subject: TargetingSubject, _ campaign: Int64?, _ walk: inout Walk
  ) -> SegmentTrace {
    let tree = SourceTree(sources[position])
    let range = segments[position].groups
    let traced = range.enumerated().map { offset, group in
      trace(
        groupAt: Int(group), isLast: group == range.upperBound - 1, in: position,
        sources: tree.conditions(ofGroup: offset), subject, campaign, &walk)
    }
    let isMatch = BooleanChain.evaluate(
      count: traced.count,
      joinsWithOr: { traced[$0].joinsNextWith == .or },
      operand: { traced[$0].isMatch })
    return SegmentTrace(id: segments[position].id, groups: traced, isMatch: isMatch)
  }

  private func trace(
    groupAt position: Int, isLast: Bool, in segment: Int, sources: [JSONValue],
    _ subject: TargetingSubject, _ campaign: Int64?, _ walk: inout Walk
  ) -> SegmentTrace.Group {
    let group = groups[position]
    let traced = group.conditions.enumerated().map { offset, index in
      let source = sources.indices.contains(offset) ? sources[offset] : nil
      return trace(
        conditions[Int(index)], isLast: index == group.conditions.upperBound - 1, in: segment,
        source: source, subject, campaign, &walk)
    }
    let isMatch = BooleanChain.evaluate(
      count: traced.count,
      joinsWithOr: { traced[$0].joinsNextWith == .or },
      operand: { traced[$0].isMatch })
    return SegmentTrace.Group(
      conditions: traced, isMatch: isMatch,
      joinsNextWith: isLast ? nil : group.joinsNextWithOr ? .or : .and)
  }

  private func trace(
    _ item: CompiledCondition, isLast: Bool, in segment: Int, source: JSONValue?,
    _ subject: TargetingSubject, _ campaign: Int64?, _ walk: inout Walk
  ) -> SegmentTrace.Condition {
    var note = note(on: item.condition, subject, campaign)
    var nested: SegmentTrace?
    let result: Bool
    if case .segment(let other) = item.condition {
      (nested, note) = follow(other, from: segment, subject, campaign, &walk)
      result = nested?.isMatch ?? false
    } else {
      result = matches(item.condition, subject, campaign)
    }
    return SegmentTrace.Condition(
      summary: SourceTree.summary(of: source), isExcluded: item.isNegated,
      isMatch: result != item.isNegated, note: note,
      joinsNextWith: isLast ? nil : item.joinsNextWithOr ? .or : .and,
      segment: nested.map(SegmentTrace.SegmentReference.init))
  }

  private func follow(
    _ position: Int32, from segment: Int, _ subject: TargetingSubject, _ campaign: Int64?,
    _ walk: inout Walk
  ) -> (SegmentTrace?, note: String?) {
    if position == Int32(segment) || walk.path.contains(position) {
      return (nil, "the segment is being evaluated already")
    }
    if walk.path.count >= Self.maximumNesting || walk.references >= Self.maximumReferences {
      return (nil, "segments refer to each other too deeply")
    }
    walk.references += 1
    walk.path.append(Int32(segment))
    defer { walk.path.removeLast() }
    return (trace(Int(position), subject, campaign, &walk), nil)
  }

  // MARK: - Notes

  /// What there is to say about a condition's result apart from the result.
  private func note(
    on condition: Condition, _ subject: TargetingSubject, _ campaign: Int64?
  ) -> String? {
    let profile = subject.record.profile
    switch condition {
    case .never(let reason): return tables.reasons[Int(reason)]
    case .customDatum(let index, let test):
      if profile?.customDatum(at: index)?.first == nil { return "attribute missing" }
      return patternNote(test, profile?.customDatum(at: index))
    case .device: return missing(profile?.device)
    case .operatingSystem: return missing(profile?.operatingSystem)
    case .geolocation: return missing(profile?.geolocation)
    case .applicationVersion: return missing(profile?.parsedApplicationVersion)
    case .browser: return missing(profile?.browser)
    case .cookie: return missing(profile?.cookies)
    case .visitorCode(let test): return patternNote(test, [MatchText(subject.visitorCode)])
    case .firstVisit, .lastVisit: return missing(profile?.previousVisits?.first)
    case .heatSlice(let keyMomentID, let goalID, _):
      return missing(profile?.keyMomentScores[keyMomentID]?[goalID])
    case .pageURL, .pageTitle: return missing(profile?.pageViews.first)
    case .previousPage: return missing(profile?.pageViews.dropFirst().first)
    case .exclusiveExperiment: return campaign == nil ? "no current campaign" : nil
    case .conversions, .featureFlag, .experiment, .personalization, .segment, .visits,
      .sameDayVisits, .newVisitors, .pageViews, .sdkLanguage:
      return nil
    }
  }

  private func missing<Value>(_ value: Value?) -> String? {
    value == nil ? "attribute missing" : nil
  }

  private func patternNote(_ test: CustomDatumTest, _ datum: CustomDatum?) -> String? {
    guard case .text(let test) = test, let datum else { return nil }
    return patternNote(test, datum.values.map(MatchText.init))
  }

  private func patternNote(_ test: TextTest, _ texts: [MatchText]) -> String? {
    guard case .pattern(let position) = test else { return nil }
    let gaveUp = texts.contains { tables.patterns[Int(position)].match($0) == .gaveUp }
    return gaveUp ? "the regular expression took too many steps" : nil
  }
}

/// The conditions of a segment as they stand in the file, for people to read.
private struct SourceTree {
  private let groups: [JSONValue]

  init(_ segment: Segment) {
    guard case .tree(let text) = segment.conditions else {
      groups = []
      return
    }
    do throws(JSONError) {
      groups = try text.value()["firstLevel"]?.arrayValue ?? []
    } catch {
      groups = []  // The compiled segment carries the reason.
    }
  }

  func conditions(ofGroup position: Int) -> [JSONValue] {
    guard groups.indices.contains(position) else { return [] }
    return groups[position]["conditions"]?.arrayValue ?? []
  }

  /// Type and fields in file order, without what says nothing about matching.
  static func summary(of condition: JSONValue?) -> String {
    guard let members = condition?.objectValue else { return "unreadable condition" }
    let type = condition?["targetingType"]?.stringValue ?? "condition without type"
    let silent = ["targetingType", "isInclude", "id", "weight"]
    let fields = members.filter { !silent.contains($0.key) && !$0.value.isNull }
    return ([type] + fields.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
  }
}
