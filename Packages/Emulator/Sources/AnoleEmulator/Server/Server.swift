// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import CAnoleMicrohttpd

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The server's loop: everything that touches a socket or libmicrohttpd.
///
/// Made on the thread that starts the emulator, then used by the server's thread alone. Other threads
/// change the platform, which is behind a lock, and leave a message in the inbox.
final class Server: MicrohttpdHandler {
  /// How many bytes of a body that is too large are read on, so that the client sees the answer instead
  /// of a broken connection; after that the connection is closed.
  private static let maximumDiscardedBytes = 64 << 20

  private let core: Core
  private let inbox: Inbox
  private let time: TimeSource
  private let maximumBodyBytes: Int
  private var daemon: Microhttpd?
  private var exchanges: [Connection: Exchange] = [:]
  private var byID: [Int: Exchange] = [:]
  private var isStopping = false

  init(
    _ socket: ListeningSocket, identity: ServerIdentity?, core: Core, inbox: Inbox
  ) throws(EmulatorError) {
    self.core = core
    self.inbox = inbox
    time = core.time
    maximumBodyBytes = core.maximumBodyBytes
    daemon = Microhttpd(listening: socket, identity: identity, handler: self)
    guard daemon != nil else {
      guard identity == nil else {
        throw EmulatorError(
          code: .system,
          message:
            "libmicrohttpd does not take the certificate: both texts must be PEM, and the key "
            + "that of the first certificate")
      }
      // The library has closed the socket, or has kept it: closing it twice would be worse than that.
      throw EmulatorError(
        code: .system,
        message: "libmicrohttpd does not start; it must be built with epoll support")
    }
  }

  /// Serves until a message says to stop.
  func run() {
    guard let daemon else { return }
    while !isStopping {
      wait(for: daemon)
      for message in inbox.take() { handle(message) }
      daemon.run()
    }
    for exchange in byID.values {
      exchange.isAborted = true
      resume(exchange)
    }
    daemon.run()
    daemon.stop()
  }

  // MARK: Waiting

  private func wait(for daemon: Microhttpd) {
    let watched = daemon.connections.filter { connection in
      guard let exchange = exchanges[connection] else { return true }
      return exchange.isSuspended || exchange.plan == nil
    }
    var polled = [
      pollfd(fd: daemon.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    for connection in watched {
      let isBlocked = exchanges[connection]?.isBlocked == true
      let events = anole_mhd_hangup_events() | (isBlocked ? Int16(POLLOUT) : 0)
      polled.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
    }
    guard poll(&polled, nfds_t(polled.count), daemon.timeout) > 0 else { return }
    for (connection, result) in zip(watched, polled.dropFirst(2)) where result.revents != 0 {
      guard let exchange = exchanges[connection], exchange.isSuspended else {
        connection.nudge()
        continue
      }
      if result.revents != Int16(POLLOUT) { exchange.isAborted = true }
      resume(exchange)
    }
  }

  private func handle(_ message: Inbox.Message) {
    switch message {
    case .stop: isStopping = true
    case .news(let id):
      if let exchange = byID[id], exchange.timer == nil { resume(exchange) }
    case .waited(let id):
      guard let exchange = byID[id] else { return }
      exchange.timer = nil
      if exchange.isDelayOver { exchange.refill() } else { exchange.isDelayOver = true }
      resume(exchange)
    case .answered(let id, let answer):
      guard let exchange = byID[id] else { return }
      exchange.begin(AnswerPlan(answer))
      resume(exchange)
    case .forwarded(let id, let forwarding, let answer):
      guard let exchange = byID[id] else { return }
      finish(exchange, forwarding, answer)
    case .expired(let id):
      guard let exchange = byID[id] else { return }
      exchange.isAborted = true
      resume(exchange)
    }
  }

  private func resume(_ exchange: Exchange) {
    guard exchange.isSuspended else { return }
    exchange.isSuspended = false
    exchange.isBlocked = false
    exchange.connection.resume()
  }

  /// Notes that an exchange is about to be suspended; false where the server stops.
  private func suspend(_ exchange: Exchange) -> Bool {
    if isStopping || exchange.isAborted { return false }
    exchange.isSuspended = true
    return true
  }

  private func startTimer(_ exchange: Exchange, _ duration: Duration) {
    guard exchange.timer == nil else { return }
    exchange.timer = Task { [time, inbox, id = exchange.request.id] in
      // Only cancellation ends the wait early: then the exchange is over.
      guard (try? await time.sleep(for: duration)) != nil else { return }
      inbox.post([.waited(id)])
    }
  }

  private func startLifetime(_ exchange: Exchange, _ duration: Duration) {
    guard exchange.lifetime == nil else { return }
    exchange.lifetime = Task { [time, inbox, id = exchange.request.id] in
      // Only cancellation ends the wait early: then the exchange is over.
      guard (try? await time.sleep(for: duration)) != nil else { return }
      inbox.post([.expired(id)])
    }
  }

  // MARK: Reading of bodies

  func suspendForDrip(_ exchange: Exchange) -> Microhttpd.Reading {
    guard suspend(exchange) else { return .abort }
    startTimer(exchange, exchange.plan?.drip?.interval ?? .zero)
    return .suspend
  }

  func suspendForNews(_ exchange: Exchange) -> Microhttpd.Reading {
    suspend(exchange) ? .suspend : .abort
  }

  func takeStreamBytes(_ exchange: Exchange, atMost limit: Int) -> StreamBoard.Piece {
    core.change { $0.streams.take(exchange.request.id, atMost: limit) }
  }

  // MARK: MicrohttpdHandler

  func accepts() -> Bool { !isStopping && core.change { $0.accepts() } }

  func arrived(_ head: RequestHead, on connection: Connection) -> Bool {
    guard !isStopping else { return false }
    let request = Request(id: core.nextID(), head: head, isComplete: false)
    guard head.isControl || core.change({ $0.arrived(request) }) else { return false }
    let exchange = Exchange(request, on: connection, server: self)
    exchanges[connection] = exchange
    byID[request.id] = exchange
    return true
  }

  func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> Bool {
    guard let exchange = exchanges[connection] else { return false }
    let room = maximumBodyBytes - exchange.request.body.count
    exchange.request.body.append(contentsOf: bytes.prefix(room))
    guard bytes.count > room else { return true }
    exchange.request.isTooLarge = true
    exchange.discarded += bytes.count - room
    return exchange.discarded <= Self.maximumDiscardedBytes
  }

  func verdict(on connection: Connection) -> Microhttpd.Verdict {
    guard let exchange = exchanges[connection], !exchange.isAborted, !isStopping else {
      return .close
    }
    if exchange.plan == nil, exchange.work == nil { decide(exchange) }
    guard let plan = exchange.plan else {
      guard exchange.work != nil else { return .close }
      return (exchange.isForwarded ? hold(exchange) : suspend(exchange)) ? .suspend : .close
    }
    if !exchange.isDelayOver {
      guard plan.delay > .zero else {
        exchange.isDelayOver = true
        return perform(plan, exchange)
      }
      guard hold(exchange) else { return .close }
      startTimer(exchange, plan.delay)
      return .suspend
    }
    release(exchange)
    return perform(plan, exchange)
  }

  func ended(on connection: Connection) {
    guard let exchange = exchanges.removeValue(forKey: connection) else { return }
    let id = exchange.request.id
    byID[id] = nil
    exchange.timer?.cancel()
    for task in [exchange.work, exchange.pieces, exchange.lifetime] { task?.cancel() }
    let isControl = exchange.request.head.isControl
    core.change { [request = exchange.request, isDecided = exchange.plan != nil] platform in
      if !isDecided, !isControl { platform.brokeOff(request) }
      platform.streams.remove(id)
      platform.heldExchanges.remove(id)
    }
    if exchange.plan?.closesAfterwards == true {
      // The library would keep the connection; it sees the end of input and closes it.
      connection.end()
    }
  }

  // MARK: Answering

  private func decide(_ exchange: Exchange) {
    exchange.request.isComplete = true
    let request = exchange.request
    let now = time.now
    let wallTime = Timestamp(milliseconds: core.wallClock.milliseconds)
    guard !request.head.isControl else { return control(exchange) }
    let verdict = core.change { platform in
      platform.now = platform.skewed(wallTime)
      return platform.verdict(on: request, now: now)
    }
    switch verdict {
    case .plan(let plan): exchange.begin(plan)
    case .forward(let forwarding):
      exchange.isForwarded = true
      exchange.work = Task { [inbox, id = request.id] in
        let answer = await forwarding.responder(forwarding.request)
        inbox.post([.forwarded(id, forwarding, answer)])
      }
    }
  }

  /// Goes on with what a function has answered.
  private func finish(
    _ exchange: Exchange, _ forwarding: Platform.Forwarding, _ answer: ForwardedAnswer?
  ) {
    let request = exchange.request
    let wallTime = Timestamp(milliseconds: core.wallClock.milliseconds)
    let plan = core.change { platform in
      platform.now = platform.skewed(wallTime)
      return platform.plan(for: request, forwarding, answer: answer)
    }
    exchange.begin(plan)
    if case .pieces(let pieces)? = answer?.body {
      exchange.pieces = Task { [core, id = request.id] in
        for await piece in pieces { core.change { $0.push(piece, onStreamOf: id) } }
        core.change { $0.endStream(of: id) }
      }
    }
    resume(exchange)
  }

  /// Answers a control request: at once, or when work elsewhere is done.
  private func control(_ exchange: Exchange) {
    switch ControlEndpoint.reply(to: exchange.request, core) {
    case .answer(let answer): exchange.begin(AnswerPlan(answer))
    case .work(let work):
      exchange.work = Task { [inbox, id = exchange.request.id] in
        let answer = await work()
        inbox.post([.answered(id, answer)])
      }
    }
  }

  private func perform(_ plan: AnswerPlan, _ exchange: Exchange) -> Microhttpd.Verdict {
    switch plan.action {
    case .close: return .close
    case .never: return hold(exchange) ? .suspend : .close
    case .raw(let bytes): return write(bytes, exchange)
    case .answer(let answer, _, let announced):
      var length = announced
      if case .bytes(let body) = answer.body {
        length = announced ?? body.count
      } else if let lifetime = plan.streamLifetime {
        startLifetime(exchange, lifetime)
      }
      return .answer(
        status: answer.status, fields: answer.fields, length: length, body: exchange)
    }
  }

  /// Writes raw bytes as far as the socket takes them; in the end the connection is closed.
  private func write(_ bytes: [UInt8], _ exchange: Exchange) -> Microhttpd.Verdict {
    while exchange.sent < bytes.count {
      let count = exchange.permitted(bytes.count - exchange.sent)
      guard count > 0 else {
        guard case .suspend = suspendForDrip(exchange) else { return .close }
        return .suspend
      }
      let written = bytes.withUnsafeBytes {
        exchange.connection.send(.init(rebasing: $0[exchange.sent..<exchange.sent + count]))
      }
      guard let written else { return .close }
      guard written > 0 else {
        guard suspend(exchange) else { return .close }
        exchange.isBlocked = true
        return .suspend
      }
      exchange.didSend(written)
    }
    return .close
  }

  private func hold(_ exchange: Exchange) -> Bool {
    guard suspend(exchange) else { return false }
    core.change { [id = exchange.request.id] platform in
      _ = platform.heldExchanges.insert(id)
    }
    return true
  }

  private func release(_ exchange: Exchange) {
    core.change { [id = exchange.request.id] platform in
      _ = platform.heldExchanges.remove(id)
    }
  }
}
