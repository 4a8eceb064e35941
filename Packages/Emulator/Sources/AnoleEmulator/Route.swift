// SPDX-License-Identifier: Apache-2.0

/// What a request to the platform asks for; the raw values are the names used on the control endpoint.
public enum Route: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// `GET /v3/<siteCode>`: the data file.
  case dataFile = "config"
  /// `GET /sse`: the event stream.
  case stream = "sse"
  /// `POST /visit/events`: the tracking sink.
  case tracking = "tracking"
  /// `GET /visit/visitor`: what the platform knows of a visitor.
  case visitorData = "visitorData"
  /// `GET /map/map`: remote data and warehouse audiences.
  case remoteData = "remoteData"
  /// `POST /oauth/token`: access tokens.
  case token = "token"
  /// `POST /json/1.3/getFeatureFlags`: remote flags.
  case featureFlags = "featureFlags"
  /// `POST /json/1.3/registerUser`.
  case registerUser = "registerUser"
  /// `POST /json/1.3/registerDevice`.
  case registerDevice = "registerDevice"
  /// `POST /json/1.3/postEvent`: events of the device API, impressions among them.
  case postEvent = "postEvent"
  /// Every other path; answered with 404.
  case unknown = "unknown"

  /// The name used on the control endpoint.
  public var description: String { rawValue }

  /// The only method that the route answers; nil where the path is unknown.
  var method: String? {
    switch self {
    case .dataFile, .stream, .visitorData, .remoteData: "GET"
    case .tracking, .token, .featureFlags, .registerUser, .registerDevice, .postEvent: "POST"
    case .unknown: nil
    }
  }

  /// Whether the route belongs to the device API, which names no site.
  var isDeviceAPI: Bool {
    switch self {
    case .featureFlags, .registerUser, .registerDevice, .postEvent: true
    default: false
    }
  }

  init(path: String) {
    switch path {
    case "/sse": self = .stream
    case "/visit/events": self = .tracking
    case "/visit/visitor": self = .visitorData
    case "/map/map": self = .remoteData
    case "/oauth/token": self = .token
    case "/json/1.3/getFeatureFlags": self = .featureFlags
    case "/json/1.3/registerUser": self = .registerUser
    case "/json/1.3/registerDevice": self = .registerDevice
    case "/json/1.3/postEvent": self = .postEvent
    default: self = Self.siteCode(inPath: path) == nil ? .unknown : .dataFile
    }
  }

  /// The decoded site code of `/v3/<siteCode>`, or nil for another path.
  static func siteCode(inPath path: String) -> String? {
    guard path.hasPrefix("/v3/") else { return nil }
    let rest = path.dropFirst(4)
    guard !rest.isEmpty, !rest.contains("/") else { return nil }
    return PercentEncoding.decode(rest)
  }
}
