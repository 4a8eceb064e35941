// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// What the platform knows of a visitor, read from its answer (network specification, sections 4.3
/// and 4.4).
///
/// Visits are read newest first, and within a visit the last event first, so that the newest of each
/// kind comes first and stays. Elements of a wrong type are left out one by one.
struct RemoteVisitorData: Sendable, Equatable {
  /// Custom data, one per index.
  private(set) var customData: [VisitorDatum] = []
  /// Page views, one per address.
  private(set) var pageViews: [PageView] = []
  /// Assignments, one per experiment.
  private(set) var assignments: [Assignment] = []
  /// Personalizations, one per id.
  private(set) var personalizations: [Personalization] = []
  /// Conversions, all of them.
  private(set) var conversions: [AnoleModels.Conversion] = []
  /// The place.
  private(set) var geolocation: AnoleModels.Geolocation?
  /// The device, if the filter asks for it.
  private(set) var device: AnoleModels.Device?
  /// The browser, if the filter asks for it.
  private(set) var browser: Browser?
  /// The operating system, if the filter asks for it.
  private(set) var operatingSystem: OperatingSystem?
  /// The former visits, newest first; empty if there are none.
  private(set) var visits: [Visit] = []
  /// How many visits came before the current one.
  private(set) var visitNumber = 0
  /// Key moment scores.
  private(set) var keyMomentScores: KeyMomentScores?
  /// Contextual bandit scores.
  private(set) var banditScores: [Int64: [Int64: Double]]?
  /// The code the platform knows the visitor by.
  private(set) var visitorCode: String?

  private var seenIndexes: Set<Int> = []

  /// Reads an answer; nil if it is no JSON object.
  ///
  /// - Parameters:
  ///   - bytes: the answer.
  ///   - filter: says which of device, browser and operating system are taken over.
  init?(_ bytes: [UInt8], filter: RemoteFilter) {
    // Why it cannot be read makes no difference to the caller.
    guard let json = try? JSONValue(parsing: bytes), json.objectValue != nil else { return nil }
    if let current = json["currentVisit"], current.objectValue != nil {
      read(current, offset: 0, filter)
    }
    let previous = (json["previousVisits"]?.arrayValue ?? []).filter { $0.objectValue != nil }
    for (position, visit) in previous.enumerated() {
      read(visit, offset: position + 1, filter)
      let start = Timestamp(milliseconds: visit["timeStarted"]?.integerValue ?? 0)
      let last = visit["timeLastEvent"]?.integerValue.map { Timestamp(milliseconds: $0) }
      visits.append(Visit(start: start, lastActivity: last ?? start))
    }
    visitNumber = max(visitNumber, visits.count)
    keyMomentScores = json["kcs"].flatMap(Self.scores)
    banditScores = json["cbs"].flatMap(Self.scores)
  }

  /// What the vendor's clients return of it, in their order.
  var returnedItems: [VisitorDatum] {
    var items = customData
    items += pageViews.map(VisitorDatum.pageViews)
    items += [
      device.map(VisitorDatum.device), browser.map(VisitorDatum.browser),
      operatingSystem.map(VisitorDatum.operatingSystem),
      geolocation.map(VisitorDatum.geolocation),
    ].compactMap { $0 }
    items += conversions.map(VisitorDatum.conversion)
    return items
  }

  /// What is added to the visitor's record, in order.
  var items: [VisitorDatum] {
    var items = returnedItems
    items += assignments.map(VisitorDatum.assignment)
    items += personalizations.map(VisitorDatum.personalization)
    if !visits.isEmpty { items.append(.visits(visits, count: visitNumber)) }
    if let keyMomentScores { items.append(.keyMomentScores(keyMomentScores)) }
    if let banditScores { items.append(.banditScores(BanditScores(banditScores))) }
    return items
  }

  /// What is handed to the caller: custom data, device, place, conversions; the other kinds have no
  /// public type.
  var publicItems: [any KameleoonData] {
    var items: [any KameleoonData] = customData.compactMap { datum in
      guard case .customData(let index, let values, let isOverwriting) = datum else { return nil }
      return CustomData(index: index, overwrite: isOverwriting, values: values)
    }
    if let device { items.append(Device(device)) }
    if let geolocation { items.append(Geolocation(geolocation)) }
    items += conversions.map { Conversion($0) as any KameleoonData }
    return items
  }

  // MARK: - Reading

  private mutating func read(_ visit: JSONValue, offset: Int, _ filter: RemoteFilter) {
    if visitorCode == nil, let code = visit["visitorCode"]?.stringValue, !code.isEmpty {
      visitorCode = code
    }
    for event in visit.events("customDataEvents").reversed() { readCustomData(event) }
    for event in visit.events("pageEvents").reversed() { readPage(event) }
    for event in visit.events("experimentEvents").reversed() { readAssignment(event) }
    for event in visit.events("personalizationEvents").reversed() { readPersonalization(event) }
    for event in visit.events("conversionEvents") { readConversion(event) }
    if geolocation == nil {
      geolocation =
        visit.events("geolocationEvents").reversed().lazy
        .compactMap { Self.place($0.data) }.first
    }
    if let data = visit["staticDataEvent"]?["data"] {
      readStaticData(data, offset: offset, filter)
    }
  }

  private mutating func readCustomData(_ event: RemoteEvent) {
    guard let index = event.data["index"]?.integerValue.flatMap({ Int(exactly: $0) }),
      let counts = event.data["valuesCountMap"]?.objectValue,
      seenIndexes.insert(index).inserted
    else { return }
    customData.append(.customData(index: index, values: counts.map(\.key)))
  }

  private mutating func readPage(_ event: RemoteEvent) {
    guard let url = event.data["href"]?.stringValue, !url.isEmpty else { return }
    let page = PageView(
      url: url, title: event.data["title"]?.stringValue, lastTime: event.time)
    guard let position = pageViews.firstIndex(where: { $0.url == page.url }) else {
      return pageViews.append(page)
    }
    let former = pageViews[position]
    pageViews[position] = PageView(
      url: url, title: former.title?.string, count: former.count + 1, lastTime: former.lastTime)
  }

  private mutating func readAssignment(_ event: RemoteEvent) {
    guard let id = event.data["id"]?.integerValue,
      let variationID = event.data["variationId"]?.integerValue,
      !assignments.contains(where: { $0.experimentID == id })
    else { return }
    assignments.append(
      Assignment(
        experimentID: id, variationID: variationID, origin: .other, time: event.time,
        isSent: true))
  }

  private mutating func readPersonalization(_ event: RemoteEvent) {
    guard let id = event.data["id"]?.integerValue,
      let variationID = event.data["variationId"]?.integerValue,
      !personalizations.contains(where: { $0.id == id })
    else { return }
    personalizations.append(Personalization(id: id, variationID: variationID, time: event.time))
  }

  private mutating func readConversion(_ event: RemoteEvent) {
    guard let goalID = event.data["goalId"]?.integerValue else { return }
    conversions.append(
      AnoleModels.Conversion(
        goalID: goalID, revenue: event.data["revenue"]?.doubleValue ?? 0,
        isNegative: event.data["negative"]?.boolValue ?? false, time: event.time))
  }

  private mutating func readStaticData(_ data: JSONValue, offset: Int, _ filter: RemoteFilter) {
    if filter.device, device == nil {
      device = data["deviceType"]?.stringValue.flatMap(AnoleModels.Device.init)
    }
    if filter.browser, browser == nil {
      browser = data["browser"]?.stringValue.flatMap(BrowserType.init).map {
        Browser(type: $0, version: data["browserVersion"]?.doubleValue)
      }
    }
    if filter.operatingSystem, operatingSystem == nil {
      operatingSystem = data["os"]?.stringValue.flatMap(OperatingSystem.init(rawValue:))
    }
    let number = data["visitNumber"]?.integerValue.flatMap { Int(exactly: $0) } ?? 0
    // A number beyond any history is damage, not a visitor.
    if visitNumber == 0, (1...Self.greatestVisitNumber).contains(number) {
      visitNumber = number + offset
    }
  }

  private static let greatestVisitNumber = 1_000_000_000

  private static func place(_ data: JSONValue) -> AnoleModels.Geolocation? {
    guard let country = data["country"]?.stringValue, !country.isEmpty else { return nil }
    return AnoleModels.Geolocation(
      country: country, region: data["region"]?.stringValue, city: data["city"]?.stringValue)
  }

  /// Scores by two ids, written as decimal numbers; what has no numeric key or score is left out.
  private static func scores(_ json: JSONValue) -> [Int64: [Int64: Double]]? {
    guard let outer = json.objectValue else { return nil }
    var result: [Int64: [Int64: Double]] = [:]
    for member in outer {
      guard let id = Int64(member.key), let inner = member.value.objectValue else { continue }
      var scores: [Int64: Double] = [:]
      for member in inner {
        guard let id = Int64(member.key), let score = member.value.doubleValue else { continue }
        scores[id] = score
      }
      result[id] = scores
    }
    return result
  }
}

/// One event of a visit.
private struct RemoteEvent {
  let time: Timestamp
  let data: JSONValue
}

extension JSONValue {
  /// The events of a list that have an object as data.
  fileprivate func events(_ key: String) -> [RemoteEvent] {
    (self[key]?.arrayValue ?? []).compactMap { event in
      guard let data = event["data"], data.objectValue != nil else { return nil }
      return RemoteEvent(
        time: Timestamp(milliseconds: event["time"]?.integerValue ?? 0), data: data)
    }
  }
}
