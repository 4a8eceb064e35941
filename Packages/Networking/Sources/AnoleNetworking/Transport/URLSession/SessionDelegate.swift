// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

  import AnoleConcurrency
  import Foundation

  /// Receives what the session reports, and passes it to the exchange of its task.
  final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    static let cancelled = HTTPError(code: .cancelled, message: "the request was cancelled")
    static let shutDown = HTTPError(code: .cancelled, message: "the transport was shut down")

    private struct State {
      var isClosed = false
      var exchanges: [Int: (exchange: SessionExchange, userAgent: String)] = [:]
    }

    private let state = Lock(State())

    func start(_ exchange: SessionExchange, in session: URLSession, userAgent: String) {
      exchange.startTimer()
      send(exchange, in: session, userAgent: userAgent)
    }

    func failAll(_ error: HTTPError) {
      let all = state.withLock { state in
        state.isClosed = true
        defer { state.exchanges = [:] }
        return state.exchanges.values.map(\.exchange)
      }
      for exchange in all { exchange.fail(error) }
    }

    private func send(_ exchange: SessionExchange, in session: URLSession, userAgent: String) {
      let outgoing = exchange.outgoing
      guard let url = URL(string: outgoing.address.text) else {
        return exchange.fail(HTTPError(code: .invalidRequest, message: "the URL is malformed"))
      }
      var request = URLRequest(url: url)
      request.httpMethod = outgoing.method.rawValue
      request.httpBody = outgoing.body.map { Data($0) }
      // The exchange keeps time; the session's own limit is for silence only.
      request.timeoutInterval = .greatestFiniteMagnitude
      request.httpShouldHandleCookies = false
      request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
      for field in outgoing.headers {
        request.setValue(field.value, forHTTPHeaderField: field.name)
      }
      // A session that was invalidated makes no tasks: look first.
      let task = state.withLock { state -> URLSessionDataTask? in
        guard !state.isClosed else { return nil }
        let task = session.dataTask(with: request)
        state.exchanges[task.taskIdentifier] = (exchange, userAgent)
        return task
      }
      guard let task else { return exchange.fail(Self.shutDown) }
      guard exchange.attach(task) else {
        forget(task)
        return task.cancel()
      }
      task.resume()
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
      state.withLock { $0.exchanges[task.taskIdentifier]?.exchange }
    }

    @discardableResult
    private func forget(_ task: URLSessionTask) -> (exchange: SessionExchange, userAgent: String)? {
      state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse
      else {
        return completionHandler(.cancel)
      }
      var headers: HTTPHeaders = [:]
      for case (let name as String, let value as String) in response.allHeaderFields {
        headers.append(name: name, value: value)
      }
      do {
        switch try exchange.step(status: response.statusCode, headers: headers) {
        case .final:
          exchange.pipe.receive(
            BodyPipe.HTTPHead(
              status: response.statusCode, headers: headers,
              origin: exchange.outgoing.address.origin))
          completionHandler(.allow)
        case .send:
          let entry = forget(dataTask)
          completionHandler(.cancel)
          if let entry { send(entry.exchange, in: session, userAgent: entry.userAgent) }
        }
      } catch {
        completionHandler(.cancel)
        exchange.fail(error)
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let entry = forget(task) else { return }
      guard let error else { return entry.exchange.finish(.success(())) }
      let origin = entry.exchange.outgoing.address.origin
      let code = Self.code(of: (error as? URLError)?.code)
      entry.exchange.fail(HTTPError(code: code, message: "\(origin): \(code)"))
    }

    private static func code(of code: URLError.Code?) -> HTTPError.Code {
      switch code {
      case .cannotFindHost, .dnsLookupFailed: .resolveFailed
      case .cannotConnectToHost, .notConnectedToInternet: .connectFailed
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .tlsFailed
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .networkConnectionLost: .connectionLost
      case .badServerResponse, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse,
        .zeroByteResource:
        .malformedAnswer
      case .badURL, .unsupportedURL: .invalidRequest
      default: .other
      }
    }
  }

#endif
