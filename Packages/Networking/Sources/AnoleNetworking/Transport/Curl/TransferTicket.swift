// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  import Synchronization

  /// A request under way, as the threads share it: what is wanted, and who waits for it.
  final class TransferTicket: Sendable {
    /// Who waits.
    enum Receiver: Sendable {
      case answer(@Sendable (Result<HTTPResponse, HTTPError>) -> Void)
      case stream(BodyPipe)
    }

    let request: OutgoingRequest
    let timeout: Duration?
    let connectTimeout: Duration?
    let maximumBodySize: Int
    let receiver: Receiver
    private let cancelled = Atomic(false)

    init(_ request: HTTPRequest, as outgoing: OutgoingRequest, receiver: Receiver) {
      self.request = outgoing
      timeout = request.timeout
      connectTimeout = request.connectTimeout
      maximumBodySize = max(0, request.maximumBodySize)
      self.receiver = receiver
    }

    /// True once ``markCancelled()`` was called: a cancellation may overtake the start.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func markCancelled() {
      cancelled.store(true, ordering: .releasing)
    }

    /// Tells the receiver that no answer, or no more of it, will come.
    ///
    /// Called once at most, and never with an answer delivered before.
    func fail(_ error: HTTPError) {
      switch receiver {
      case .answer(let completion): completion(.failure(error))
      case .stream(let pipe): pipe.finish(.failure(error))
      }
    }
  }

  extension HTTPError {
    static let requestCancelled = HTTPError(code: .cancelled, message: "the request was cancelled")
    static let transportShutDown = HTTPError(
      code: .cancelled, message: "the transport was shut down")
  }

#endif
