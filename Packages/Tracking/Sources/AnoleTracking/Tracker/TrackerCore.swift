// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage

/// The tracker's work: hands over, claims, sends, and does with the events what the plan says.
///
/// All of it runs on a queue of its own, where a slow disk may take its time.
actor TrackerCore {
  /// What is set from outside at any time.
  struct Controls: Sendable {
    var source: (any TrackingSource)?
    /// Whether it is known that there is a source, or none.
    var hasStarted = false
    var isPaused = false
  }

  nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let store: any StateStore
  let intake: Intake
  let nonces: NonceSource
  let wallClock: WallClock
  private nonisolated let controls = Lock(Controls())
  let mail: Mail
  let time: TimeSource
  let feed: DeliveryFeed
  private let report: @Sendable (TrackingReport) -> Void
  let batchCharacters: Int
  let userAgent: [UInt8]

  var plan = DeliveryPlan()
  var log = DeliveryLog()
  var compressionLevel: CompressionLevel?
  var runs: [Int: Task<Delivery, Never>] = [:]
  var nextRun = 0
  /// Whether the outbox may have something to send.
  var hasWork = true
  var nextIdleLook = Duration.zero
  var isClosed = false
  /// Where the last hand-over left what it took.
  var lastOutcome = WriteOutcome.durable
  var turnstile = Turnstile()

  init(
    settings: Tracker.Settings, store: any StateStore, intake: Intake, nonces: NonceSource,
    mail: Mail, time: TimeSource, wallClock: WallClock, feed: DeliveryFeed,
    report: @escaping @Sendable (TrackingReport) -> Void
  ) {
    self.store = store
    self.intake = intake
    self.nonces = nonces
    self.mail = mail
    self.time = time
    self.wallClock = wallClock
    self.feed = feed
    self.report = report
    batchCharacters = max(1, settings.batchCharacters)
    var writer = LineWriter()
    writer.encoded(settings.userAgent ?? "")
    userAgent = writer.bytes
    if case .gzip(let level) = settings.compression { compressionLevel = level }
  }

  /// Takes events of queued visitors from a source from now on; only the first time.
  nonisolated func use(_ source: (any TrackingSource)?) {
    controls.withLock { controls in
      guard !controls.hasStarted else { return }
      controls.hasStarted = true
      controls.source = source
    }
  }

  nonisolated func setPaused(_ isPaused: Bool) {
    controls.withLock { $0.isPaused = isPaused }
  }

  nonisolated var currentControls: Controls { controls.withLock { $0 } }
  nonisolated var isPaused: Bool { currentControls.isPaused }

  // MARK: - What the tracker asks for

  /// Hands over, and sends one request without waiting for its end.
  func tick() async {
    await handOver()
    guard !isPaused, let batch = await claimBatch() else { return }
    startRun(batch, isInstant: false)
  }

  func flush(_ visitorCode: String?) async -> Delivery {
    guard !isClosed else { return Delivery(outcome: .cancelled) }
    await handOver(visitorCode)
    // In probe mode the request under way decides whether there may be another.
    while !isClosed, plan.allowance(at: time.now, isInstant: true) == nil,
      let run = runs.values.first
    { _ = await run.value }
    guard !isClosed, !Task.isCancelled else { return Delivery(outcome: .cancelled) }
    guard let batch = await claimBatch(isInstant: true) else {
      return Delivery(outcome: .nothingToSend)
    }
    let run = startRun(batch, isInstant: true)
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      run.cancel()
    }
  }

  func status() async -> TrackingStatus {
    let stored = await store.statistics()
    let waiting = intake.counts
    var status = TrackingStatus()
    status.queuedVisitors = waiting.visitors
    status.bufferedEvents = waiting.events
    status.storedEvents = stored.count
    status.storedBytes = stored.bytes
    status.oldest = stored.oldestAcceptedAt.map { Timestamp(milliseconds: $0) }
    status.requestsInFlight = plan.inFlight
    status.sent = log.sent
    status.dropped = stored.dropped.merging(log.droppedFromMemory, uniquingKeysWith: +)
    status.lastAnswer = log.lastAnswer
    status.isPaused = isPaused
    status.isProbing = plan.isProbing
    status.isCompressing = compressionLevel != nil
    status.eventLimit = plan.eventLimit
    return status
  }

  func close() async {
    await handOver()
    isClosed = true
    let running = Array(runs.values)
    for run in running { run.cancel() }
    for run in running { _ = await run.value }
  }

  func countDropped(_ dropped: [DropReason: Int]) {
    tell(log.droppedFromMemory(dropped))
  }

  func noteWork() {
    hasWork = true
  }

  func tell(_ reports: TrackingReport?...) {
    for case let report? in reports { self.report(report) }
  }

  func tell(_ reports: [TrackingReport]) {
    for report in reports { self.report(report) }
  }
}
