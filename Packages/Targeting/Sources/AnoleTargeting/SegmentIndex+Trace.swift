// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension SegmentIndex {
  /// The way of an explanation.
  ///
  /// What matching would skip has a budget of references of its own, so that telling about it
  /// changes no result.
  private struct TraceWalk {
    var path: [Int32] = []
    var references = 0
    var skippedReferences = 0
    var isSkipped = false

    /// Counts a reference; false if the budget is used up.
    mutating func follow() -> Bool {
      let used = isSkipped ? skippedReferences : references
      guard used < SegmentIndex.maximumReferences else { return false }
      if isSkipped { skippedReferences += 1 } else { references += 1 }
      return true
    }
  }

  /// Asks the same as ``matches(segmentAt:_:campaign:)`` and tells how every condition answered,
  /// also those that short-circuiting would skip.
  ///
  /// - Parameters:
  ///   - position: from ``position(of:)``.
  ///   - subject: visitor and time.
  ///   - campaign: the experiment id of the rule being evaluated; nil outside of a rule.
  /// - Returns: the tree with the result of every condition; its result is that of matching.
  public func explain(
    segmentAt position: Int, _ subject: TargetingSubject, campaign: Int64? = nil
  ) -> SegmentTrace {
    var walk = TraceWalk()
    return trace(position, subject, campaign, &walk)
  }

  private func trace(
    _ position: Int, _ subject: TargetingSubject, _ campaign: Int64?, _ walk: inout TraceWalk
  ) -> SegmentTrace {
    let tree = SourceTree(sources[position])
    let range = segments[position].groups
    let first = Int(range.lowerBound)
    let (traced, isMatch) = Self.evaluateAll(
      count: range.count,
      joinsWithOr: { groups[first + $0].joinsNextWithOr },
      operand: { offset, walk in
        let group = trace(
          groupAt: first + offset, isLast: offset == range.count - 1, in: position,
          sources: tree.conditions(ofGroup: offset), subject, campaign, &walk)
        return (group, group.isMatch)
      }, &walk)
    return SegmentTrace(id: segments[position].id, groups: traced, isMatch: isMatch)
  }

  private func trace(
    groupAt position: Int, isLast: Bool, in segment: Int, sources: [JSONValue],
    _ subject: TargetingSubject, _ campaign: Int64?, _ walk: inout TraceWalk
  ) -> SegmentTrace.Group {
    let range = groups[position].conditions
    let first = Int(range.lowerBound)
    let (traced, isMatch) = Self.evaluateAll(
      count: range.count,
      joinsWithOr: { conditions[first + $0].joinsNextWithOr },
      operand: { offset, walk in
        let condition = trace(
          conditions[first + offset], isLast: offset == range.count - 1, in: segment,
          source: sources.indices.contains(offset) ? sources[offset] : nil, subject, campaign,
          &walk)
        return (condition, condition.isMatch)
      }, &walk)
    return SegmentTrace.Group(
      conditions: traced, isMatch: isMatch,
      joinsNextWith: isLast ? nil : groups[position].joinsNextWithOr ? .or : .and)
  }

  /// Evaluates as matching does, then looks at the operands that were skipped.
  private static func evaluateAll<Traced>(
    count: Int, joinsWithOr: (Int) -> Bool,
    operand: (Int, inout TraceWalk) -> (Traced, isMatch: Bool), _ walk: inout TraceWalk
  ) -> (traced: [Traced], isMatch: Bool) {
    var traced = [Traced?](repeating: nil, count: count)
    let isMatch = BooleanChain.evaluate(
      count: count, joinsWithOr: joinsWithOr,
      operand: { position in
        let (item, isMatch) = operand(position, &walk)
        traced[position] = item
        return isMatch
      })
    let wasSkipped = walk.isSkipped
    walk.isSkipped = true
    defer { walk.isSkipped = wasSkipped }
    let complete = traced.enumerated().map { $1 ?? operand($0, &walk).0 }
    return (complete, isMatch)
  }

  private func trace(
    _ item: CompiledCondition, isLast: Bool, in segment: Int, source: JSONValue?,
    _ subject: TargetingSubject, _ campaign: Int64?, _ walk: inout TraceWalk
  ) -> SegmentTrace.Condition {
    var note = note(on: item.condition, subject, campaign)
    var nested: SegmentTrace?
    let result: Bool
    if case .segment(let other) = item.condition {
      (nested, note) = follow(other, from: segment, subject, campaign, &walk)
      result = nested?.isMatch ?? false
    } else {
      result = matches(
        item.condition, subject.visitorCode, subject.record, subject.record.box, subject.moment,
        campaign)
    }
    return SegmentTrace.Condition(
      summary: SourceTree.summary(of: source), isExcluded: item.isNegated,
      isMatch: result != item.isNegated, note: note,
      joinsNextWith: isLast ? nil : item.joinsNextWithOr ? .or : .and,
      segment: nested.map(SegmentTrace.SegmentReference.init))
  }

  private func follow(
    _ position: Int32, from segment: Int, _ subject: TargetingSubject, _ campaign: Int64?,
    _ walk: inout TraceWalk
  ) -> (SegmentTrace?, note: String?) {
    if position == Int32(segment) || walk.path.contains(position) {
      return (nil, "the segment is being evaluated already")
    }
    guard walk.path.count < Self.maximumNesting, walk.follow() else {
      return (nil, "segments refer to each other too deeply")
    }
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
    case .customDatum(let position):
      let test = tables.customDatumTests[Int(position)]
      guard let datum = profile?.customDatum(at: test.index), datum.hasValues else {
        return "attribute missing"
      }
      guard case .text(.pattern) = test.comparison else { return nil }
      return patternNote(test.operand, datum.values.map(MatchText.init))
    case .device: return missing(profile?.device)
    case .operatingSystem: return missing(profile?.operatingSystem)
    case .geolocation: return missing(profile?.geolocation)
    case .applicationVersion: return missing(profile?.parsedApplicationVersion)
    case .browser: return missing(profile?.browser)
    case .cookie(let test):
      let cookies = profile?.cookies ?? []
      return missing(cookies.first) ?? textNote(test, cookies.map(\.name))
        ?? textNote(test + 1, cookies.map(\.value))
    case .visitorCode(let test): return textNote(test, [MatchText(subject.visitorCode)])
    case .firstVisit, .lastVisit: return missing(profile?.previousVisits?.first)
    case .heatSlice(let position):
      let slice = tables.heatSlices[Int(position)]
      return missing(profile?.keyMomentScores[slice.keyMomentID]?[slice.goalID])
    case .pageURL(let test): return textNote(test, latestPage(0, subject.record.box)?.url)
    case .pageTitle(let test): return textNote(test, latestPage(0, subject.record.box)?.title)
    case .previousPage(let test): return textNote(test, latestPage(1, subject.record.box)?.url)
    case .exclusiveExperiment: return campaign == nil ? "no current campaign" : nil
    case .conversions, .featureFlag, .experiment, .personalization, .segment, .visits,
      .sameDayVisits, .newVisitors, .pageViews, .sdkLanguage:
      return nil
    }
  }

  private func missing<Value>(_ value: Value?) -> String? {
    value == nil ? "attribute missing" : nil
  }

  private func textNote(_ test: Int32, _ text: MatchText?) -> String? {
    guard let text else { return missing(text) }
    return textNote(test, [text])
  }

  private func textNote(_ test: Int32, _ texts: [MatchText]) -> String? {
    let test = tables.textTests[Int(test)]
    guard case .pattern = test.comparison else { return nil }
    return patternNote(test.operand, texts)
  }

  private func patternNote(_ pattern: Int32, _ texts: [MatchText]) -> String? {
    let gaveUp = texts.contains { tables.patterns[Int(pattern)].match($0) == .gaveUp }
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
