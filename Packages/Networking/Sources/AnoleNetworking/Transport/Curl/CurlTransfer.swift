// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

  /// A request on its way through redirects to its answer.
  ///
  /// Confined to the loop's thread.
  final class CurlTransfer {
    /// How much of the body of a redirect is read for the sake of the connection.
    private static let discardLimit = 64 << 10
    /// The most that is reserved for a body on its sender's word.
    private static let reserveLimit = 1 << 20

    let ticket: TransferTicket
    /// The handle, while the transfer has a connection or makes one.
    var easy: CurlEasy?
    /// The host in whose share of connections the transfer is counted; nil while it waits.
    var host: String?
    var plan: RedirectPlan
    /// When the transfer fails, in nanoseconds of ``MonotonicTime``.
    private(set) var deadline: UInt64
    private var connectDeadline = UInt64.max

    private let owner: AnyObject
    private unowned let driver: CurlDriver
    private var head = AnswerHead()
    private var body: [UInt8] = []
    /// Decodes the body of a whole answer; that of a stream is decoded where it is read.
    private var decoder: ContentDecoder?
    private var isEncodedStream = false
    private var size = 0
    private var discarded = 0
    private var isRedirect = false
    private var failure: HTTPError?
    /// True once the connection stood and the request could be sent.
    private(set) var wasSent = false

    /// - Parameter owner: Kept alive until the transfer has ended.
    init(_ ticket: TransferTicket, driver: CurlDriver, owner: AnyObject) {
      self.ticket = ticket
      self.driver = driver
      self.owner = owner
      plan = RedirectPlan(ticket.request)
      deadline = ticket.timeout.map { MonotonicTime.after($0) } ?? .max
    }

    /// The next moment at which the transfer fails.
    var nextDeadline: UInt64 { min(deadline, connectDeadline) }

    /// True if the body of a redirect was too long to be read.
    var wasCutShort: Bool { discarded > Self.discardLimit }

    /// Forgets the answer that led elsewhere.
    func beginHop() {
      head = AnswerHead()
      discarded = 0
      isRedirect = false
      wasSent = false
      connectDeadline = .max
    }

    // MARK: What libcurl reports

    func reached(_ stage: CurlSettings.Stage) {
      switch stage {
      case .resolving, .connecting:
        if connectDeadline == .max, let limit = ticket.connectTimeout {
          connectDeadline = MonotonicTime.after(limit)
          driver.lower(to: connectDeadline)
        }
      case .sending:
        connectDeadline = .max
        wasSent = true
        driver.connected(self)
      case .reading:
        break
      }
      driver.noteProgress()
      driver.settings.onStage?(stage)
    }

    func receive(header line: UnsafeRawBufferPointer) -> Bool {
      do {
        guard try head.receive(line) == .complete else { return true }
      } catch {
        fail(error)
        return false
      }
      isRedirect = plan.isRedirect(status: head.status, headers: head.headers)
      if !isRedirect { startBody() }
      reached(.reading)
      return true
    }

    func receive(body piece: UnsafeRawBufferPointer) -> CurlEasy.Verdict {
      driver.noteProgress()
      guard failure == nil else { return .abort }
      if isRedirect {
        discarded += piece.count
        return wasCutShort ? .abort : .accept
      }
      do throws(HTTPError) {
        switch ticket.receiver {
        case .answer where decoder != nil:
          try decoder?.decode([UInt8](piece), into: &body)
        case .answer:
          try count(piece)
          body.append(contentsOf: piece)
        case .stream(let pipe):
          guard pipe.hasRoom() else { return .pause }
          if !isEncodedStream { try count(piece) }
          pipe.receive(piece)
        }
      } catch {
        fail(error)
        return .abort
      }
      return .accept
    }

    private func count(_ piece: UnsafeRawBufferPointer) throws(HTTPError) {
      size += piece.count
      guard size <= ticket.maximumBodySize else {
        throw HTTPError.bodyTooLarge(limit: ticket.maximumBodySize)
      }
    }

    // MARK: The end

    /// The error of a transfer that ended, if it failed.
    func error(for outcome: CurlOutcome) -> HTTPError? {
      if let failure { return failure }
      if outcome.isSuccess || (isRedirect && wasCutShort) { return nil }
      return outcome.error(
        origin: plan.current.address.origin, detail: easy?.failureText ?? "", wasSent: wasSent,
        hasHead: head.isComplete)
    }

    /// Decides whether another request follows.
    func nextStep() throws(HTTPError) -> RedirectPlan.Step {
      guard head.isComplete else {
        throw HTTPError(code: .malformedAnswer, message: "the answer has no head")
      }
      let step = try plan.receive(status: head.status, headers: head.headers)
      if case .final = step {
        do throws(HTTPError) { try decoder?.finish() } catch {
          throw error.at(plan.current.address.origin)
        }
      }
      return step
    }

    /// Hands over what arrived.
    func succeed() {
      switch ticket.receiver {
      case .answer(let completion):
        let body = body
        self.body = []
        completion(.success(HTTPResponse(status: head.status, headers: head.headers, body: body)))
      case .stream(let pipe):
        pipe.finish(.success(()))
      }
    }

    /// Names the limit that has passed.
    func timeoutError(now: UInt64) -> HTTPError {
      let part = connectDeadline <= now ? "connecting" : "the attempt"
      return HTTPError(
        code: .timedOut,
        message: "\(plan.current.address.origin): the time limit of \(part) has passed")
    }

    private func fail(_ error: HTTPError) {
      failure = error.at(plan.current.address.origin)
    }

    private func startBody() {
      let decoder = ContentDecoder(head.headers, limit: ticket.maximumBodySize)
      switch ticket.receiver {
      case .answer:
        self.decoder = decoder
        if let length = head.headers["Content-Length"].flatMap({ Int($0) }), length > 0 {
          body.reserveCapacity(min(length, ticket.maximumBodySize, Self.reserveLimit))
        }
      case .stream(let pipe):
        isEncodedStream = decoder != nil
        pipe.receive(
          BodyPipe.HTTPHead(
            status: head.status, headers: head.headers, origin: plan.current.address.origin))
      }
    }
  }

#endif
