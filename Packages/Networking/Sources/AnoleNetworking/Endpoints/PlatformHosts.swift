// SPDX-License-Identifier: Apache-2.0

/// The hosts of the platform, after `networkDomain` and the data file's `dataApiDomain`.
public struct PlatformHosts: Sendable, Hashable {
  /// The port of the event stream.
  public static let eventsPort = 8_110

  /// The host of the data file.
  public let configuration: String
  /// The host of the event stream, on ``eventsPort``.
  public let events: String
  /// The host of tracking, remote data and remote visitor data.
  public private(set) var data: String
  /// The host of access tokens.
  public let accessToken: String

  private let networkDomain: NetworkDomain?

  /// The platform's own hosts, or those of a domain.
  public init(networkDomain: NetworkDomain? = nil) {
    self.networkDomain = networkDomain
    guard let domain = networkDomain?.name else {
      configuration = "sdk-config.kameleoon.eu"
      events = "events.kameleoon.eu"
      data = "data.kameleoon.io"
      accessToken = "api.kameleoon.com"
      return
    }
    configuration = "sdk-config.\(domain)"
    events = "events.\(domain)"
    data = "data.\(domain)"
    accessToken = "api.\(domain)"
  }

  /// Takes over `configuration.dataApiDomain` of a data file that is put in use.
  ///
  /// Without a network domain the value becomes the data host; with one, the value's first label
  /// replaces the first label of the data host. Nil and empty leave the host as it is.
  ///
  /// - Returns: False if the value is no host name; it changes nothing then, so that a damaged file
  ///   cannot send data elsewhere than to a host.
  @discardableResult
  public mutating func apply(dataApiDomain: String?) -> Bool {
    guard let value = dataApiDomain, !value.isEmpty else { return true }
    guard HostName.isValid(value, labels: 1...NetworkDomain.mostLabels) else { return false }
    guard networkDomain != nil else {
      data = value
      return true
    }
    data = String(value.prefix { $0 != "." }) + data.drop { $0 != "." }
    return true
  }
}
