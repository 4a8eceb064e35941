// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// Something to report about a visitor (network specification, section 3.5).
public enum TrackingEvent: Sendable, Hashable {
  /// The visitor is there; sent where nothing else is.
  case activity
  /// An exposure, also of a targeted delivery, a holdout or a forced variation.
  case experiment(experimentID: Int64, variationID: Int64)
  /// Membership of a segment.
  case targetedSegment(id: Int64)
  /// Values of custom data; the mapping identifier is marked.
  case customData(
    index: Int, values: [String], isOverwriting: Bool = true, isMappingIdentifier: Bool = false)
  /// A conversion; the revenue goes out as given, sign included.
  case conversion(
    goalID: Int64, revenue: Double = 0, isNegative: Bool = false, metadata: [Metadata] = [])
  /// Where the visitor is.
  case geolocation(TrackedPlace)
  /// The kind of device.
  case device(Device)
  /// The operating system.
  case operatingSystem(OperatingSystem)
  /// The browser; a version of 0 counts as unknown.
  case browser(Browser)
  /// The visit: how many came before, and how long ago the last one ended.
  case visits(previousCount: Int, timeSincePrevious: Duration)
  /// A page that was seen; without URL nothing is sent.
  case pageView(url: String, title: String? = nil, referrers: [Int] = [])

  /// Custom data that goes with a conversion.
  ///
  /// For a repeated index the first counts.
  public struct Metadata: Sendable, Hashable {
    /// The custom data index.
    public let index: Int
    /// The values, in order and with repetitions.
    public let values: [String]

    /// Makes metadata.
    public init(index: Int, values: [String]) {
      self.index = index
      self.values = values
    }
  }
}

/// A place as it is reported; empty texts and unknown numbers are left out.
public struct TrackedPlace: Sendable, Hashable {
  /// The country.
  public var country: String?
  /// The region.
  public var region: String?
  /// The city.
  public var city: String?
  /// The postal code.
  public var postalCode: String?
  /// Degrees north, -90…90.
  public var latitude: Double?
  /// Degrees east, -180…180.
  public var longitude: Double?

  /// Makes a place.
  public init(
    country: String? = nil, region: String? = nil, city: String? = nil,
    postalCode: String? = nil, latitude: Double? = nil, longitude: Double? = nil
  ) {
    self.country = country
    self.region = region
    self.city = city
    self.postalCode = postalCode
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Whom a line is about (network specification, section 3.10).
public enum TrackingIdentity: Sendable, Hashable {
  /// The visitor code.
  case visitorCode(String)
  /// A customer's user id that is linked to an anonymous visitor.
  case mappingValue(String)
}

/// Tells one event from another for ever: made once per event and kept over all attempts to send
/// it, so that the server can drop duplicates.
public struct Nonce: Sendable, Hashable {
  /// The number that is written as 16 hexadecimal digits.
  public let value: UInt64

  /// A nonce that was made before.
  public init(_ value: UInt64) {
    self.value = value
  }

  /// A new nonce.
  ///
  /// - Parameter generator: should be cryptographic in production: `SystemRandomNumberGenerator`.
  public init(using generator: inout some RandomNumberGenerator) {
    value = generator.next()
  }
}
