// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency

/// An event stream that opens itself again after every loss, until it is closed.
///
/// There is never more than one connection or one pause. ``updates`` has one consumer; it may take
/// its time, as updates wait for it up to ``EventSourcePolicy/bufferSize``. All methods may be
/// called from any thread.
///
/// After ``Update/connected(afterLoss:)`` with `true` events may have been missed: the consumer
/// should ask the server once for what the events would have told.
public final class EventSource: Sendable {
  /// What happens on the stream.
  public enum Update: Sendable, Hashable {
    /// A request goes out.
    case connecting
    /// The server has accepted. `afterLoss`: a former connection or attempt failed, so that events
    /// may have been missed.
    case connected(afterLoss: Bool)
    /// An event has arrived.
    case event(ServerSentEvent)
    /// The connection is lost, or none came about; the next attempt follows after a pause.
    case lost(EventStreamLoss, pause: Duration)
    /// The end, after ``EventSource/close()``.
    case closed
  }

  private enum Phase {
    case made
    case running(Task<Void, Never>)
    case closed
  }

  /// The updates in their order; they end after ``Update/closed``.
  ///
  /// One consumer; cancelling its task closes the stream.
  public let updates: AsyncStream<Update>

  private let loop: EventSourceLoop
  private let phase = Lock(Phase.made)

  /// Makes an event source; ``start()`` opens it.
  ///
  /// - Parameters:
  ///   - request: The request. Its time limits and body limit are replaced by the policy's.
  ///   - transport: Opens the connections.
  ///   - policy: Times and limits.
  ///   - clock: Measures pauses and limits.
  ///   - random: Gives the jitter.
  public init(
    _ request: HTTPRequest, transport: any HTTPTransport,
    policy: EventSourcePolicy = .platform, clock: some Clock<Duration> = ContinuousClock(),
    random: RandomSource = RandomSource()
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Update.self, bufferingPolicy: .bufferingNewest(policy.bufferSize))
    updates = stream
    loop = EventSourceLoop(
      request: request, transport: transport, policy: policy, time: TimeSource(clock),
      random: random, continuation: continuation)
  }

  deinit {
    phase.withLock { phase in
      if case .running(let task) = phase { task.cancel() }
    }
    loop.continuation.finish()
  }

  /// Whether a request is on its way or a stream is open.
  public var hasConnection: Bool { loop.plan.withLock { $0.hasConnection } }

  /// Whether the pause before the next attempt runs.
  public var isPausing: Bool { loop.plan.withLock { $0.isPausing } }

  /// Opens the stream.
  ///
  /// A second call, or one after ``close()``, does nothing.
  public func start() {
    phase.withLock { [loop] phase in
      guard case .made = phase else { return }
      let task = Task { await loop.run() }
      loop.continuation.onTermination = { _ in task.cancel() }
      phase = .running(task)
    }
  }

  /// Closes the connection or ends the pause, for good, and returns when that is done.
  public func close() async {
    let task = phase.withLock { phase -> Task<Void, Never>? in
      defer { phase = .closed }
      guard case .running(let task) = phase else { return nil }
      return task
    }
    guard let task else { return loop.end() }
    task.cancel()
    await task.value
  }
}
