// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleWireRecordings
import kameleoonClient

/// Reads the data items of a recording, and writes data in their form.
enum WireData {
  /// Types of the public interface; the others exist in server-side SDKs only.
  private static let publicTypes = ["customData", "conversion", "device", "geolocation"]
  /// Types that are no data of a visitor on iOS: the configuration and the header take their place.
  private static let ignoredTypes = ["uniqueIdentifier", "userAgent"]

  /// The items that can be added at all.
  static func items(_ step: RecordedStep) -> [JSONValue] {
    (step.fields["data"]?.arrayValue ?? []).filter { item in
      !ignoredTypes.contains(item["type"]?.stringValue ?? "")
    }
  }

  /// The items in public types; nil if one of them has none.
  static func publicItems(
    _ items: [JSONValue]
  ) throws(WireFormatError) -> [any KameleoonData]? {
    var data: [any KameleoonData] = []
    for item in items {
      guard publicTypes.contains(item["type"]?.stringValue ?? "") else { return nil }
      data.append(try publicItem(item))
    }
    return data
  }

  private static func publicItem(_ item: JSONValue) throws(WireFormatError) -> any KameleoonData {
    switch item["type"]?.stringValue {
    case "customData": return try customData(item)
    case "conversion":
      return kameleoonClient.Conversion(
        goalId: Int(try integer(item, "goalId")), revenue: item["revenue"]?.doubleValue ?? 0,
        negative: item["negative"]?.boolValue ?? false, metadata: try metadata(item["metadata"]))
    case "device":
      switch item["device"]?.stringValue {
      case "PHONE": return kameleoonClient.Device.phone
      case "TABLET": return kameleoonClient.Device.tablet
      case "DESKTOP": return kameleoonClient.Device.desktop
      default: throw WireFormatError("unknown device in \(item)")
      }
    default:
      return kameleoonClient.Geolocation(
        country: try text(item, "country"), region: item["region"]?.stringValue,
        city: item["city"]?.stringValue, postalCode: item["postalCode"]?.stringValue,
        latitude: item["latitude"]?.doubleValue, longitude: item["longitude"]?.doubleValue)
    }
  }

  /// Custom data that go with a conversion.
  static func metadata(_ list: JSONValue?) throws(WireFormatError) -> [CustomData] {
    var metadata: [CustomData] = []
    for item in list?.arrayValue ?? [] { metadata.append(try customData(item)) }
    return metadata
  }

  private static func customData(_ item: JSONValue) throws(WireFormatError) -> CustomData {
    let values = item["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let overwrite = item["overwrite"]?.boolValue ?? true
    if let name = item["name"]?.stringValue {
      return CustomData(name: name, overwrite: overwrite, values: values)
    }
    return CustomData(index: Int(try integer(item, "index")), overwrite: overwrite, values: values)
  }

  /// An item as the visitor's record takes it.
  static func datum(_ item: JSONValue, now: Timestamp) throws(WireFormatError) -> VisitorDatum {
    switch item["type"]?.stringValue {
    case "customData":
      let data = try customData(item)
      guard let name = data.name else {
        return .customData(index: data.id, values: data.values, isOverwriting: data.overwrite)
      }
      return .namedCustomData(name: name, values: data.values, isOverwriting: data.overwrite)
    case "conversion":
      return .conversion(
        AnoleModels.Conversion(
          goalID: try integer(item, "goalId"), revenue: item["revenue"]?.doubleValue ?? 0,
          isNegative: item["negative"]?.boolValue ?? false, time: now))
    case "device": return .device(try literal(item, "device"))
    case "operatingSystem": return .operatingSystem(try literal(item, "os"))
    case "browser": return .browser(try browser(item))
    case "geolocation":
      return .geolocation(
        AnoleModels.Geolocation(
          country: try text(item, "country"), region: item["region"]?.stringValue,
          city: item["city"]?.stringValue, postalCode: item["postalCode"]?.stringValue,
          latitude: item["latitude"]?.doubleValue, longitude: item["longitude"]?.doubleValue))
    case "pageView":
      return .pageView(
        url: try text(item, "url"), title: item["title"]?.stringValue,
        referrers: (item["referrers"]?.arrayValue ?? []).compactMap {
          $0.integerValue.map { Int($0) }
        })
    case "applicationVersion": return .applicationVersion(try text(item, "version"))
    case "cookie":
      let cookies = item["cookies"]?.objectValue ?? []
      return .cookies(
        cookies.compactMap { member in
          member.value.stringValue.map { Cookie(name: member.key, value: $0) }
        })
    default: throw WireFormatError("unknown kind of data: \(item["type"] ?? .null)")
    }
  }

  private static func browser(_ item: JSONValue) throws(WireFormatError) -> Browser {
    let name = try text(item, "browser")
    guard let type = BrowserType(rawValue: name == "INTERNET_EXPLORER" ? "IE" : name) else {
      throw WireFormatError("unknown browser \"\(name)\"")
    }
    return Browser(type: type, version: item["version"]?.doubleValue)
  }

  private static func literal<Literal: RawRepresentable<String>>(
    _ item: JSONValue, _ key: String
  ) throws(WireFormatError) -> Literal {
    guard let literal = Literal(rawValue: try text(item, key)) else {
      throw WireFormatError("\"\(key)\" has an unknown value in \(item)")
    }
    return literal
  }

  private static func text(_ item: JSONValue, _ key: String) throws(WireFormatError) -> String {
    guard let value = item[key]?.stringValue else {
      throw WireFormatError("\"\(key)\" is no text in \(item)")
    }
    return value
  }

  private static func integer(_ item: JSONValue, _ key: String) throws(WireFormatError) -> Int64 {
    guard let value = item[key]?.integerValue else {
      throw WireFormatError("\"\(key)\" is no integer in \(item)")
    }
    return value
  }
}
