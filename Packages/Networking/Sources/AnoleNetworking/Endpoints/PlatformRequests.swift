// SPDX-License-Identifier: Apache-2.0

/// Builds the requests to the platform with their headers; section 1.5 of the network
/// specification.
///
/// `Authorization: Bearer` is added by ``RequestSender``.
public struct PlatformRequests: Sendable, Hashable {
  /// The default of the time limit of an attempt.
  public static let defaultTimeout: Duration = .seconds(10)

  /// The addresses.
  public var urls: PlatformURLs
  /// The text of `User-Agent`.
  public let userAgent: UserAgent
  /// The limit of one attempt.
  public let timeout: Duration

  /// Makes a builder.
  public init(
    urls: PlatformURLs, userAgent: UserAgent, timeout: Duration = PlatformRequests.defaultTimeout
  ) {
    self.urls = urls
    self.userAgent = userAgent
    self.timeout = timeout
  }

  /// Fetches the data file.
  ///
  /// - Parameters:
  ///   - timestamp: The `ts` of the event that caused the fetch; nil for other fetches.
  ///   - validators: Those of the copy at hand; nil to fetch without condition.
  public func configuration(
    timestamp: Int64? = nil, validators: CacheValidators? = nil
  ) -> HTTPRequest {
    var request = get(urls.configuration(timestamp: timestamp))
    request.headers["X-Kameleoon-SDK-Type"] = urls.identity.name
    request.headers["X-Kameleoon-SDK-Version"] = urls.identity.version
    validators?.add(to: &request.headers)
    return request
  }

  /// Opens the event stream.
  public func events() -> HTTPRequest {
    var request = get(urls.events())
    request.headers["Accept"] = "text/event-stream"
    request.headers["Cache-Control"] = "no-cache"
    request.headers["Connection"] = "Keep-Alive"
    request.timeout = nil
    return request
  }

  /// Sends events.
  public func tracking(body: [UInt8]) -> HTTPRequest {
    var request = post(urls.tracking(), body: body)
    request.headers["Content-Type"] = "*/*"
    return request
  }

  /// Fetches data of a visitor; `timeout` is the call's own limit, nil for the default.
  public func visitorData(_ query: VisitorDataQuery, timeout: Duration? = nil) -> HTTPRequest {
    get(urls.visitorData(query), timeout: timeout)
  }

  /// Fetches remote data or a warehouse audience; `timeout` is the call's own limit, nil for the
  /// default.
  public func mapData(key: String, timeout: Duration? = nil) -> HTTPRequest {
    get(urls.mapData(key: key), timeout: timeout)
  }

  /// Asks for an access token; `timeout` is the limit of the request that needs it, nil for the
  /// default.
  public func accessToken(
    _ credentials: ClientCredentials, timeout: Duration? = nil
  ) -> HTTPRequest {
    var request = post(
      urls.accessToken(), body: Array("grant_type=client_credentials".utf8), timeout: timeout)
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    request.headers["Authorization"] = credentials.basicAuthorization
    return request
  }

  private func get(_ url: String, timeout: Duration? = nil) -> HTTPRequest {
    HTTPRequest(url: url, headers: userAgentHeader, timeout: timeout ?? self.timeout)
  }

  private func post(_ url: String, body: [UInt8], timeout: Duration? = nil) -> HTTPRequest {
    HTTPRequest(
      method: .post, url: url, headers: userAgentHeader, body: body,
      timeout: timeout ?? self.timeout)
  }

  private var userAgentHeader: HTTPHeaders { ["User-Agent": userAgent.text] }
}
