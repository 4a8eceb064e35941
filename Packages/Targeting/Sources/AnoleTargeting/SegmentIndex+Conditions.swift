// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension SegmentIndex {
  /// Whether a condition holds, before negation (section 4.3). Missing data means false.
  func matches(
    _ condition: Condition, _ subject: TargetingSubject, _ campaign: Int64?
  ) -> Bool {
    let box = subject.record.box
    switch condition {
    case .never: return false
    case .customDatum(let index, let test): return matches(test, customDatum: index, box)
    case .device(let device): return box?.profile.device == device
    case .operatingSystem(let system): return box?.profile.operatingSystem == system
    case .geolocation(let country, let region, let city):
      return matches(country: country, region: region, city: city, box)
    case .applicationVersion(let comparison, let version):
      guard let visitors = box?.profile.parsedApplicationVersion else { return false }
      return comparison.accepts(visitors, comparedWith: version)
    case .sdkLanguage(let isOurs): return isOurs
    case .visitorCode(let test): return accepts(test, MatchText(subject.visitorCode))
    case .conversions(let goalID, let scope):
      let threshold = threshold(of: scope, subject.record)
      return box?.profile.conversions.contains {
        (goalID == nil || $0.goalID == goalID) && $0.time >= threshold
      } ?? false
    case .featureFlag(let first, let count, let variationKey, let scope):
      return matches(
        experiments: first..<first + count, variationKey: variationKey, scope, subject.record)
    case .experiment(let id, let variationID, let scope):
      guard let assignment = subject.record.assignments[id] else { return false }
      return assignment.time >= threshold(of: scope, subject.record)
        && (variationID == nil || assignment.variationID == variationID)
    case .personalization(let id, let scope):
      let threshold = threshold(of: scope, subject.record)
      return box?.profile.personalizations.contains { $0.id == id && $0.time >= threshold }
        ?? false
    case .exclusiveExperiment(let campaigns, let scope):
      return isExclusive(campaigns, scope, subject.record, campaign)
    case .segment: return false  // Followed by the caller, who knows the way it came.
    case .firstVisit(let test):
      return accepts(test, visitStart: box?.profile.previousVisits?.last?.start, subject.moment)
    case .lastVisit(let test):
      return accepts(test, visitStart: box?.profile.previousVisits?.first?.start, subject.moment)
    case .visits(let test):
      return test.accepts(Double((box?.profile.previousVisits?.count ?? 0) + 1))
    case .sameDayVisits(let test): return test.accepts(Double(visitsToday(subject)))
    case .newVisitors(let isNew):
      return isNew == (box?.profile.previousVisits?.isEmpty ?? true)
    case .heatSlice(let keyMomentID, let goalID, let bounds):
      guard let score = box?.profile.keyMomentScores[keyMomentID]?[goalID] else { return false }
      return bounds.lower <= score && score <= bounds.upper
    case .browser(let type, let version):
      guard let browser = box?.profile.browser, browser.type == type else { return false }
      guard let version else { return true }
      guard let number = browser.version, number != 0 else { return false }
      return version.accepts(number)
    case .cookie(let name, let value):
      return box?.profile.cookies?.contains { accepts(name, $0.name) && accepts(value, $0.value) }
        ?? false
    case .pageURL(let test): return latestPage(0, box).map { accepts(test, $0.url) } ?? false
    case .pageTitle(let test):
      return latestPage(0, box)?.title.map { accepts(test, $0) } ?? false
    case .previousPage(let test): return latestPage(1, box).map { accepts(test, $0.url) } ?? false
    case .pageViews(let test):
      return test.accepts(Double(box?.profile.pageViews.reduce(0) { $0 + $1.count } ?? 0))
    }
  }

  // MARK: - Texts

  func accepts(_ test: TextTest, _ text: MatchText) -> Bool {
    switch test {
    case .exact(let wanted): tables.texts[Int(wanted.position)] == text
    case .contains(let part): text.contains(tables.texts[Int(part.position)])
    case .pattern(let position): tables.patterns[Int(position)].match(text) == .matches
    }
  }

  private func matches(
    _ test: CustomDatumTest, customDatum index: Int, _ box: VisitorRecord.ProfileBox?
  ) -> Bool {
    guard let box else { return test.isUndefined }
    let profile = box.profile
    for position in profile.customData.indices
    where profile.customData[position].index == index {
      return matches(test, profile.customData[position])
    }
    return test.isUndefined
  }

  private func matches(_ test: CustomDatumTest, _ datum: CustomDatum) -> Bool {
    guard let first = datum.first else { return false }
    return matches(test, first) || datum.others.contains { matches(test, $0) }
  }

  private func matches(_ test: CustomDatumTest, _ value: CustomDatum.Value) -> Bool {
    switch test {
    case .text(let test): accepts(test, value.text)
    case .number(let test): !value.number.isNaN && test.accepts(value.number)
    case .among(let list): tables.lists[Int(list)].contains(value.text)
    case .isUndefined: false
    }
  }

  private func matches(
    country: TextReference, region: TextReference?, city: TextReference?,
    _ box: VisitorRecord.ProfileBox?
  ) -> Bool {
    guard let place = box?.profile.geolocation else { return false }
    guard tables.texts[Int(country.position)] == place.foldedCountry else { return false }
    if let region, tables.texts[Int(region.position)] != place.foldedRegion { return false }
    if let city, tables.texts[Int(city.position)] != place.foldedCity { return false }
    return true
  }

  // MARK: - Campaigns

  private func matches(
    experiments: Range<Int32>, variationKey: TextReference?, _ scope: VisitScope,
    _ record: VisitorRecord
  ) -> Bool {
    guard !record.assignments.isEmpty else { return false }
    let threshold = threshold(of: scope, record)
    return experiments.contains { position in
      let assignment = record.assignments[tables.experimentIDs[Int(position)]]
      guard let assignment, assignment.time >= threshold else { return false }
      guard let variationKey else { return true }
      let key = tables.variationKeys[assignment.variationID]
      return key == tables.texts[Int(variationKey.position)]
    }
  }

  private func isExclusive(
    _ campaigns: Campaigns, _ scope: VisitScope, _ record: VisitorRecord, _ campaign: Int64?
  ) -> Bool {
    guard let campaign else { return false }
    let threshold = threshold(of: scope, record)
    if campaigns != .personalization {
      let hasOther = record.assignments.all.contains { assignment in
        assignment.experimentID != campaign && assignment.time >= threshold
          && assignment.experimentID != tables.holdoutExperimentID
      }
      if hasOther { return false }
    }
    if campaigns != .experiment, let profile = record.box?.profile {
      return !profile.personalizations.contains { $0.time >= threshold }
    }
    return true
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
    return previous[min(Int(scope.visitCount) - 2, previous.count - 1)].start
  }

  private func accepts(_ test: NumberTest, visitStart: Timestamp?, _ moment: Moment) -> Bool {
    guard let visitStart else { return false }
    return test.accepts(Double(moment.now.milliseconds &- visitStart.milliseconds))
  }

  private func visitsToday(_ subject: TargetingSubject) -> Int {
    let midnight = subject.moment.startOfDay
    let previous = subject.record.box?.profile.previousVisits ?? []
    let earlier = previous.prefix { $0.start >= midnight }.count
    return earlier + (subject.record.visitStart >= midnight ? 1 : 0)
  }

  // MARK: - Pages

  /// The page seen last (rank 0) or the distinct page before it (rank 1).
  private func latestPage(_ rank: Int, _ box: VisitorRecord.ProfileBox?) -> PageView? {
    guard let views = box?.profile.pageViews, views.count > rank else { return nil }
    guard rank > 0 else { return views.max { $0.lastTime < $1.lastTime } }
    return views.sorted { $0.lastTime > $1.lastTime }[rank]
  }
}

extension CustomDatumTest {
  fileprivate var isUndefined: Bool {
    if case .isUndefined = self { true } else { false }
  }
}
