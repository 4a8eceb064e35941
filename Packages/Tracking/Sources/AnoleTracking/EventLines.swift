// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// The lines of a tracking body: one event a line, joined by line feeds, none at the end (network
/// specification, sections 3.2 to 3.6).
///
/// A plain value that only grows; encoding allocates nothing but the buffer.
public struct EventLines: Sendable, Hashable {
  private var writer = LineWriter()

  /// How many lines there are.
  public private(set) var count = 0

  /// An empty body.
  ///
  /// - Parameter capacity: how many bytes to reserve; a line has some 110.
  public init(capacity: Int = 0) {
    writer.bytes.reserveCapacity(capacity)
  }

  /// The size of the body so far, in bytes.
  public var byteCount: Int { writer.bytes.count }

  /// The body so far, UTF-8.
  public var bytes: [UInt8] { writer.bytes }

  /// Adds the line of an event.
  ///
  /// - Parameters:
  ///   - event: what to report.
  ///   - nonce: the event's own.
  ///   - identity: whom it is about.
  ///   - userAgent: for the first line of each visitor in a request, if known.
  /// - Returns: false if the event has no line: a page view without URL.
  @discardableResult
  public mutating func append(
    _ event: TrackingEvent, nonce: Nonce, identity: TrackingIdentity, userAgent: String? = nil
  ) -> Bool {
    if case .pageView(let url, _, _) = event, url.isEmpty { return false }
    if count > 0 { writer.literal("\n") }
    count += 1
    writer.literal("nonce=")
    writer.nonce(nonce)
    writer.literal("&eventType=")
    writer.append(event)
    switch identity {
    case .visitorCode(let code): writer.parameter("&visitorCode=", code)
    case .mappingValue(let value): writer.parameter("&mappingValue=", value)
    }
    if let userAgent { writer.filledParameter("&userAgent=", userAgent) }
    return true
  }
}

extension LineWriter {
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
  private mutating func append(_ metadata: [TrackingEvent.Metadata]) {
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

  private mutating func append(_ place: TrackedPlace) {
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

extension Duration {
  /// Milliseconds, fractions cut off.
  fileprivate var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
