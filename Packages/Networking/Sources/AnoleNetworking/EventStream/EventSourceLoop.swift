// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Does what a ``ReconnectPlan`` decides: one task that connects, reads, pauses and begins again.
final class EventSourceLoop: Sendable {
  let plan: Lock<ReconnectPlan>
  let continuation: AsyncStream<EventSource.Update>.Continuation
  private let request: HTTPRequest
  private let transport: any HTTPTransport
  private let policy: EventSourcePolicy
  private let time: TimeSource
  private let random: RandomSource
  private let lastEventID = Lock("")

  init(
    request: HTTPRequest, transport: any HTTPTransport, policy: EventSourcePolicy,
    time: TimeSource, random: RandomSource,
    continuation: AsyncStream<EventSource.Update>.Continuation
  ) {
    var request = request
    request.timeout = nil
    request.connectTimeout = policy.connectLimit
    // The stream has no end; what the parser holds of it is bounded.
    request.maximumBodySize = .max
    self.request = request
    self.transport = transport
    self.policy = policy
    self.time = time
    self.random = random
    self.continuation = continuation
    plan = Lock(ReconnectPlan(policy: policy))
  }

  /// Runs until the task is cancelled.
  func run() async {
    while !Task.isCancelled, connect() {
      let loss = await connection()
      guard let loss, !Task.isCancelled, let pause = lose() else { break }
      emit(.lost(loss, pause: pause))
      // The only error is cancellation, which ends the loop.
      do { try await time.sleep(for: pause) } catch { break }
    }
    end()
  }

  /// Says that it is over, once.
  func end() {
    guard plan.withLock({ $0.close() }) else { return }
    emit(.closed)
    continuation.finish()
  }

  private func connect() -> Bool {
    let now = time.now
    guard plan.withLock({ $0.connect(at: now) }) else { return false }
    emit(.connecting)
    return true
  }

  private func lose() -> Duration? {
    let chance = random.next()
    return plan.withLock { $0.lost(chance: chance) }
  }

  /// One connection from its request to its loss; nil if the task was cancelled.
  private func connection() async -> EventStreamLoss? {
    await withTaskGroup(of: EventStreamLoss?.self) { group in
      group.addTask { await self.read() }
      group.addTask { await self.watch() }
      let loss = await group.next() ?? nil
      group.cancelAll()
      return loss
    }
  }

  /// Waits until the deadline has passed that the plan keeps moving.
  private func watch() async -> EventStreamLoss? {
    while let deadline = plan.withLock({ $0.deadline }) {
      do { try await time.sleep(until: deadline) } catch { return nil }
      let now = time.now
      if let loss = plan.withLock({ $0.lossByTime(at: now) }) { return loss }
    }
    return nil
  }

  private func read() async -> EventStreamLoss? {
    do {
      let stream = try await transport.open(currentRequest())
      let now = time.now
      let answer = plan.withLock {
        $0.answered(
          status: stream.status, contentType: stream.headers["Content-Type"], at: now)
      }
      switch answer {
      case .accept(let afterLoss): emit(.connected(afterLoss: afterLoss))
      case .refuse(let loss): return loss
      case .ignore: return nil
      }
      return try await consume(stream.body)
    } catch let error as HTTPError {
      return Task.isCancelled ? nil : .failed(error)
    } catch let error as ServerSentEventError {
      return .unreadable(error)
    } catch {
      return Task.isCancelled ? nil : .failed(HTTPError(code: .other, message: "\(error)"))
    }
  }

  private func consume(
    _ body: AsyncThrowingStream<[UInt8], any Error>
  ) async throws -> EventStreamLoss? {
    var parser = ServerSentEventParser(
      lastEventID: lastEventID.withLock { $0 }, limits: policy.parserLimits)
    for try await bytes in body {
      let now = time.now
      plan.withLock { $0.received(at: now) }
      let events = try parser.parse(bytes)
      let (id, retry) = (parser.lastEventID, parser.retry)
      lastEventID.withLock { $0 = id }
      if let retry { plan.withLock { $0.serverAsked(pause: retry) } }
      for event in events where !emit(.event(event)) { return .consumerTooSlow }
    }
    return Task.isCancelled ? nil : .ended
  }

  private func currentRequest() -> HTTPRequest {
    let id = lastEventID.withLock { $0 }
    guard policy.sendsLastEventID, !id.isEmpty else { return request }
    var request = request
    request.headers["Last-Event-ID"] = id
    return request
  }

  /// Hands an update to the consumer; false if an older one had to go for it.
  @discardableResult
  private func emit(_ update: EventSource.Update) -> Bool {
    if case .dropped = continuation.yield(update) { return false }
    return true
  }
}
