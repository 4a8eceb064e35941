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
        index, values, isOverwriting, visitorCode: visitorCode, from: source, catalogue)
    case .customData(let index, let values, let isOverwriting):
      return addCustomData(
        index, values, isOverwriting, visitorCode: visitorCode, from: source, catalogue)
    case .assignment(var assignment):
      guard source != .remote || assignments[assignment.experimentID] == nil else { return .stored }
      if source != .application(isTracked: true) { assignment.isSent = true }
      assignments.set(assignment)
      return .stored
    case .pageView(let url, _) where url.isEmpty:
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
    from source: DatumSource, _ catalogue: CustomDataCatalogue
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
      isMappingIdentifier: isIdentifier, isSent: isSent)
    if isIdentifier { adoptMappingIdentifier(visitorCode) }
    updateProfile { profile in
      if let position = profile.customData.firstIndex(where: { $0.index == index }) {
        if source != .remote { profile.customData[position] = datum }
      } else {
        profile.customData.append(datum)
      }
    }
    let isAnotherCode = !userID.utf8.elementsEqual(visitorCode.utf8)
    return isIdentifier && isAnotherCode ? .identified(as: userID) : .stored
  }
}

extension VisitorProfile {
  fileprivate mutating func add(
    _ datum: VisitorDatum, from source: DatumSource, at now: Timestamp
  ) {
    let isRemote = source == .remote
    switch datum {
    case .device(let value): if !isRemote || device == nil { device = value }
    case .operatingSystem(let value):
      if !isRemote || operatingSystem == nil { operatingSystem = value }
    case .geolocation(let value): if !isRemote || geolocation == nil { geolocation = value }
    case .applicationVersion(let text):
      guard !isRemote || applicationVersion == nil else { return }
      applicationVersion = text
      parsedApplicationVersion = AppVersion(text)
    case .browser(let value): if !isRemote || browser == nil { browser = value }
    case .cookies(let value): if !isRemote || cookies.isEmpty { cookies = value }
    case .pageView(let url, let title): view(url: url, title: title, at: now)
    case .pageViews(let record): merge(record, isRemote: isRemote)
    case .conversion(var conversion):
      conversion.isSent = source != .application(isTracked: true)
      add(conversion)
    case .visits(let visits):
      guard !isRemote || previousVisits == nil else { return }
      previousVisits = Array(visits.prefix(Visit.limit))
    case .keyMomentScores(let scores): keyMomentScores = scores
    case .banditScores(let scores): if !isRemote || banditScores == nil { banditScores = scores }
    case .personalization(let value):
      let position = personalizations.firstIndex { $0.id == value.id }
      guard let position else { return personalizations.append(value) }
      if !isRemote { personalizations[position] = value }
    case .customData, .namedCustomData, .assignment:
      preconditionFailure("VisitorRecord.add(_:) handles these itself")
    }
  }

  private mutating func view(url: String, title: String?, at now: Timestamp) {
    var record = PageView(url: url, title: title, lastTime: now)
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
