// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  public import AnoleConcurrency

  /// Sends requests by libcurl.
  ///
  /// One thread per transport does all the work; it starts with the first request and sleeps while there is
  /// none. Connections are kept and used again, HTTP/2 is used over TLS where the server offers it.
  ///
  /// | what | rule |
  /// | --- | --- |
  /// | Time limit | milliseconds of ``HTTPRequest/timeout`` from the call to the last byte, over all redirects and waiting for a free connection; zero and less has passed already |
  /// | Limit for connecting | from the look-up of the name until the connection stands, TLS included |
  /// | Redirects | 301, 302, 303, 307, 308, at most 8; another scheme, host or port receives no `Authorization`, `Proxy-Authorization`, `Cookie` and `Host` of the request; only http and https |
  /// | Bodies | decoded from gzip and deflate, once; what ends early or is damaged fails; ``HTTPRequest/maximumBodySize`` counts decoded bytes while they arrive |
  /// | Headers | at most 256 KiB for all heads of an answer; trailers are ignored |
  /// | Streams | at most 256 KiB wait for the consumer; then reading stops, and TCP slows the server down |
  /// | HTTP/2 | over TLS where the server offers it; requests share a connection, and one that is broken off ends no other |
  /// | TLS | 1.2 or newer; certificate and host name are always checked |
  /// | Repetition | a request on a kept connection that the server closed without an answer is sent once more on a new one |
  ///
  /// Threading: all members may be used from any thread. A transport that is released while requests are
  /// under way lives until they have ended. Signal handlers of the process stay as they are.
  public final class CurlTransport: HTTPTransport {
    private let configuration: Configuration
    private let loop: CurlLoop

    /// Makes a transport; opens nothing yet.
    ///
    /// - Parameter configuration: The settings.
    public convenience init(_ configuration: Configuration = Configuration()) {
      self.init(configuration, onStage: nil)
    }

    /// For tests: `onStage` is called on the loop's thread.
    init(_ configuration: Configuration, onStage: (@Sendable (CurlSettings.Stage) -> Void)?) {
      self.configuration = configuration
      var settings = configuration.settings
      settings.onStage = onStage
      loop = CurlLoop(settings)
    }

    deinit {
      loop.close(waits: false)
    }

    // MARK: Sending

    /// Sends a request and reads the whole answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, of any status.
    /// - Throws: ``HTTPError``; ``HTTPError/Code/cancelled`` when the task is cancelled, which ends the
    ///   transfer at once in every stage.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let outgoing = try prepare(request)
      let mailbox = Mailbox()
      let ticket = TransferTicket(
        request, as: outgoing, receiver: .answer { mailbox.put($0) })
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          mailbox.wait(continuation)
          loop.start(ticket, owner: self)
        }
      } onCancel: {
        loop.cancel(ticket)
      }
      return try result.get()
    }

    /// Sends a request and hands out the answer's body as it arrives; returns with its head.
    ///
    /// The transport lives until the stream is read to its end or released.
    ///
    /// - Parameter request: The request; its time limit, if it has one, is for the whole body.
    /// - Returns: The answer, of any status.
    /// - Throws: ``HTTPError`` if no head arrives. What fails later is thrown by the body.
    public func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
      let outgoing = try prepare(request)
      let pipe = BodyPipe()
      let ticket = TransferTicket(request, as: outgoing, receiver: .stream(pipe))
      let loop = loop
      let result = await withTaskCancellationHandler {
        loop.start(ticket, owner: self)
        return await pipe.head()
      } onCancel: {
        loop.cancel(ticket)
      }
      let head = try result.get()
      let reader = StreamReader(
        pipe: pipe, ticket: ticket, loop: loop, origin: head.origin,
        decoder: ContentDecoder(head.headers, limit: ticket.maximumBodySize))
      let body = AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }
      return HTTPStream(status: head.status, headers: head.headers, body: body)
    }

    /// Sends a request and reports its end to a closure.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - executor: Where the completion runs.
    ///   - completion: Called exactly once, with the answer or an ``HTTPError``.
    /// - Returns: Cancels the request.
    @discardableResult
    public func send(
      _ request: HTTPRequest, executor: any CallbackExecutor,
      completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> HTTPCancellation {
      let outgoing: OutgoingRequest
      do {
        outgoing = try prepare(request)
      } catch {
        executor.execute { completion(.failure(error)) }
        return HTTPCancellation {}
      }
      let ticket = TransferTicket(
        request, as: outgoing,
        receiver: .answer { result in executor.execute { completion(result) } })
      loop.start(ticket, owner: self)
      return HTTPCancellation { [loop] in loop.cancel(ticket) }
    }

    /// Fails all requests under way with ``HTTPError/Code/cancelled``, closes the connections and
    /// ends the thread.
    ///
    /// Later requests fail the same way.
    ///
    /// Returns when the thread has ended, which takes no longer than closing sockets; further calls do
    /// nothing. On the transport's own thread (an executor that runs at once) it does not wait.
    public func shutdown() {
      loop.close(waits: true)
    }

    private func prepare(_ request: HTTPRequest) throws(HTTPError) -> OutgoingRequest {
      try OutgoingRequest(request, adding: configuration.requestHeaders(request))
    }
  }

  /// Hands an answer to the task that waits; the continuation is stored before the request starts.
  private final class Mailbox: Sendable {
    typealias Waiter = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    private let waiter = Lock<Waiter?>(nil)

    func wait(_ continuation: Waiter) {
      waiter.withLock { $0 = continuation }
    }

    func put(_ result: Result<HTTPResponse, HTTPError>) {
      let waiter = waiter.withLock { waiter -> Waiter? in
        defer { waiter = nil }
        return waiter
      }
      waiter?.resume(returning: result)
    }
  }

  /// The consumer's end of a stream: decodes what it takes, and closes the connection when it is released.
  private final class StreamReader: Sendable {
    private let pipe: BodyPipe
    private let ticket: TransferTicket
    private let loop: CurlLoop
    private let origin: String
    private let decoder: Lock<ContentDecoder?>
    private let isEncoded: Bool

    init(
      pipe: BodyPipe, ticket: TransferTicket, loop: CurlLoop, origin: String,
      decoder: consuming sending ContentDecoder?
    ) {
      self.pipe = pipe
      self.ticket = ticket
      self.loop = loop
      self.origin = origin
      isEncoded = decoder != nil
      self.decoder = Lock(decoder)
    }

    deinit {
      loop.cancel(ticket)
    }

    func next() async throws -> [UInt8]? {
      guard isEncoded else { return try await nextPiece() }
      while true {
        if let decoded = try decode({ decoder throws(HTTPError) in try decoder?.next() }) {
          return decoded
        }
        guard let piece = try await nextPiece() else {
          try decode { decoder throws(HTTPError) in try decoder?.finish() }
          return nil
        }
        decoder.withLock { $0?.receive(piece) }
      }
    }

    private func nextPiece() async throws(HTTPError) -> [UInt8]? {
      let result = await withTaskCancellationHandler {
        await pipe.next { loop.resume(ticket) }
      } onCancel: {
        loop.cancel(ticket)
      }
      return try result.get()
    }

    /// Uses the decoder; its failure is that of the stream, and ends the transfer.
    private func decode<Result: Sendable>(
      _ body: (inout ContentDecoder?) throws(HTTPError) -> Result
    ) throws(HTTPError) -> Result {
      do throws(HTTPError) {
        return try decoder.withLock { decoder throws(HTTPError) in try body(&decoder) }
      } catch {
        loop.cancel(ticket)
        throw error.at(origin)
      }
    }
  }

#endif
