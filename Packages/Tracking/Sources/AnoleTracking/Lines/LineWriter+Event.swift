// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

extension TrackingEvent {
  /// False for a page view without URL, for which nothing is sent.
  var hasLine: Bool {
    if case .pageView(let url, _, _) = self { return !url.isEmpty }
    return true
  }

  /// The place of the kind among the lines of one visitor (network specification, section 3.3).
  var rank: UInt8 {
    switch self {
    case .activity: StoredLine.activityRank
    case .device: 1
    case .browser: 2
    case .operatingSystem: 3
    case .geolocation: 4
    case .visits: 5
    case .customData: 6
    case .pageView: 7
    case .experiment: 8
    case .targetedSegment: 9
    case .conversion: 10
    }
  }
}

extension LineWriter {
  /// The line of an event without its user agent.
  ///
  /// - Returns: How many bytes at the end say whom the line is about.
  @discardableResult
  mutating func line(_ event: TrackingEvent, nonce: Nonce, identity: TrackingIdentity) -> Int {
    literal("nonce=")
    self.nonce(nonce)
    literal("&eventType=")
    append(event)
    literal("&")
    let start = bytes.count
    switch identity {
    case .visitorCode(let code): parameter("visitorCode=", code)
    case .mappingValue(let value): parameter("mappingValue=", value)
    }
    return bytes.count - start
  }

  /// A parameter, also if its value is empty.
  mutating func parameter(_ name: StaticString, _ value: String) {
    literal(name)
    encoded(value)
  }

  /// A parameter that is left out if its value is absent or empty.
  mutating func filledParameter(_ name: StaticString, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    parameter(name, value)
  }

  private mutating func integerParameter(_ name: StaticString, _ value: Int64) {
    literal(name)
    integer(value)
  }

  /// The event type and the parameters of its kind.
  fileprivate mutating func append(_ event: TrackingEvent) {
    switch event {
    case .activity: literal("activity")
    case .experiment(let experimentID, let variationID):
      integerParameter("experiment&id=", experimentID)
      integerParameter("&variationId=", variationID)
    case .targetedSegment(let id): integerParameter("targetingSegment&id=", id)
    case .customData(let index, let values, let isOverwriting, let isMappingIdentifier):
      integerParameter("customData&index=", Int64(index))
      literal("&valuesCountMap=")
      counts(of: values)
      literal("&overwrite=")
      boolean(isOverwriting)
      if isMappingIdentifier { literal("&mappingIdentifier=true") }
    case .conversion(let goalID, let revenue, let isNegative, let metadata):
      integerParameter("conversion&goalId=", goalID)
      literal("&revenue=")
      number(revenue)
      literal("&negative=")
      boolean(isNegative)
      append(metadata)
    case .geolocation(let place): append(place)
    case .device(let device):
      literal("staticData&deviceType=")
      encoded(device.rawValue)
    case .operatingSystem(let system):
      literal("staticData&os=")
      encoded(system.rawValue)
      integerParameter("&osIndex=", system.trackingIndex)
    case .browser(let browser):
      integerParameter("staticData&browserIndex=", browser.type.trackingIndex)
      guard let version = browser.version, version != 0 else { return }
      literal("&browserVersion=")
      number(version)
    case .visits(let previousCount, let timeSincePrevious):
      integerParameter("staticData&visitNumber=", Int64(previousCount))
      integerParameter("&timeSincePreviousVisit=", timeSincePrevious.wholeMilliseconds)
    case .pageView(let url, let title, let referrers):
      parameter("page&href=", url)
      filledParameter("&title=", title)
      append(referrers: referrers)
    }
  }

  /// `{"a":1,"b":1}`: every distinct value once, in order (section 3.6).
  private mutating func counts(of values: [String]) {
    literal("%7B")
    for (position, value) in values.enumerated()
    where !values[..<position].contains(where: { $0.hasSameBytes(as: value) }) {
      if position > 0 { literal("%2C") }
      encodedJSON(value)
      literal("%3A1")
    }
    literal("%7D")
  }

  /// `{"5":["a"],"1":[]}`: the first of a repeated index counts (section 3.6).
  private mutating func append(_ metadata: [ConversionMetadata]) {
    guard !metadata.isEmpty else { return }
    literal("&metadata=%7B")
    for (position, item) in metadata.enumerated()
    where !metadata[..<position].contains(where: { $0.index == item.index }) {
      if position > 0 { literal("%2C") }
      integerParameter("%22", Int64(item.index))
      literal("%22%3A%5B")
      for (rank, value) in item.values.enumerated() {
        if rank > 0 { literal("%2C") }
        encodedJSON(value)
      }
      literal("%5D")
    }
    literal("%7D")
  }

  private mutating func append(_ place: Geolocation) {
    literal("geolocation")
    filledParameter("&country=", place.country)
    filledParameter("&region=", place.region)
    filledParameter("&city=", place.city)
    filledParameter("&postalCode=", place.postalCode)
    if let latitude = place.latitude {
      literal("&latitude=")
      number(latitude)
    }
    if let longitude = place.longitude {
      literal("&longitude=")
      number(longitude)
    }
  }

  private mutating func append(referrers: [Int]) {
    guard !referrers.isEmpty else { return }
    literal("&referrersIndices=%5B")
    for (position, referrer) in referrers.enumerated() {
      if position > 0 { literal("%2C") }
      integer(Int64(referrer))
    }
    literal("%5D")
  }
}

extension OperatingSystem {
  /// The number the Data API knows the system by.
  fileprivate var trackingIndex: Int64 {
    switch self {
    case .windows: 0
    case .mac: 1
    case .iOS: 2
    case .linux: 3
    case .android: 4
    case .windowsPhone: 5
    }
  }
}

extension BrowserType {
  /// The number the Data API knows the browser by.
  fileprivate var trackingIndex: Int64 {
    switch self {
    case .chrome: 0
    case .internetExplorer: 1
    case .firefox: 2
    case .safari: 3
    case .opera: 4
    case .other: 5
    }
  }
}
