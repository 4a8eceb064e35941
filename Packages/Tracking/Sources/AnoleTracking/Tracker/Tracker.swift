// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency
public import AnoleModels
public import AnoleNetworking
public import AnoleStorage

/// Brings events of visitors to the platform: every one arrives, once, compressed, whatever happens.
///
/// Each interval, a tick hands what has been accepted to the outbox, which is durable, and sends
/// what waits there in one request for all visitors. An event leaves the outbox when the server has
/// answered. Its nonce is made when it is accepted and never changes, so that the server can drop
/// what arrives twice.
///
/// Any thread may call anything. ``enqueue(_:)``, ``submit(_:of:)`` and ``setPaused(_:)`` return at
/// once; the work is done on a serial queue of the tracker's own. Nothing is thrown to callers: what
/// goes wrong is counted (``status()``), reported, and told to those who listen (``deliveries``).
public final class Tracker: Sendable {
  private struct Tasks: Sendable {
    var running: [Task<Void, Never>] = []
    var hasStarted = false
  }

  private let core: TrackerCore
  private let intake: Intake
  private let feed = DeliveryFeed()
  private let tasks = Lock(Tasks())
  private let nonces: NonceSource
  private let wallClock: WallClock
  private let time: TimeSource
  private let interval: Duration
  private let earlyHandOvers: AsyncStream<Void>
  private let wakeUps: AsyncStream<Void>.Continuation

  /// Makes a tracker, which does nothing before ``start(source:)``.
  ///
  /// - Parameters:
  ///   - settings: How it works.
  ///   - store: Where the events wait; several processes may share it. It serves one site.
  ///   - transport: Sends the requests.
  ///   - tokens: Gives access tokens; nil if there are no credentials.
  ///   - requests: Builds the request around a body; `Content-Encoding` is added.
  ///   - clock: Measures intervals and pauses.
  ///   - wallClock: The time of day, for ages.
  ///   - nonces: Makes nonces; should be cryptographic in production, as the default is.
  ///   - report: Is told what should be logged, on the tracker's queue.
  public init(
    settings: Settings = Settings(), store: any StateStore, transport: any HTTPTransport,
    tokens: AccessTokenSource? = nil,
    requests: @escaping @Sendable (_ body: [UInt8]) -> HTTPRequest,
    clock: some Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system,
    nonces: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    report: @escaping @Sendable (TrackingReport) -> Void = { _ in }
  ) {
    let (earlyHandOvers, wakeUps) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.earlyHandOvers = earlyHandOvers
    self.wakeUps = wakeUps
    let intake = Intake(limits: settings.intakeLimits) { wakeUps.yield() }
    let nonces = NonceSource(nonces)
    let mail = Mail(transport: transport, tokens: tokens, clock: clock, requests: requests)
    self.intake = intake
    self.nonces = nonces
    self.wallClock = wallClock
    time = TimeSource(clock)
    interval = settings.interval
    core = TrackerCore(
      settings: settings, store: store, intake: intake, nonces: nonces, mail: mail, time: time,
      wallClock: wallClock, feed: feed, report: report)
  }

  deinit {
    wakeUps.finish()
    let running = tasks.withLock { $0.running }
    for task in running { task.cancel() }
  }

  /// Begins to tick, the first time one interval from now; does nothing when called again.
  ///
  /// Visitors that were queued before are asked for then, and not sooner: until the start they wait.
  ///
  /// What an earlier process has left in the outbox is sent too.
  ///
  /// - Parameter source: Where the events of queued visitors come from; without it, visitors cannot
  ///   be queued.
  public func start(source: (any TrackingSource)? = nil) {
    let first = time.now + interval
    core.use(source)
    tasks.withLock { [core, time, interval, earlyHandOvers] tasks in
      guard !tasks.hasStarted else { return }
      tasks.hasStarted = true
      let ticker = Task { await Self.tick(core, time, from: first, every: interval) }
      let early = Task {
        for await _ in earlyHandOvers { await core.handOver() }
      }
      tasks.running = [ticker, early]
    }
  }

  /// Queues a visitor, whose events the source is asked for at the next tick; queueing it again
  /// before changes nothing.
  ///
  /// In a tracker that was started without a source, nothing comes of it.
  public func enqueue(_ visitorCode: String) {
    intake.enqueue(visitorCode)
  }

  /// Accepts events that come from no source.
  ///
  /// They are in the outbox before the next interval ends. When memory is full because the disk does
  /// not keep up, they are dropped and counted.
  ///
  /// - Parameters:
  ///   - events: What happened; an event without line, a page view without URL, is left out.
  ///   - identity: Whom it is about.
  public func submit(_ events: [TrackingEvent], of identity: TrackingIdentity) {
    intake.submit(
      StoredLine.items(
        of: events, identity: identity, nonces: nonces, at: wallClock.milliseconds))
  }

  /// Hands over and sends at once, also while paused, until nothing waits or a request fails.
  ///
  /// Cancelling the calling task cancels the request; its events wait.
  ///
  /// - Parameter visitorCode: Only this visitor is taken from the queue, or asked for without having
  ///   been in it; nil for all that are queued. Events that are in the outbox already are sent too.
  /// - Returns: The sum of the requests made, with the outcome of the last.
  @discardableResult
  public func flush(_ visitorCode: String? = nil) async -> Delivery {
    await core.flush(visitorCode)
  }

  /// Hands everything accepted so far to the outbox, and sends nothing.
  ///
  /// - Returns: Whether all of it is on disk for certain. After `memory`, only a later event that gets
  ///   there shows that the disk works again, and then the former are there too.
  @discardableResult
  public func persist() async -> WriteOutcome {
    await core.handOver()
  }

  /// Pauses sending, as in the background, or goes on with the next tick.
  ///
  /// Ticks hand over while paused; requests under way go on.
  public func setPaused(_ isPaused: Bool) {
    core.setPaused(isPaused)
  }

  /// What waits, what was sent, what was lost; it reads the store.
  public func status() async -> TrackingStatus {
    await core.status()
  }

  /// The results from now on, of ticks and instant flushes, request by request.
  ///
  /// Every access gives a stream of its own; one that is not read keeps the newest 64. They end
  /// with ``close()``.
  public var deliveries: AsyncStream<Delivery> { feed.stream() }

  /// Hands over what was accepted, cancels requests under way, whose events wait, and ends.
  ///
  /// Returns when nothing runs any more. What is accepted later is dropped and counted.
  public func close() async {
    intake.close()
    wakeUps.finish()
    let running = tasks.withLock { tasks in
      tasks.hasStarted = true
      defer { tasks.running = [] }
      return tasks.running
    }
    for task in running { task.cancel() }
    for task in running { await task.value }
    await core.close()
    feed.finish()
  }

  private static func tick(
    _ core: TrackerCore, _ time: TimeSource, from first: Duration, every interval: Duration
  ) async {
    var next = first
    while true {
      do { try await time.sleep(until: next) } catch { return }
      await core.tick()
      next += interval
      // Ticks that a suspended process has missed are not made up for.
      if next < time.now { next = time.now + interval }
    }
  }
}
