// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking

/// The way to the platform: addresses in force, access tokens, and who sends.
///
/// Any thread may call.
final class Platform: Sendable {
  /// Sends requests with tokens and attempts.
  let sender: RequestSender
  /// Gives access tokens; nil without credentials.
  let tokens: AccessTokenSource?
  private let current: Lock<PlatformRequests>

  init(siteCode: String, settings: EffectiveConfiguration, services: EngineServices) {
    let requests = PlatformRequests(
      urls: PlatformURLs(
        siteCode: siteCode, environment: settings.environment, identity: services.identity,
        hosts: PlatformHosts(networkDomain: settings.networkDomain), overrides: services.endpoints),
      userAgent: services.userAgent ?? UserAgent(services.deviceInfo), timeout: settings.timeout)
    current = Lock(requests)
    let tokens = settings.credentials.map { credentials in
      // Tokens come from a host that no data file changes.
      AccessTokenSource(
        transport: services.transport, clock: services.clock,
        report: { KameleoonLogger.write(.warning, "\($0)") },
        request: { requests.accessToken(credentials, timeout: $0) })
    }
    self.tokens = tokens
    sender = RequestSender(transport: services.transport, tokens: tokens, clock: services.clock)
  }

  /// Builds requests with the addresses in force.
  var requests: PlatformRequests { current.withLock { $0 } }

  /// Takes over the data host of a data file that is put in use.
  func apply(dataAPIDomain: String?) {
    let isValid = current.withLock { $0.urls.hosts.apply(dataApiDomain: dataAPIDomain) }
    if !isValid {
      KameleoonLogger.write(
        .error, "the data file's dataApiDomain is no host name; the present host stays in use")
    }
  }

  /// Cancels a token request under way.
  func close() async { await tokens?.shutdown() }
}
