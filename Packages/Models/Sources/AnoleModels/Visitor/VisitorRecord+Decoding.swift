// SPDX-License-Identifier: Apache-2.0

/// Why a stored record could not be read.
public struct VisitorRecordError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, without any of the visitor's data.
  public let message: String

  /// The message.
  public var description: String { "stored visitor: \(message)" }
}

extension VisitorRecord {
  /// Reads a stored record.
  ///
  /// Single items that cannot be read are left out; the rest is kept.
  ///
  /// - Parameter bytes: what ``encoded()`` gave.
  /// - Throws: ``VisitorRecordError`` if the bytes are no record, or one of a newer version.
  public init(decoding bytes: [UInt8]) throws(VisitorRecordError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw VisitorRecordError(message: "\(error)")
    }
    guard let schema = json["schema"]?.integerValue else {
      throw VisitorRecordError(message: "no \"schema\" number in it")
    }
    guard schema == Self.schema else {
      throw VisitorRecordError(
        message: "its schema is \(schema), this version reads \(Self.schema)")
    }
    guard let visitStart = Timestamp(json["visitStart"]) else {
      throw VisitorRecordError(message: "no \"visitStart\" number in it")
    }
    self.init(visitStart: visitStart)
    for assignment in json.list("assignments").compactMap(Assignment.init(stored:)) {
      assignments.set(assignment)
    }
    var profile = VisitorProfile()
    profile.read(json)
    if profile != VisitorProfile() { updateProfile { $0 = profile } }
  }
}

extension JSONValue {
  /// The elements of a list member; none if it is missing.
  fileprivate func list(_ key: String) -> [JSONValue] { self[key]?.arrayValue ?? [] }

  fileprivate func flag(_ key: String) -> Bool { self[key]?.boolValue ?? false }

  fileprivate func integer(_ key: String) -> Int? {
    self[key]?.integerValue.flatMap { Int(exactly: $0) }
  }
}

extension Timestamp {
  fileprivate init?(_ json: JSONValue?) {
    guard let milliseconds = json?.integerValue else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

extension Assignment {
  fileprivate init?(stored json: JSONValue) {
    guard let experimentID = json["experiment"]?.integerValue,
      let variationID = json["variation"]?.integerValue, let time = Timestamp(json["time"])
    else { return nil }
    let origin = json.integer("origin").flatMap { UInt8(exactly: $0) }
    self.init(
      experimentID: experimentID, variationID: variationID,
      origin: origin.flatMap(Origin.init(rawValue:)) ?? .other, time: time,
      isSent: json.flag("isSent"))
  }
}

extension VisitorProfile {
  fileprivate mutating func read(_ json: JSONValue) {
    customData = json.list("customData").compactMap(CustomDatum.init(stored:))
    device = json["device"]?.stringValue.flatMap(Device.init(rawValue:))
    operatingSystem = json["operatingSystem"]?.stringValue.flatMap(OperatingSystem.init(rawValue:))
    geolocation = json["geolocation"].flatMap(Geolocation.init(stored:))
    if let text = json["applicationVersion"]?.stringValue {
      applicationVersion = text
      parsedApplicationVersion = AppVersion(text)
    }
    browser = json["browser"].flatMap(Browser.init(stored:))
    cookies = json.list("cookies").compactMap(Cookie.init(stored:))
    pageViews = json.list("pageViews").compactMap(PageView.init(stored:))
    conversions = json.list("conversions").compactMap(Conversion.init(stored:))
    personalizations = json.list("personalizations").compactMap(Personalization.init(stored:))
    targetedSegments = json.list("segments").compactMap(TargetedSegment.init(stored:))
    previousVisits = json["visits"]?.arrayValue.map { $0.compactMap(Visit.init(stored:)) }
    previousVisitCount = max(json.integer("visitCount") ?? 0, 0)
    lastActivity = Timestamp(json["lastActivity"])
    for entry in json.list("keyMomentScores") {
      guard let moment = entry[0]?.integerValue, let goal = entry[1]?.integerValue,
        let score = entry[2]?.doubleValue
      else { continue }
      keyMomentScores[moment, default: [:]][goal] = score
    }
    banditScores = json["banditScores"].flatMap(BanditScores.init(stored:))
    mappingIdentifier = json["mappingIdentifier"]?.stringValue
    consent = json["consent"]?.boolValue.map { $0 ? .given : .refused } ?? .unknown
    unsentStaticData = StaticData(stored: json["unsent"]) ?? []
    for entry in json.list("times") {
      guard let kind = StaticData(stored: entry[0]), let time = Timestamp(entry[1]) else {
        continue
      }
      additionTimes[kind] = time
    }
  }
}

extension StaticData {
  fileprivate init?(stored json: JSONValue?) {
    guard let rawValue = json?.integerValue.flatMap({ UInt16(exactly: $0) }) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension CustomDatum {
  fileprivate init?(stored json: JSONValue) {
    guard let index = json.integer("index"), let time = Timestamp(json["time"]) else { return nil }
    self.init(
      index: index, values: json.list("values").compactMap(\.stringValue),
      isOverwriting: json.flag("isOverwriting"),
      isMappingIdentifier: json.flag("isMappingIdentifier"), time: time,
      isSent: json.flag("isSent"))
  }
}

extension Geolocation {
  fileprivate init?(stored json: JSONValue) {
    guard let country = json["country"]?.stringValue else { return nil }
    self.init(
      country: country, region: json["region"]?.stringValue, city: json["city"]?.stringValue,
      postalCode: json["postalCode"]?.stringValue, latitude: json["latitude"]?.doubleValue,
      longitude: json["longitude"]?.doubleValue)
  }
}

extension Browser {
  fileprivate init?(stored json: JSONValue) {
    guard let type = json["type"]?.stringValue.flatMap(BrowserType.init(rawValue:)) else {
      return nil
    }
    self.init(type: type, version: json["version"]?.doubleValue)
  }
}

extension Cookie {
  fileprivate init?(stored json: JSONValue) {
    guard let name = json[0]?.stringValue, let value = json[1]?.stringValue else { return nil }
    self.init(name: name, value: value)
  }
}

extension PageView {
  fileprivate init?(stored json: JSONValue) {
    guard let url = json["url"]?.stringValue, let time = Timestamp(json["time"]) else {
      return nil
    }
    self.init(
      url: url, title: json["title"]?.stringValue, count: json.integer("count") ?? 1,
      lastTime: time)
    referrers = json.list("referrers").compactMap { $0.integerValue.flatMap { Int(exactly: $0) } }
    isSent = json.flag("isSent")
  }
}

extension Conversion {
  fileprivate init?(stored json: JSONValue) {
    guard let goalID = json["goal"]?.integerValue, let time = Timestamp(json["time"]) else {
      return nil
    }
    let metadata = json.list("metadata").compactMap { entry -> ConversionMetadata? in
      guard let index = entry[0]?.integerValue.flatMap({ Int(exactly: $0) }) else { return nil }
      return ConversionMetadata(
        index: index, values: (entry[1]?.arrayValue ?? []).compactMap(\.stringValue))
    }
    self.init(
      goalID: goalID, revenue: json["revenue"]?.doubleValue ?? 0,
      isNegative: json.flag("isNegative"), time: time, metadata: metadata)
    isSent = json.flag("isSent")
  }
}

extension Personalization {
  fileprivate init?(stored json: JSONValue) {
    guard let id = json[0]?.integerValue, let variationID = json[1]?.integerValue,
      let time = Timestamp(json[2])
    else { return nil }
    self.init(id: id, variationID: variationID, time: time)
  }
}

extension TargetedSegment {
  fileprivate init?(stored json: JSONValue) {
    guard let id = json[0]?.integerValue else { return nil }
    self.init(id: id)
    isSent = json[1]?.boolValue ?? false
  }
}

extension Visit {
  fileprivate init?(stored json: JSONValue) {
    guard let start = Timestamp(json[0]), let end = Timestamp(json[1]) else { return nil }
    self.init(start: start, lastActivity: end)
  }
}

extension BanditScores {
  fileprivate init?(stored json: JSONValue) {
    guard let entries = json.arrayValue else { return nil }
    var groups: [Int64: [[Int64]]] = [:]
    for entry in entries {
      guard let experiment = entry[0]?.integerValue else { continue }
      groups[experiment] = (entry[1]?.arrayValue ?? []).map {
        ($0.arrayValue ?? []).compactMap(\.integerValue)
      }
    }
    self.init(groups: groups)
  }
}
