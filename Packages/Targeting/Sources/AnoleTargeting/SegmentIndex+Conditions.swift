// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension SegmentIndex {
  /// Whether a condition holds, before negation (section 4.3); missing data means false.
  ///
  /// - Parameter box: the record's, passed so that it is not counted anew for each condition.
  func matches(
    _ condition: Condition, _ visitorCode: String, _ record: VisitorRecord,
    _ box: VisitorRecord.ProfileBox?, _ moment: Moment, _ campaign: Int64?
  ) -> Bool {
    switch condition {
    case .never: return false
    case .customDatum(let test): return matches(tables.customDatumTests[Int(test)], box)
    case .device(let device): return box?.profile.device == device
    case .operatingSystem(let system): return box?.profile.operatingSystem == system
    case .geolocation(let test): return matches(tables.placeTests[Int(test)], box)
    case .applicationVersion(let test):
      guard let version = box?.profile.parsedApplicationVersion else { return false }
      return tables.versionTests[Int(test)].accepts(version)
    case .sdkLanguage(let isOurs): return isOurs
    case .visitorCode(let test): return accepts(test, MatchText(visitorCode))
    case .conversions(let test): return hasConverted(tables.campaignTests[Int(test)], record)
    case .featureFlag(let test): return hasFlag(tables.campaignTests[Int(test)], record)
    case .experiment(let test): return isAssigned(tables.campaignTests[Int(test)], record)
    case .personalization(let test):
      return isPersonalized(tables.campaignTests[Int(test)], record)
    case .exclusiveExperiment(let test):
      return isExclusive(tables.campaignTests[Int(test)], record, campaign)
    case .segment: return false  // Followed by the caller, who knows the way it came.
    case .firstVisit(let test):
      return accepts(test, visitStart: box?.profile.previousVisits?.last?.start, moment)
    case .lastVisit(let test):
      return accepts(test, visitStart: box?.profile.previousVisits?.first?.start, moment)
    case .visits(let test):
      return accepts(test, Double((box?.profile.previousVisits?.count ?? 0) + 1))
    case .sameDayVisits(let test): return accepts(test, Double(visitsToday(record, moment)))
    case .newVisitors(let isNew):
      return isNew == (box?.profile.previousVisits?.isEmpty ?? true)
    case .heatSlice(let slice): return matches(tables.heatSlices[Int(slice)], box)
    case .browser(let test): return matches(tables.browserTests[Int(test)], box)
    case .cookie(let test): return matches(cookie: test, box)
    case .pageURL(let test): return latestPage(0, box).map { accepts(test, $0.url) } ?? false
    case .pageTitle(let test):
      return latestPage(0, box)?.title.map { accepts(test, $0) } ?? false
    case .previousPage(let test):
      return latestPage(1, box).map { accepts(test, $0.url) } ?? false
    case .pageViews(let test):
      return accepts(test, Double(box?.profile.pageViews.reduce(0) { $0 + $1.count } ?? 0))
    }
  }

  // MARK: - Texts and numbers

  // Fields are read through buffers, in place: an array's subscript would copy the element with
  // its strings.

  func accepts(_ test: Int32, _ text: MatchText) -> Bool {
    let test = tables.textTests[Int(test)]
    return accepts(test.comparison, test.operand, text)
  }

  @inline(__always)
  private func accepts(
    _ comparison: TextTest.Operator, _ operand: Int32, _ text: MatchText
  ) -> Bool {
    switch comparison {
    case .exact: isEqual(operand, text)
    case .contains: tables.texts.withUnsafeBufferPointer { text.contains($0[Int(operand)]) }
    case .pattern: tables.patterns[Int(operand)].match(text) == .matches
    }
  }

  @inline(__always)
  private func isEqual(_ wanted: Int32, _ text: MatchText) -> Bool {
    tables.texts.withUnsafeBufferPointer { $0[Int(wanted)] == text }
  }

  private func accepts(_ test: Int32, _ number: Double) -> Bool {
    tables.numberTests[Int(test)].accepts(number)
  }

  private func matches(_ test: CustomDatumTest, _ box: VisitorRecord.ProfileBox?) -> Bool {
    guard let box else { return test.isUndefined }
    return box.profile.customData.withUnsafeBufferPointer { data in
      for position in data.indices where data[position].index == test.index {
        guard data[position].hasValues else { return false }
        let isMatch = matches(
          test, data[position].firstValue.text, data[position].firstValue.number)
        if isMatch || data[position].others.isEmpty { return isMatch }
        return data[position].others.contains { matches(test, $0.text, $0.number) }
      }
      return test.isUndefined
    }
  }

  @inline(__always)
  private func matches(_ test: CustomDatumTest, _ text: MatchText, _ number: Double) -> Bool {
    switch test.comparison {
    case .text(let comparison): accepts(comparison, test.operand, text)
    case .number: !number.isNaN && test.number.accepts(number)
    case .among:
      tables.lists.withUnsafeBufferPointer { $0[Int(test.operand)].contains(text) }
    case .isUndefined: false
    }
  }

  private func matches(cookie test: Int32, _ box: VisitorRecord.ProfileBox?) -> Bool {
    guard let box else { return false }
    return box.profile.cookies.withUnsafeBufferPointer { cookies in
      cookies.indices.contains {
        accepts(test, cookies[$0].name) && accepts(test + 1, cookies[$0].value)
      }
    }
  }

  private func matches(_ test: PlaceTest, _ box: VisitorRecord.ProfileBox?) -> Bool {
    guard let box else { return false }
    return isEqual(test.country, box.profile.place.country)
      && (test.region.map { isEqual($0, box.profile.place.region) } ?? true)
      && (test.city.map { isEqual($0, box.profile.place.city) } ?? true)
  }

  private func matches(_ test: BrowserTest, _ box: VisitorRecord.ProfileBox?) -> Bool {
    guard let browser = box?.profile.browser, browser.type == test.type else { return false }
    guard let version = test.version else { return true }
    guard let number = browser.version, number != 0 else { return false }
    return version.accepts(number)
  }

  private func matches(_ slice: HeatSlice, _ box: VisitorRecord.ProfileBox?) -> Bool {
    guard let score = box?.profile.keyMomentScores[slice.keyMomentID]?[slice.goalID] else {
      return false
    }
    return slice.lower <= score && score <= slice.upper
  }

  // MARK: - Campaigns

  private func hasConverted(_ test: CampaignTest, _ record: VisitorRecord) -> Bool {
    let threshold = threshold(of: test.scope, record)
    return record.box?.profile.conversions.contains {
      (test.id == nil || $0.goalID == test.id) && $0.time >= threshold
    } ?? false
  }

  private func isAssigned(_ test: CampaignTest, _ record: VisitorRecord) -> Bool {
    guard let id = test.id, let assignment = record.assignments[id] else { return false }
    return assignment.time >= threshold(of: test.scope, record)
      && (test.variationID == nil || assignment.variationID == test.variationID)
  }

  private func isPersonalized(_ test: CampaignTest, _ record: VisitorRecord) -> Bool {
    let threshold = threshold(of: test.scope, record)
    return record.box?.profile.personalizations.contains {
      $0.id == test.id && $0.time >= threshold
    } ?? false
  }

  private func hasFlag(_ test: CampaignTest, _ record: VisitorRecord) -> Bool {
    guard !record.assignments.isEmpty else { return false }
    let threshold = threshold(of: test.scope, record)
    return test.experiments.contains { position in
      let assignment = record.assignments[tables.experimentIDs[Int(position)]]
      guard let assignment, assignment.time >= threshold else { return false }
      guard let wanted = test.variationKey else { return true }
      let key = tables.variationKeys[assignment.variationID]
      return key.map { isEqual(wanted, $0) } ?? false
    }
  }

  private func isExclusive(
    _ test: CampaignTest, _ record: VisitorRecord, _ campaign: Int64?
  ) -> Bool {
    guard let campaign else { return false }
    let threshold = threshold(of: test.scope, record)
    if test.kind != .personalization {
      let hasOther = record.assignments.all.contains { assignment in
        assignment.experimentID != campaign && assignment.time >= threshold
          && assignment.experimentID != tables.holdoutExperimentID
      }
      if hasOther { return false }
    }
    guard test.kind != .experiment, let box = record.box else { return true }
    return !box.profile.personalizations.contains { $0.time >= threshold }
  }

  // MARK: - Visits

  /// The earliest time that counts (section 4.2).
  func threshold(of scope: VisitScope, _ record: VisitorRecord) -> Timestamp {
    guard let previous = record.box?.profile.previousVisits else {
      return Timestamp(milliseconds: 0)
    }
    if scope.isCurrentVisitOnly || scope.visitCount < 2 || previous.isEmpty {
      return record.visitStart
    }
    return previous[min(scope.visitCount - 2, previous.count - 1)].start
  }

  private func accepts(_ test: Int32, visitStart: Timestamp?, _ moment: Moment) -> Bool {
    guard let visitStart else { return false }
    return accepts(test, Double(moment.now.milliseconds &- visitStart.milliseconds))
  }

  private func visitsToday(_ record: VisitorRecord, _ moment: Moment) -> Int {
    let midnight = moment.startOfDay
    let previous = record.box?.profile.previousVisits ?? []
    let earlier = previous.prefix { $0.start >= midnight }.count
    return earlier + (record.visitStart >= midnight ? 1 : 0)
  }

  // MARK: - Pages

  /// The page seen last (rank 0) or the distinct page before it (rank 1).
  func latestPage(_ rank: Int, _ box: VisitorRecord.ProfileBox?) -> PageView? {
    guard let views = box?.profile.pageViews, views.count > rank else { return nil }
    guard rank > 0 else { return views.max { $0.lastTime < $1.lastTime } }
    return views.sorted { $0.lastTime > $1.lastTime }[rank]
  }
}

extension CustomDatumTest {
  fileprivate var isUndefined: Bool {
    if case .isUndefined = comparison { true } else { false }
  }
}
