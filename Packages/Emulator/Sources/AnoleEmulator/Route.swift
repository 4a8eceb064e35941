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
  /// `POST /ofrep/v1/evaluate/flags/<key>`: the evaluation of one flag.
  case evaluation = "ofrep"
  /// `POST /ofrep/v1/evaluate/flags`: the evaluation of all flags.
  case bulkEvaluation = "ofrepBulk"
  /// Every other path; answered with 404.
  case unknown = "unknown"

  /// The name used on the control endpoint.
  public var description: String { rawValue }

  /// The only method that the route answers; nil where the path is unknown.
  var method: String? {
    switch self {
    case .dataFile, .stream, .visitorData, .remoteData: "GET"
    case .tracking, .token, .featureFlags, .registerUser, .registerDevice, .postEvent, .evaluation,
      .bulkEvaluation:
      "POST"
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

  /// Whether the route evaluates flags by the OpenFeature Remote Evaluation Protocol.
  var isEvaluation: Bool { self == .evaluation || self == .bulkEvaluation }

  private static let evaluationPath = "/ofrep/v1/evaluate/flags"

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
    case Self.evaluationPath: self = .bulkEvaluation
    case _ where Self.flagText(inPath: path) != nil: self = .evaluation
    default: self = Self.siteCode(inPath: path) == nil ? .unknown : .dataFile
    }
  }

  /// The decoded key of `/ofrep/v1/evaluate/flags/<key>`; nil for another path and a bad encoding.
  static func flagKey(inPath path: String) -> String? {
    flagText(inPath: path).flatMap(PercentEncoding.decode)
  }

  /// The key as it is written; clients leave slashes in it as they are.
  private static func flagText(inPath path: String) -> Substring? {
    guard path.hasPrefix(evaluationPath + "/") else { return nil }
    let text = path.dropFirst(evaluationPath.count + 1)
    return text.isEmpty ? nil : text
  }

  /// The decoded site code of `/v3/<siteCode>`, or nil for another path.
  static func siteCode(inPath path: String) -> String? {
    guard path.hasPrefix("/v3/") else { return nil }
    let rest = path.dropFirst(4)
    guard !rest.isEmpty, !rest.contains("/") else { return nil }
    return PercentEncoding.decode(rest)
  }
}
