// SPDX-License-Identifier: Apache-2.0

/// What the platform offers over HTTP.
public enum PlatformEndpoint: Sendable, Hashable, CaseIterable {
  /// The data file.
  case configuration
  /// The stream of configuration updates.
  case events
  /// Tracking.
  case tracking
  /// What the platform knows of a visitor.
  case visitorData
  /// Remote data and warehouse audiences.
  case mapData
  /// Access tokens.
  case accessToken
}

/// Another place for an endpoint, for tests and the emulator.
public struct EndpointAddress: Sendable, Hashable {
  /// The scheme, `http` or `https`.
  public let scheme: String
  /// The host; an IPv6 address in brackets.
  public let host: String
  /// The port; nil for the scheme's own.
  public let port: Int?

  /// Makes an address.
  public init(scheme: String = "http", host: String = "127.0.0.1", port: Int?) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Scheme, host and port as they begin a URL.
  var text: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }
}
