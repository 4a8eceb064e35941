// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import kameleoonClient

extension WireData {
  /// A datum as a recording tells it, without the mark whether it was sent; nil for other types.
  static func json(_ datum: any KameleoonData) -> JSONValue? {
    switch datum {
    case let data as CustomData: return customData(index: data.id, values: data.values)
    case let conversion as kameleoonClient.Conversion:
      return self.conversion(
        goalID: Int64(conversion.goalId), revenue: conversion.revenue,
        isNegative: conversion.negative)
    case let device as kameleoonClient.Device:
      switch device {
      case .phone: return self.device(.phone)
      case .tablet: return self.device(.tablet)
      case .desktop: return self.device(.desktop)
      }
    case let place as kameleoonClient.Geolocation:
      return geolocation(country: place.country, region: place.region, city: place.city)
    default: return nil
    }
  }

  /// A datum of a visitor's record as a recording tells it; nil for kinds that no call returns.
  static func json(_ datum: VisitorDatum) -> JSONValue? {
    switch datum {
    case .customData(let index, let values, _): customData(index: index, values: values)
    case .conversion(let conversion):
      self.conversion(
        goalID: conversion.goalID, revenue: conversion.revenue, isNegative: conversion.isNegative)
    case .device(let device): self.device(device)
    case .operatingSystem(let system):
      ["type": "operatingSystem", "os": .string(system.rawValue)]
    case .browser(let browser): self.browser(browser)
    case .geolocation(let place):
      geolocation(country: place.country, region: place.region, city: place.city)
    case .pageViews(let page):
      object([
        ("type", "pageView"), ("url", .string(page.url.string)),
        ("title", page.title.map { .string($0.string) }),
      ])
    default: nil
    }
  }

  static func customData(index: Int, values: [String]) -> JSONValue {
    [
      "type": "customData", "index": .number(.integer(Int64(index))),
      "values": .array(values.map(JSONValue.string)),
    ]
  }

  static func conversion(goalID: Int64, revenue: Double, isNegative: Bool) -> JSONValue {
    [
      "type": "conversion", "goalId": .number(.integer(goalID)),
      "revenue": .number(.double(revenue)), "negative": .bool(isNegative),
    ]
  }

  static func device(_ device: AnoleModels.Device) -> JSONValue {
    ["type": "device", "device": .string(device.rawValue)]
  }

  static func browser(_ browser: Browser) -> JSONValue {
    let name = browser.type == .internetExplorer ? "INTERNET_EXPLORER" : browser.type.rawValue
    return object([
      ("type", "browser"), ("browser", .string(name)),
      ("version", browser.version.map { .number(.double($0)) }),
    ])
  }

  static func geolocation(country: String, region: String?, city: String?) -> JSONValue {
    object([
      ("type", "geolocation"), ("country", .string(country)),
      ("region", region.map(JSONValue.string)), ("city", city.map(JSONValue.string)),
    ])
  }

  /// An object of the members that have a value.
  static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(
      members.compactMap { key, value in value.map { JSONValue.Member(key: key, value: $0) } })
  }
}
