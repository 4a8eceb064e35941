// SPDX-License-Identifier: Apache-2.0

extension VisitorRecord {
  /// Adds a datum by the rules of section 5.1.
  ///
  /// - Parameters:
  ///   - datum: what to add.
  ///   - visitorCode: the code under which it is added.
  ///   - source: application or server.
  ///   - now: the caller's time.
  ///   - catalogue: the declared custom data of the data file in force.
  /// - Returns: what became of it.
  @discardableResult
  public mutating func add(
    _ datum: VisitorDatum,
    visitorCode: String,
    from source: DatumSource,
    at now: Timestamp,
    catalogue: CustomDataCatalogue
  ) -> DatumAddition {
    switch datum {
    case .namedCustomData(let name, let values, let isOverwriting):
      guard let index = catalogue.index(named: name) else {
        return .dropped("no custom data is named \"\(name)\" in the data file")
      }
      return addCustomData(
        index, values, isOverwriting, visitorCode: visitorCode, from: source, at: now, catalogue)
    case .customData(let index, let values, let isOverwriting):
      return addCustomData(
        index, values, isOverwriting, visitorCode: visitorCode, from: source, at: now, catalogue)
    case .assignment(var assignment):
      guard source != .remote || assignments[assignment.experimentID] == nil else { return .stored }
      if source != .application(isTracked: true) { assignment.isSent = true }
      assignments.set(assignment)
      return .stored
    case .pageView(let url, _, _) where url.isEmpty:
      return .dropped("a page view needs a URL")
    case .pageViews(let record) where record.url.string.isEmpty:
      return .dropped("a page view needs a URL")
    default:
      updateProfile { $0.add(datum, from: source, at: now) }
      return .stored
    }
  }

  private mutating func addCustomData(
    _ index: Int, _ values: [String], _ isOverwriting: Bool, visitorCode: String,
    from source: DatumSource, at now: Timestamp, _ catalogue: CustomDataCatalogue
  ) -> DatumAddition {
    let userID = values.first ?? ""
    let isIdentifier =
      source != .remote && index == catalogue.mappingIndex && !userID.isEmpty
    let isSent =
      switch source {
      case .application(let isTracked): !isTracked || catalogue.isLocalOnly(index)
      case .remote: !catalogue.hasVisitorScope(index) || catalogue.isLocalOnly(index)
      }
    let datum = CustomDatum(
      index: index, values: values, isOverwriting: isOverwriting,
      isMappingIdentifier: isIdentifier, time: now, isSent: isSent)
    if isIdentifier { adoptMappingIdentifier(visitorCode) }
    updateProfile { profile in
      if let position = profile.customData.firstIndex(where: { $0.index == index }) {
        if source != .remote { profile.customData[position] = datum }
      } else {
        profile.customData.append(datum)
      }
    }
    let isAnotherCode = !userID.hasSameBytes(as: visitorCode)
    return isIdentifier && isAnotherCode ? .identified(as: userID) : .stored
  }
}

extension VisitorProfile {
  fileprivate mutating func add(
    _ datum: VisitorDatum, from source: DatumSource, at now: Timestamp
  ) {
    let isRemote = source == .remote
    switch datum {
    case .device(let value):
      if note(.device, isNew: !isRemote || device == nil, from: source, at: now) { device = value }
    case .operatingSystem(let value):
      let isNew = !isRemote || operatingSystem == nil
      if note(.operatingSystem, isNew: isNew, from: source, at: now) { operatingSystem = value }
    case .geolocation(let value):
      let isNew = !isRemote || geolocation == nil
      if note(.geolocation, isNew: isNew, from: source, at: now) { geolocation = value }
    case .applicationVersion(let text):
      let isNew = !isRemote || applicationVersion == nil
      guard note(.applicationVersion, isNew: isNew, from: .remote, at: now) else { return }
      applicationVersion = text
      parsedApplicationVersion = AppVersion(text)
    case .browser(let value):
      if note(.browser, isNew: !isRemote || browser == nil, from: source, at: now) {
        browser = value
      }
    case .cookies(let value):
      if note(.cookies, isNew: !isRemote || cookies.isEmpty, from: .remote, at: now) {
        cookies = value
      }
    case .pageView(let url, let title, let referrers):
      view(url: url, title: title, referrers: referrers, from: source, at: now)
    case .pageViews(let record): merge(record, isRemote: isRemote)
    case .conversion(var conversion):
      guard !isRemote || !conversions.contains(where: conversion.isSameEvent(as:)) else { return }
      conversion.isSent = source != .application(isTracked: true)
      add(conversion)
    case .visits(let visits, let count):
      // A first visit that is kept here is no history yet.
      let hasHistory = previousVisits.map { !$0.isEmpty || lastActivity == nil } ?? false
      guard !isRemote || !hasHistory else { return }
      previousVisits = Array(visits.prefix(Visit.limit))
      previousVisitCount = max(count, visits.count)
      // A history from the server is news too: it gives the current visit its number.
      unsentStaticData.insert(.visits)
    case .keyMomentScores(let scores):
      _ = note(.keyMomentScores, isNew: true, from: .remote, at: now)
      keyMomentScores = scores
    case .banditScores(let scores):
      let isNew = !isRemote || banditScores == nil
      if note(.banditScores, isNew: isNew, from: .remote, at: now) { banditScores = scores }
    case .personalization(let value):
      let position = personalizations.firstIndex { $0.id == value.id }
      guard let position else { return personalizations.append(value) }
      if !isRemote { personalizations[position] = value }
    case .customData, .namedCustomData, .assignment:
      preconditionFailure("VisitorRecord.add(_:) handles these itself")
    }
  }

  /// Notes when a value came and whether it is to be sent.
  ///
  /// - Returns: `isNew`.
  private mutating func note(
    _ kind: StaticData, isNew: Bool, from source: DatumSource, at now: Timestamp
  ) -> Bool {
    guard isNew else { return false }
    additionTimes[kind] = now
    if source == .application(isTracked: true) {
      unsentStaticData.insert(kind)
    } else {
      unsentStaticData.remove(kind)
    }
    return true
  }

  private mutating func view(
    url: String, title: String?, referrers: [Int], from source: DatumSource, at now: Timestamp
  ) {
    var record = PageView(url: url, title: title, lastTime: now)
    record.referrers = referrers
    record.isSent = source != .application(isTracked: true)
    if let position = pageViews.firstIndex(where: { $0.url == record.url }) {
      record.count = pageViews[position].count + 1
      pageViews[position] = record
    } else {
      pageViews.append(record)
    }
  }

  private mutating func merge(_ record: PageView, isRemote: Bool) {
    guard let position = pageViews.firstIndex(where: { $0.url == record.url }) else {
      return pageViews.append(record)
    }
    guard isRemote else {
      pageViews[position] = record
      return
    }
    pageViews[position].count += record.count
    pageViews[position].lastTime = max(pageViews[position].lastTime, record.lastTime)
    if pageViews[position].title == nil { pageViews[position].title = record.title }
  }

  private mutating func add(_ conversion: Conversion) {
    conversions.append(conversion)
    forgetOlderSentConversions()
  }

  /// Keeps the list bounded: for targeting, the latest conversion of a goal tells everything.
  mutating func forgetOlderSentConversions() {
    var latest: [Int64: Timestamp] = [:]
    for conversion in conversions {
      latest[conversion.goalID] = max(
        latest[conversion.goalID] ?? conversion.time, conversion.time)
    }
    var kept: Set<Int64> = []
    conversions.removeAll { conversion in
      guard conversion.isSent else { return false }
      let isLatest = conversion.time == latest[conversion.goalID]
      return !isLatest || !kept.insert(conversion.goalID).inserted
    }
  }
}

extension Conversion {
  /// Whether goal, time and revenue are the same: a history fetched twice brings nothing new
  /// (network specification, section 4.4).
  fileprivate func isSameEvent(as other: Conversion) -> Bool {
    goalID == other.goalID && time == other.time && revenue == other.revenue
  }
}
