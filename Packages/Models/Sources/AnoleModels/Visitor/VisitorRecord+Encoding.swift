// SPDX-License-Identifier: Apache-2.0

extension VisitorRecord {
  /// The version of the stored form.
  static let schema: Int64 = 1

  /// The record as it is stored: JSON, everything but forced and simulated variations, which last
  /// as long as the process.
  public func encoded() -> [UInt8] {
    var members = JSONMembers()
    members.add("schema", .number(.integer(Self.schema)))
    members.add("visitStart", visitStart.json)
    members.add("assignments", assignments.all.map(\.json))
    if let profile { profile.add(to: &members) }
    return Array(members.object.text().utf8)
  }
}

/// Collects members and leaves out what is not there.
struct JSONMembers {
  private var members: [JSONValue.Member] = []

  var object: JSONValue { .object(members) }

  mutating func add(_ key: String, _ value: JSONValue?) {
    guard let value else { return }
    members.append(JSONValue.Member(key: key, value: value))
  }

  mutating func add(_ key: String, _ list: [JSONValue]) {
    if !list.isEmpty { add(key, .array(list)) }
  }

  mutating func add(_ key: String, _ string: String?) {
    add(key, string.map(JSONValue.string))
  }

  mutating func add(_ key: String, _ flag: Bool) {
    if flag { add(key, .bool(true)) }
  }
}

extension JSONValue {
  /// A finite number; JSON has no other.
  fileprivate init(finite number: Double) { self = .number(.double(number.isFinite ? number : 0)) }

  fileprivate init(_ integer: Int) { self = .number(.integer(Int64(integer))) }
}

extension Timestamp {
  fileprivate var json: JSONValue { .number(.integer(milliseconds)) }
}

extension Assignment {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("experiment", .number(.integer(experimentID)))
    members.add("variation", .number(.integer(variationID)))
    members.add("origin", JSONValue(Int(origin.rawValue)))
    members.add("time", time.json)
    members.add("isSent", isSent)
    return members.object
  }
}

extension VisitorProfile {
  fileprivate func add(to members: inout JSONMembers) {
    members.add("customData", customData.map(\.json))
    members.add("device", device?.rawValue)
    members.add("operatingSystem", operatingSystem?.rawValue)
    members.add("geolocation", geolocation?.json)
    members.add("applicationVersion", applicationVersion)
    members.add("browser", browser?.json)
    members.add("cookies", cookies.map { [.string($0.name.string), .string($0.value.string)] })
    members.add("pageViews", pageViews.map(\.json))
    members.add("conversions", conversions.map(\.json))
    members.add("personalizations", personalizations.map(\.json))
    members.add(
      "segments",
      targetedSegments.map { [.number(.integer($0.id)), .bool($0.isSent)] })
    if let previousVisits {
      members.add("visits", .array(previousVisits.map { [$0.start.json, $0.lastActivity.json] }))
    }
    members.add("visitCount", JSONValue(previousVisitCount))
    members.add("lastActivity", lastActivity?.json)
    members.add("keyMomentScores", Self.json(of: keyMomentScores))
    members.add("banditScores", banditScores?.json)
    members.add("mappingIdentifier", mappingIdentifier)
    members.add("consent", consent == .unknown ? nil : .bool(consent == .given))
    members.add("unsent", JSONValue(Int(unsentStaticData.rawValue)))
    members.add(
      "times",
      additionTimes.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        [JSONValue(Int($0.key.rawValue)), $0.value.json]
      })
  }

  private static func json(of scores: KeyMomentScores) -> [JSONValue] {
    scores.sorted { $0.key < $1.key }.flatMap { moment, goals in
      goals.sorted { $0.key < $1.key }.map { goal, score in
        [.number(.integer(moment)), .number(.integer(goal)), JSONValue(finite: score)]
      }
    }
  }
}

extension CustomDatum {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("index", JSONValue(index))
    members.add("values", values.map(JSONValue.string))
    members.add("isOverwriting", isOverwriting)
    members.add("isMappingIdentifier", isMappingIdentifier)
    members.add("time", time.json)
    members.add("isSent", isSent)
    return members.object
  }
}

extension Geolocation {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("country", country)
    members.add("region", region)
    members.add("city", city)
    members.add("postalCode", postalCode)
    members.add("latitude", latitude.map(JSONValue.init(finite:)))
    members.add("longitude", longitude.map(JSONValue.init(finite:)))
    return members.object
  }
}

extension Browser {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("type", type.rawValue)
    members.add("version", version.map(JSONValue.init(finite:)))
    return members.object
  }
}

extension PageView {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("url", url.string)
    members.add("title", title?.string)
    members.add("count", JSONValue(count))
    members.add("time", lastTime.json)
    members.add("referrers", referrers.map { JSONValue($0) })
    members.add("isSent", isSent)
    return members.object
  }
}

extension Conversion {
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("goal", .number(.integer(goalID)))
    members.add("revenue", JSONValue(finite: revenue))
    members.add("isNegative", isNegative)
    members.add("time", time.json)
    members.add(
      "metadata",
      metadata.map { [JSONValue($0.index), .array($0.values.map(JSONValue.string))] })
    members.add("isSent", isSent)
    return members.object
  }
}

extension Personalization {
  fileprivate var json: JSONValue {
    [.number(.integer(id)), .number(.integer(variationID)), time.json]
  }
}

extension BanditScores {
  fileprivate var json: JSONValue {
    .array(
      groups.sorted { $0.key < $1.key }.map { experiment, groups in
        [
          .number(.integer(experiment)),
          .array(groups.map { .array($0.map { .number(.integer($0)) }) }),
        ]
      })
  }
}
