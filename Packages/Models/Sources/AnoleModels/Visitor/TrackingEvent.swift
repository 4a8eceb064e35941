// SPDX-License-Identifier: Apache-2.0

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
    goalID: Int64, revenue: Double = 0, isNegative: Bool = false,
    metadata: [ConversionMetadata] = [])
  /// Where the visitor is.
  case geolocation(Geolocation)
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
}

/// Custom data that goes with a conversion.
///
/// For a repeated index the first counts.
public struct ConversionMetadata: Sendable, Hashable {
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
