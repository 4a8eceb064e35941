// SPDX-License-Identifier: Apache-2.0

package import AnoleModels

/// A vector that does not have the documented form.
package struct VectorError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Reads the data items of a vector (see the README beside the vectors).
package enum VectorData {
  /// - Parameters:
  ///   - item: an object with a `type`.
  ///   - now: the clock of the case, the default of times.
  package static func datum(_ item: JSONValue, now: Timestamp) throws(VectorError) -> VisitorDatum {
    let type = try text(item, "type")
    switch type {
    case "customData": return try customData(item)
    case "device": return .device(try literal(item, "device"))
    case "os": return .operatingSystem(try literal(item, "os"))
    case "geolocation":
      return .geolocation(
        Geolocation(
          country: try text(item, "country"), region: item["region"]?.stringValue,
          city: item["city"]?.stringValue))
    case "applicationVersion": return .applicationVersion(try text(item, "version"))
    case "browser": return .browser(try browser(item))
    case "cookie": return .cookies(cookies(item))
    case "pageViewVisit":
      return .pageViews(
        PageView(
          url: try text(item, "url"), title: item["title"]?.stringValue,
          count: Int(try integer(item, "count")), lastTime: try time(item, "time")))
    case "conversion":
      return .conversion(
        Conversion(
          goalID: try integer(item, "goalId"), revenue: item["revenue"]?.doubleValue ?? 0,
          isNegative: item["negative"]?.boolValue ?? false,
          time: item["time"] == nil ? now : try time(item, "time")))
    case "visits": return .visits(try visits(item))
    case "kcsHeat": return .keyMomentScores(try scores(item))
    case "cbs": return .banditScores(BanditScores(try scores(item)))
    case "assignedVariation":
      return .assignment(
        Assignment(
          experimentID: try integer(item, "experimentId"),
          variationID: try integer(item, "variationId"), origin: .experimentation,
          time: try time(item, "time"), isSent: false))
    case "personalization":
      return .personalization(
        Personalization(
          id: try integer(item, "id"), variationID: try integer(item, "variationId"),
          time: try time(item, "time")))
    default: throw VectorError("unknown data type \"\(type)\"")
    }
  }

  // MARK: - Fields

  package static func text(_ item: JSONValue, _ key: String) throws(VectorError) -> String {
    guard let value = item[key]?.stringValue else { throw VectorError("\"\(key)\" is no string") }
    return value
  }

  package static func integer(_ item: JSONValue, _ key: String) throws(VectorError) -> Int64 {
    guard let value = item[key]?.integerValue else { throw VectorError("\"\(key)\" is no integer") }
    return value
  }

  package static func time(_ item: JSONValue, _ key: String) throws(VectorError) -> Timestamp {
    Timestamp(milliseconds: try integer(item, key))
  }

  private static func literal<Literal: RawRepresentable<String>>(
    _ item: JSONValue, _ key: String
  ) throws(VectorError) -> Literal {
    guard let literal = Literal(rawValue: try text(item, key)) else {
      throw VectorError("\"\(key)\" has an unknown value")
    }
    return literal
  }

  // MARK: - Items

  private static func customData(_ item: JSONValue) throws(VectorError) -> VisitorDatum {
    let values = item["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let isOverwriting = item["overwrite"]?.boolValue ?? true
    if let name = item["name"]?.stringValue {
      return .namedCustomData(name: name, values: values, isOverwriting: isOverwriting)
    }
    return .customData(
      index: Int(try integer(item, "index")), values: values, isOverwriting: isOverwriting)
  }

  private static func browser(_ item: JSONValue) throws(VectorError) -> Browser {
    let name = try text(item, "browser")
    let literal = name == "INTERNET_EXPLORER" ? "IE" : name
    guard let type = BrowserType(rawValue: literal) else {
      throw VectorError("unknown browser \"\(name)\"")
    }
    return Browser(type: type, version: item["version"]?.doubleValue)
  }

  private static func cookies(_ item: JSONValue) -> [Cookie] {
    (item["cookies"]?.objectValue ?? []).compactMap { member in
      member.value.stringValue.map { Cookie(name: member.key, value: $0) }
    }
  }

  private static func visits(_ item: JSONValue) throws(VectorError) -> [Visit] {
    var visits: [Visit] = []
    for visit in item["prev"]?.arrayValue ?? [] {
      guard let start = visit[0]?.integerValue, let last = visit[1]?.integerValue else {
        throw VectorError("a visit is no pair of integers")
      }
      visits.append(
        Visit(
          start: Timestamp(milliseconds: start), lastActivity: Timestamp(milliseconds: last)))
    }
    return visits
  }

  private static func scores(
    _ item: JSONValue
  ) throws(VectorError) -> [Int64: [Int64: Double]] {
    var scores: [Int64: [Int64: Double]] = [:]
    for outer in item["values"]?.objectValue ?? [] {
      for inner in outer.value.objectValue ?? [] {
        guard let first = Int64(outer.key), let second = Int64(inner.key),
          let score = inner.value.doubleValue
        else { throw VectorError("a score is not id → id → number") }
        scores[first, default: [:]][second] = score
      }
    }
    return scores
  }
}
