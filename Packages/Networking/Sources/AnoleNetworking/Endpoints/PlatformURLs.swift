// SPDX-License-Identifier: Apache-2.0

/// Builds the addresses of the platform's endpoints for one site.
///
/// | purpose | path and query |
/// | --- | --- |
/// | data file | `/v3/<site>` `[?environment=…][&ts=…]` |
/// | event stream | `/sse?siteCode=…`, port 8110 |
/// | tracking | `/visit/events?sdkName=…&sdkVersion=…&siteCode=…&bodyUa=true` |
/// | remote visitor data | `/visit/visitor?…`, see ``VisitorDataQuery`` |
/// | remote data, warehouse audience | `/map/map?siteCode=…&key=…` |
/// | access token | `/oauth/token?sdkName=…&sdkVersion=…&siteCode=…` |
public struct PlatformURLs: Sendable, Hashable {
  /// The site code.
  public let siteCode: String
  /// The environment; nil or empty for the platform's default.
  public let environment: String?
  /// Name and version of the client.
  public let identity: ClientIdentity
  /// The hosts.
  public var hosts: PlatformHosts
  /// Other places for single endpoints, for tests and the emulator; client libraries do not make
  /// this settable by applications.
  public var overrides: [PlatformEndpoint: EndpointAddress]

  /// Makes a builder.
  public init(
    siteCode: String, environment: String? = nil, identity: ClientIdentity,
    hosts: PlatformHosts = PlatformHosts(), overrides: [PlatformEndpoint: EndpointAddress] = [:]
  ) {
    self.siteCode = siteCode
    self.environment = environment
    self.identity = identity
    self.hosts = hosts
    self.overrides = overrides
  }

  /// The data file.
  ///
  /// - Parameter timestamp: The `ts` of the event that caused the fetch; nil for other fetches.
  public func configuration(timestamp: Int64? = nil) -> String {
    var query = QueryText()
    query.append("environment", environment)
    query.append("ts", timestamp)
    return url(.configuration, "/v3/\(PercentEncoding.encode(siteCode))", query.text)
  }

  /// The event stream.
  public func events() -> String {
    var query = QueryText()
    query.append("siteCode", siteCode)
    return url(.events, "/sse", query.text)
  }

  /// Tracking.
  public func tracking() -> String {
    var query = identityQuery()
    query.append("bodyUa", flag: true)
    return url(.tracking, "/visit/events", query.text)
  }

  /// Remote visitor data.
  public func visitorData(_ query: VisitorDataQuery) -> String {
    url(.visitorData, "/visit/visitor", query.text(siteCode: siteCode))
  }

  /// Remote data or a warehouse audience by its key.
  public func mapData(key: String) -> String {
    var query = QueryText()
    query.append("siteCode", siteCode)
    query.append("key", key)
    return url(.mapData, "/map/map", query.text)
  }

  /// Access tokens.
  public func accessToken() -> String {
    url(.accessToken, "/oauth/token", identityQuery().text)
  }

  private func identityQuery() -> QueryText {
    var query = QueryText()
    query.append("sdkName", identity.name)
    query.append("sdkVersion", identity.version)
    query.append("siteCode", siteCode)
    return query
  }

  private func url(_ endpoint: PlatformEndpoint, _ path: String, _ query: String) -> String {
    let address = overrides[endpoint] ?? standardAddress(endpoint)
    return address.text + path + (query.isEmpty ? "" : "?\(query)")
  }

  private func standardAddress(_ endpoint: PlatformEndpoint) -> EndpointAddress {
    switch endpoint {
    case .configuration: secure(hosts.configuration)
    case .events: secure(hosts.events, port: PlatformHosts.eventsPort)
    case .tracking, .visitorData, .mapData: secure(hosts.data)
    case .accessToken: secure(hosts.accessToken)
    }
  }

  private func secure(_ host: String, port: Int? = nil) -> EndpointAddress {
    EndpointAddress(scheme: "https", host: host, port: port)
  }
}
