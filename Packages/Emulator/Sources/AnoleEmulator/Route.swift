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
  /// Every other path; answered with 404.
  case unknown = "unknown"

  /// The name used on the control endpoint.
  public var description: String { rawValue }

  /// The only method that the route answers; nil where the path is unknown.
  var method: String? {
    switch self {
    case .dataFile, .stream, .visitorData, .remoteData: "GET"
    case .tracking, .token: "POST"
    case .unknown: nil
    }
  }

  init(path: String) {
    switch path {
    case "/sse": self = .stream
    case "/visit/events": self = .tracking
    case "/visit/visitor": self = .visitorData
    case "/map/map": self = .remoteData
    case "/oauth/token": self = .token
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
