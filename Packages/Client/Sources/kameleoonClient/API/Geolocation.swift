// SPDX-License-Identifier: Apache-2.0

/// Where the visitor is.
public struct Geolocation: KameleoonData, Hashable {
  /// The country.
  public let country: String
  /// The region; nil if unknown.
  public let region: String?
  /// The city; nil if unknown.
  public let city: String?
  /// The postal code; nil if unknown.
  public let postalCode: String?
  /// Degrees north, -90…90; nil if unknown.
  public let latitude: Double?
  /// Degrees east, -180…180; nil if unknown.
  public let longitude: Double?

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - country: The country.
  ///   - region: The region, if known.
  ///   - city: The city, if known.
  ///   - postalCode: The postal code, if known.
  ///   - latitude: Degrees north, if known.
  ///   - longitude: Degrees east, if known.
  public init(
    country: String, region: String? = nil, city: String? = nil, postalCode: String? = nil,
    latitude: Double? = nil, longitude: Double? = nil
  ) {
    self.country = country
    self.region = region
    self.city = city
    self.postalCode = postalCode
    self.latitude = latitude
    self.longitude = longitude
  }
}
