// SPDX-License-Identifier: Apache-2.0

/// What a recorded request asks for; the raw values are those of the recordings.
package enum WireEndpoint: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// The data file.
  case configuration = "config"
  /// The event stream.
  case events = "sse"
  /// Tracking.
  case tracking
  /// What the platform knows of a visitor.
  case visitorData
  /// Remote data and warehouse audiences.
  case remoteData
  /// Access tokens.
  case token

  package var description: String { rawValue }

  /// The endpoint that a path belongs to; nil for a path that the platform does not have.
  package init?(path: String) {
    switch path {
    case "/sse": self = .events
    case "/visit/events": self = .tracking
    case "/visit/visitor": self = .visitorData
    case "/map/map": self = .remoteData
    case "/oauth/token": self = .token
    default:
      guard path.hasPrefix("/v3/") else { return nil }
      self = .configuration
    }
  }
}
