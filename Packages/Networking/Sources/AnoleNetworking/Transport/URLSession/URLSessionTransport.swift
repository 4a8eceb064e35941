// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

  public import Foundation

  /// Sends requests by `URLSession`, with the contract of ``HTTPTransport``.
  ///
  /// Connections, proxies, HTTP/2 and the trust in certificates are the system's. Redirects follow the
  /// same rules as elsewhere: the session is told not to follow, and the transport asks again itself.
  /// The limit for connecting is not known to `URLSession`; ``HTTPRequest/timeout`` covers it.
  ///
  /// Threading: all members may be used from any thread.
  ///
  /// - Important: Not yet built or tested on an Apple system.
  public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: SessionDelegate
    private let userAgent: HTTPUserAgent
    private let requestHeaders: @Sendable (HTTPRequest) -> HTTPHeaders

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - configuration: The session's settings; cookies and caches are switched off in a copy of it.
    ///   - userAgent: The `User-Agent` of requests that have none of their own.
    ///   - requestHeaders: Gives headers for a request, beside its own: a name that the request has
    ///     itself wins.
    public init(
      configuration: URLSessionConfiguration = .ephemeral, userAgent: HTTPUserAgent = .standard(),
      requestHeaders: @escaping @Sendable (HTTPRequest) -> HTTPHeaders = { _ in [:] }
    ) {
      let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
      own.httpCookieStorage = nil
      own.httpShouldSetCookies = false
      own.urlCache = nil
      own.urlCredentialStorage = nil
      own.requestCachePolicy = .reloadIgnoringLocalCacheData
      own.tlsMinimumSupportedProtocolVersion = .TLSv12
      own.httpMaximumConnectionsPerHost = 4
      delegate = SessionDelegate()
      session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
      self.userAgent = userAgent
      self.requestHeaders = requestHeaders
    }

    deinit {
      session.finishTasksAndInvalidate()
    }

    /// Sends a request and reads the whole answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, of any status.
    /// - Throws: ``HTTPError``.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let stream = try await open(request)
      var body: [UInt8] = []
      do {
        for try await piece in stream.body { body += piece }
      } catch let error as HTTPError {
        throw error
      } catch {
        throw HTTPError(code: .other, message: "the body could not be read")
      }
      // A cancelled iteration may end without an error.
      if Task.isCancelled { throw SessionDelegate.cancelled }
      return HTTPResponse(status: stream.status, headers: stream.headers, body: body)
    }

    /// Sends a request and hands out the answer's body as it arrives; returns with its head.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, of any status.
    /// - Throws: ``HTTPError`` if no head arrives. What fails later is thrown by the body.
    public func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
      let outgoing = try OutgoingRequest(request, adding: requestHeaders(request))
      let exchange = SessionExchange(request, RedirectPlan(outgoing))
      let (session, delegate, userAgent) = (session, delegate, userAgent)
      let result = await withTaskCancellationHandler {
        delegate.start(exchange, in: session, userAgent: userAgent.description)
        return await exchange.pipe.head()
      } onCancel: {
        exchange.fail(SessionDelegate.cancelled)
      }
      let head = try result.get()
      let reader = Reader(exchange)
      let body = AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }
      return HTTPStream(status: head.status, headers: head.headers, body: body)
    }

    /// Fails all requests under way with ``HTTPError/Code/cancelled``.
    ///
    /// Idempotent.
    public func shutdown() {
      delegate.failAll(SessionDelegate.shutDown)
      session.invalidateAndCancel()
    }
  }

  /// The consumer's end of a stream; cancels the transfer when it is released.
  private final class Reader: Sendable {
    private let exchange: SessionExchange

    init(_ exchange: SessionExchange) {
      self.exchange = exchange
    }

    deinit {
      exchange.fail(SessionDelegate.cancelled)
    }

    func next() async throws -> [UInt8]? {
      let exchange = exchange
      let result = await withTaskCancellationHandler {
        await exchange.pipe.next { exchange.resume() }
      } onCancel: {
        exchange.fail(SessionDelegate.cancelled)
      }
      return try result.get()
    }
  }

#endif
