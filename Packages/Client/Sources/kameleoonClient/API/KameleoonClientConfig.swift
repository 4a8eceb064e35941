// SPDX-License-Identifier: Apache-2.0

/// The settings of a client, as they are given.
///
/// Nothing is checked here; values that are not allowed are replaced, with a warning in the log, when a
/// client is made with them.
///
/// | setting | default | rule |
/// | --- | --- | --- |
/// | `clientId`, `clientSecret` | none | both or none |
/// | `refreshIntervalMinute` | 60 | at least 1, otherwise the default |
/// | `dataExpirationIntervalMinute` | never | 0 and less: never |
/// | `defaultTimeoutMillisecond` | 10,000 | at least 1, otherwise the default |
/// | `trackingIntervalMillisecond` | 1,000 | 1,000…5,000, otherwise the nearest of them |
/// | `environment` | none | empty counts as none; the platform serves production then |
/// | `isUniqueIdentifier` | false | |
/// | `networkDomain` | none | a domain or `localhost`, otherwise none |
/// | `defaultDataFile` | none | JSON; used while no newer file is stored |
/// | `activityTrackingIntervalMillisecond` | 60,000 | 0 for none; otherwise at least 60,000, or the default |
public struct KameleoonClientConfig: Sendable, Hashable {
  /// The id for requests that need an access token.
  public let clientId: String?
  /// The secret for requests that need an access token.
  public let clientSecret: String?
  /// The time between fetches of the configuration, in minutes.
  public let refreshIntervalMinute: Int?
  /// How long data of the visitor are kept, in minutes.
  public let dataExpirationIntervalMinute: Int?
  /// The limit of one request and of waiting for readiness, in milliseconds.
  public let defaultTimeoutMillisecond: Int?
  /// The time between reports, in milliseconds.
  public let trackingIntervalMillisecond: Int?
  /// The environment whose flags are served.
  public let environment: String?
  /// Whether the visitor code is the user's own identifier.
  public let isUniqueIdentifier: Bool?
  /// A domain of the project's own that requests go through.
  public let networkDomain: String?
  /// The text of a data file to start with.
  public let defaultDataFile: String?
  /// The time between signs of activity, in milliseconds.
  public let activityTrackingIntervalMillisecond: Int?

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - clientId: The id for requests that need an access token.
  ///   - clientSecret: The secret for requests that need an access token.
  ///   - refreshIntervalMinute: The time between fetches of the configuration, in minutes.
  ///   - dataExpirationIntervalMinute: How long data of the visitor are kept, in minutes.
  ///   - defaultTimeoutMillisecond: The limit of one request, in milliseconds.
  ///   - trackingIntervalMillisecond: The time between reports, in milliseconds.
  ///   - environment: The environment whose flags are served.
  ///   - isUniqueIdentifier: Whether the visitor code is the user's own identifier.
  ///   - networkDomain: A domain of the project's own that requests go through.
  ///   - defaultDataFile: The text of a data file to start with.
  ///   - activityTrackingIntervalMillisecond: The time between signs of activity, in milliseconds.
  public init(
    clientId: String? = nil, clientSecret: String? = nil, refreshIntervalMinute: Int? = nil,
    dataExpirationIntervalMinute: Int? = nil, defaultTimeoutMillisecond: Int? = nil,
    trackingIntervalMillisecond: Int? = nil, environment: String? = nil,
    isUniqueIdentifier: Bool? = nil, networkDomain: String? = nil, defaultDataFile: String? = nil,
    activityTrackingIntervalMillisecond: Int? = nil
  ) {
    self.clientId = clientId
    self.clientSecret = clientSecret
    self.refreshIntervalMinute = refreshIntervalMinute
    self.dataExpirationIntervalMinute = dataExpirationIntervalMinute
    self.defaultTimeoutMillisecond = defaultTimeoutMillisecond
    self.trackingIntervalMillisecond = trackingIntervalMillisecond
    self.environment = environment
    self.isUniqueIdentifier = isUniqueIdentifier
    self.networkDomain = networkDomain
    self.defaultDataFile = defaultDataFile
    self.activityTrackingIntervalMillisecond = activityTrackingIntervalMillisecond
  }
}
