// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import kameleoonClient

/// Makes clients of one site as an application does, but with their state in memory: nothing is left
/// behind.
struct ClientDesk: Sendable {
  /// Where the clients ask.
  struct Place: Sendable {
    var siteCode: String
    /// The address of a platform; nil for the vendor's.
    var endpoint: EndpointAddress?
    var environment: String?
    var networkDomain: String?
    var timeoutMilliseconds: Int?
    var caFile: String?
  }

  private let place: Place
  private let config: KameleoonClientConfig
  private let options: ClientOptions

  init(_ place: Place, in environment: Environment) {
    self.place = place
    config = KameleoonClientConfig(
      defaultTimeoutMillisecond: place.timeoutMilliseconds, environment: place.environment,
      networkDomain: place.networkDomain)
    var options = ClientOptions(
      proxy: .reaching(place.endpoint?.host), caFile: place.caFile, store: .memory,
      clock: environment.clock,
      wallClock: environment.wallClock,
      callbackExecutor: SerialCallbackExecutor(label: "demo-cli.client"),
      deviceInfo: TerminalDevice())
    if let endpoint = place.endpoint {
      for each in PlatformEndpoint.allCases { options.endpoints[each] = endpoint }
    }
    self.options = options
  }

  /// A client for a visitor, with a data file in force; the caller closes it.
  ///
  /// - Throws: a sentence if no data file comes.
  func readyClient(_ visitorCode: String) async throws(Failure) -> any AnoleClient {
    let client: any AnoleClient
    do {
      client = try KameleoonClientFactory.create(
        siteCode: place.siteCode, visitorCode: visitorCode, config: config, options: options)
    } catch {
      throw Failure("\(error)")
    }
    do {
      try await client.runWhenReady()
      return client
    } catch {
      let health = await client.health
      await client.close()
      guard !(error is CancellationError) else { throw .interrupted }
      throw .network(Self.sentence(health, place))
    }
  }

  private static func sentence(_ health: ClientHealth, _ place: Place) -> String {
    var reason = "no answer in time"
    if case .failed(let message)? = health.lastFetch?.outcome { reason = message }
    let site = Printable.quote(place.siteCode)
    return "no data file of site \(site) has come: \(reason); check the address, the site code "
      + "and the network"
  }
}

/// The device of somebody at a terminal, of whom nothing is told.
private struct TerminalDevice: DeviceInfo {
  let device: kameleoonClient.Device? = nil
  let osName = ""
  let osVersion = ""
  let model: String? = nil
  let language = "en"
  let timeZoneOffset = 0
  let appVersion: String? = Program.version
}
