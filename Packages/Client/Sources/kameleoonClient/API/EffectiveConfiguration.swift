// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// The settings in force, after the rules of the network specification, section 7.1.
struct EffectiveConfiguration: Sendable, Hashable {
  /// A sentence for the log.
  struct Remark: Sendable, Hashable {
    let level: LogLevel
    let text: String
  }

  /// What requests that need an access token are made with; nil for none.
  let credentials: ClientCredentials?
  /// The time between fetches of the configuration.
  let refreshInterval: Duration
  /// How long data of the visitor are kept; nil for ever.
  let dataExpiration: Duration?
  /// The limit of one attempt of a request, and of waiting for readiness.
  let timeout: Duration
  /// The time between reports.
  let trackingInterval: Duration
  /// The time between signs of activity; nil for none after the first.
  let activityInterval: Duration?
  /// The environment; nil for the platform's default.
  let environment: String?
  /// Whether the visitor code is the user's own identifier.
  let isUniqueIdentifier: Bool
  /// The domain that requests go through; nil for the platform's own.
  let networkDomain: NetworkDomain?
  /// The text of a data file to start with; nil for none.
  let defaultDataFile: String?
  /// What is not as it was given.
  let remarks: [Remark]

  init(_ config: KameleoonClientConfig) {
    let refresh = ParameterValues.refreshInterval(minutes: config.refreshIntervalMinute)
    let limit = ParameterValues.timeout(milliseconds: config.defaultTimeoutMillisecond)
    let tracking = ParameterValues.trackingInterval(
      milliseconds: config.trackingIntervalMillisecond)
    let activity = ParameterValues.activityInterval(
      milliseconds: config.activityTrackingIntervalMillisecond)
    let domain = NetworkDomain.read(config.networkDomain)
    credentials = ClientCredentials(id: config.clientId, secret: config.clientSecret)
    refreshInterval = refresh.value
    dataExpiration = ParameterValues.dataExpiration(minutes: config.dataExpirationIntervalMinute)
    timeout = limit.value
    trackingInterval = tracking.value
    activityInterval = activity.value
    environment = config.environment.flatMap { $0.isEmpty ? nil : $0 }
    isUniqueIdentifier = config.isUniqueIdentifier ?? false
    networkDomain = domain.domain
    defaultDataFile = config.defaultDataFile.flatMap { $0.isEmpty ? nil : $0 }
    let warnings = [refresh.warning, limit.warning, tracking.warning, activity.warning]
      .compactMap { $0 }
    remarks =
      warnings.map { Remark(level: .warning, text: $0) }
      + [domain.diagnostic?.remark, Self.credentialsRemark(config)].compactMap { $0 }
  }

  /// Logs what is not as it was given.
  func logRemarks() {
    for remark in remarks { KameleoonLogger.write(remark.level, remark.text) }
  }

  private static func credentialsRemark(_ config: KameleoonClientConfig) -> Remark? {
    let hasID = !(config.clientId ?? "").isEmpty
    let hasSecret = !(config.clientSecret ?? "").isEmpty
    guard hasID != hasSecret else { return nil }
    let missing = hasID ? "clientSecret" : "clientId"
    return Remark(
      level: .warning,
      text: "\(missing) is missing; without it requests go out without access token")
  }
}

extension NetworkDomain.Diagnostic {
  fileprivate var remark: EffectiveConfiguration.Remark {
    let level =
      switch self {
      case .schemeRemoved: LogLevel.warning
      case .invalid: LogLevel.error
      }
    return EffectiveConfiguration.Remark(level: level, text: description)
  }
}
