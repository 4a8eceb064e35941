// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// A server of the application's owner that stands between the device and the platform.
public struct ReverseProxy: Sendable, Hashable {
  /// The base URL in place of the platform's; for flags it has to end in `json/1.3/`.
  public var url: String
  /// Headers for every request; those of this library win over equal names.
  public var headers: [String: String]

  /// Makes a proxy.
  public init(url: String, headers: [String: String] = [:]) {
    self.url = url
    self.headers = headers
  }
}

/// What decides where a request goes and what it carries; read at the moment it is sent (RF-96).
struct ServerSettings: Sendable {
  /// The base URL where none was told by the server.
  enum Base: Sendable, Equatable {
    /// That of the application.
    case standard
    case url(String)
    case unusable
  }

  var apiToken: String?
  var base = Base.standard
  /// The base URL that the server told for the current application.
  var toldBase: String?
  var proxy: ReverseProxy?

  /// The base URL in force without what the server told; nil if there is none that can be used.
  func configuredBase(_ application: String) -> String? {
    switch base {
    case .standard: ServerAddress.standard(application: application)
    case .url(let url): url
    case .unusable: nil
    }
  }

  /// The address of a method other than the one for flags.
  func url(_ method: String, application: String) -> String? {
    let base =
      proxy.map { ServerAddress.base($0.url) } ?? toldBase ?? configuredBase(application)
    return base.map { $0 + method }
  }

  /// The address to ask for flags; nil if none can serve them (RF-92).
  func flagsURL(application: String, _ wire: some FeatureFlagWire) -> String? {
    if let proxy { return ServerAddress.base(proxy.url).flatMap(wire.url) }
    return toldBase.flatMap(wire.url) ?? configuredBase(application).flatMap(wire.url)
  }

  var headers: HTTPHeaders {
    var headers: HTTPHeaders = [:]
    let additional = proxy?.headers.sorted { $0.key.precedesByBytes($1.key) } ?? []
    for (name, value) in additional where Self.isUsable(name, value) { headers[name] = value }
    headers["Content-Type"] = "application/json; charset=utf-8"
    if let apiToken, !apiToken.isEmpty { headers["Authorization"] = "Token \(apiToken)" }
    return headers
  }

  /// The names of proxy headers that cannot be sent.
  var unusableHeaders: [String] {
    let headers = proxy?.headers ?? [:]
    return headers.filter { !Self.isUsable($0.key, $0.value) }.keys.sorted {
      $0.precedesByBytes($1)
    }
  }

  /// What the transport would refuse is left out, so that one wrong header does not stop everything.
  private static func isUsable(_ name: String, _ value: String) -> Bool {
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy {
        (0x21...0x7e).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
      }
    let isValue = value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    let isFraming = ["content-length", "transfer-encoding"].contains(name.lowercased())
    return isName && isValue && !isFraming
  }
}
