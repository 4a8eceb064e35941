// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage

/// Events that were claimed for one request.
struct Batch: Sendable {
  let receipts: [OutboxReceipt]
  let body: TrackingBody
}

extension TrackerCore {
  /// The most requests of a tick, where the server takes but small ones; then the next tick goes on.
  static let requestsPerTick = 16
  /// The most requests of an instant flush: what a full outbox needs, many times over.
  static let requestsPerFlush = 1_000
  /// How long an outbox that was empty is left alone if nothing is handed over: other processes may
  /// have left something, but a look at the disk every second would cost a phone's battery.
  static let idleInterval = Duration.seconds(30)

  /// Begins to send a batch, in a task that closing cancels.
  @discardableResult
  func startRun(_ batch: Batch, isInstant: Bool) -> Task<Delivery, Never> {
    let id = nextRun
    nextRun += 1
    let run = Task { await self.run(batch, id: id, isInstant: isInstant) }
    runs[id] = run
    return run
  }

  /// Sends a batch, and others after it if there is a reason to.
  private func run(_ first: Batch, id: Int, isInstant: Bool) async -> Delivery {
    defer { runs[id] = nil }
    var sum = Delivery(outcome: .nothingToSend)
    var next: Batch? = first
    var requests = 0
    while let batch = next {
      let (delivery, mayGoOn) = await send(batch)
      sum.add(delivery)
      requests += 1
      let isWanted =
        isInstant
        ? requests < Self.requestsPerFlush
        : plan.isReduced && requests < Self.requestsPerTick && !isPaused
      next = mayGoOn && isWanted && !Task.isCancelled ? await claimBatch(isInstant: isInstant) : nil
    }
    return sum
  }

  /// Takes what the next request carries out of the outbox; nil if nothing may or can be sent.
  func claimBatch(isInstant: Bool = false) async -> Batch? {
    let now = time.now
    guard !isClosed, isInstant || hasWork || now >= nextIdleLook,
      let allowance = plan.allowance(at: now, isInstant: isInstant)
    else { return nil }
    plan.started()
    hasWork = false
    nextIdleLook = now + Self.idleInterval
    let lease = mail.lease
    var batch = BatchPlan(characterLimit: batchCharacters, allowance: allowance)
    var taken: [OutboxReceipt] = []
    var surplus: [OutboxReceipt] = []
    var malformed: [OutboxReceipt] = []
    while !batch.isFull {
      let (count, bytes) = batch.nextClaim
      let claim = await store.claim(upTo: count, bytes: bytes, lease: lease)
      guard !claim.isEmpty else { break }
      for item in claim.items {
        if let line = StoredLine(item.content.body) {
          if batch.take(line) { taken.append(item.receipt) } else { surplus.append(item.receipt) }
        } else {
          malformed.append(item.receipt)
        }
      }
    }
    if !surplus.isEmpty { await store.release(surplus) }
    if !malformed.isEmpty {
      await store.discard(malformed, reason: .malformed)
      tell(log.malformed(malformed.count))
    }
    if batch.isFull { hasWork = true }
    // Closed while the store was asked: nobody would wait for this request.
    if isClosed { await store.release(taken) }
    guard !taken.isEmpty, !isClosed else {
      plan.foundNothing()
      return nil
    }
    let body = BodyEncoder.encode(
      batch.arranged(), userAgent: userAgent, level: compressionLevel)
    return Batch(receipts: taken, body: body)
  }

  private func send(_ batch: Batch) async -> (delivery: Delivery, mayGoOn: Bool) {
    let result = await mail.send(batch.body)
    let delay = result.refusal.flatMap { RetryAfter.delay(of: $0, now: wallClock) }
    let count = batch.receipts.count
    let verdict = plan.ended(result.ending, events: count, delay: delay, at: time.now)
    switch verdict {
    case .acknowledge: await store.acknowledge(batch.receipts)
    case .discard(let reason): await store.discard(batch.receipts, reason: reason)
    case .release:
      await store.release(batch.receipts)
      hasWork = true
    }
    if result.isPlainAccepted, compressionLevel != nil {
      compressionLevel = nil
      tell(.compressionRefused)
    }
    let delivery = Delivery(result, of: batch.body, events: count, verdict: verdict)
    tell(
      log.ended(
        delivery, verdict: verdict, eventLimit: plan.eventLimit,
        at: Timestamp(milliseconds: wallClock.milliseconds)))
    feed.send(delivery)
    let isStep = verdict != .release || plan.isReduced
    return (delivery, isStep && result.ending != .cancelled)
  }
}

extension Delivery {
  fileprivate init(
    _ result: Mail.Result, of body: TrackingBody, events: Int, verdict: DeliveryPlan.Verdict
  ) {
    let isCompressed = body.isCompressed && !result.isPlainAccepted
    let isDelivered = verdict == .acknowledge
    self.init(
      outcome: Outcome(result.ending, isDelivered: isDelivered),
      events: isDelivered ? events : 0,
      bytes: isDelivered ? (isCompressed ? body.bytes.count : body.plainSize) : 0,
      isCompressed: isCompressed, attempts: result.requests)
    if case .discard = verdict { droppedEvents = events }
  }
}

extension Delivery.Outcome {
  fileprivate init(_ ending: DeliveryPlan.Ending, isDelivered: Bool) {
    switch ending {
    case .answered(let status):
      self = isDelivered ? .delivered(status: status) : .refused(status: status)
    case .unanswered(let code): self = .failed(code)
    case .cancelled: self = .cancelled
    }
  }
}
