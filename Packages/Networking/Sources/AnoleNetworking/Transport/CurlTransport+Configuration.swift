// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  extension CurlTransport {
    /// The settings of a transport.
    public struct Configuration: Sendable {
      /// The default of ``maximumConnectionsPerHost``: measured, more brings nothing.
      public static let defaultConnectionsPerHost = 4
      /// The default of ``maximumConnections``: the platform has four hosts.
      public static let defaultConnections = 16

      /// The `User-Agent` of requests that have none of their own.
      public var userAgent: HTTPUserAgent
      /// A file of trusted certificates (PEM), in place of the system's; nil for the system's.
      public var caFile: String?
      /// The proxy; that of the environment by default.
      public var proxy: HTTPProxy
      /// The greatest number of connections to one scheme, host and port; at least 1.
      ///
      /// Each request under way has one, a stream until it ends; further requests wait in their order. Over
      /// HTTP/2 they may share a connection, but no more than this number is under way.
      public var maximumConnectionsPerHost: Int
      /// The greatest number of connections; at least 1.
      ///
      /// Further requests wait.
      public var maximumConnections: Int
      /// Gives headers for a request, beside its own: a name that the request has itself wins.
      ///
      /// Called once per request, on the thread that sends it; not again for redirects.
      public var requestHeaders: @Sendable (HTTPRequest) -> HTTPHeaders

      /// Makes settings.
      public init(
        userAgent: HTTPUserAgent = .standard(), caFile: String? = nil,
        proxy: HTTPProxy = .environment(),
        maximumConnectionsPerHost: Int = Configuration.defaultConnectionsPerHost,
        maximumConnections: Int = Configuration.defaultConnections,
        requestHeaders: @escaping @Sendable (HTTPRequest) -> HTTPHeaders = { _ in [:] }
      ) {
        self.userAgent = userAgent
        self.caFile = caFile
        self.proxy = proxy
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.maximumConnections = maximumConnections
        self.requestHeaders = requestHeaders
      }

      var settings: CurlSettings {
        CurlSettings(
          userAgent: userAgent.description, caFile: caFile, proxy: proxy,
          maximumConnectionsPerHost: max(1, maximumConnectionsPerHost),
          maximumConnections: max(1, maximumConnections), onStage: nil)
      }
    }
  }

#endif
