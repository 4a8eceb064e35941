// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// The transport of production, for a server on this machine.
struct LoopbackTransport: Sendable {
  #if canImport(Darwin)
    let inner: any HTTPTransport = URLSessionTransport(userAgent: HTTPUserAgent("replay"))

    func shutdown() {}
  #else
    private let curl: CurlTransport

    /// Made for many scenarios at once: each has a server of its own.
    init() {
      curl = CurlTransport(CurlTransport.Configuration(proxy: .none, maximumConnections: 256))
    }

    var inner: any HTTPTransport { curl }

    func shutdown() { curl.shutdown() }
  #endif
}
