// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleTracking

private struct Accepting: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    HTTPResponse(status: 204)
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .other, message: "no streams here")
  }
}

private struct OneVisitor: TrackingSource {
  func takeEvents(of visitorCode: String) -> VisitorEvents? {
    VisitorEvents(identity: .visitorCode(visitorCode), events: [.activity], changes: [])
  }

  func takeRecordChanges() -> [RecordChange] { [] }
}

func useTracking() async throws {
  var generator = SystemRandomNumberGenerator()
  var lines = EventLines(capacity: 2)
  let identities: [TrackingIdentity] = [.visitorCode("v"), .mappingValue("m")]
  for identity in identities {
    lines.append(.activity, nonce: Nonce(using: &generator), identity: identity, userAgent: "app")
  }
  print(lines.count, lines.byteCount, lines.bytes.count, Nonce(1).value)

  var record = VisitorRecord(visitStart: Timestamp(milliseconds: 0))
  var events = VisitorEvents(
    taking: &record, visitorCode: "v", isUniqueIdentifier: false, configuration: Configuration(),
    catalogue: CustomDataCatalogue(), now: Timestamp(milliseconds: 0))
  events?.identity = .visitorCode("w")
  events?.events = []
  events?.changes = []

  var settings = Tracker.Settings(
    interval: Tracker.Settings.intervals.lowerBound, compression: .gzip(.balanced),
    userAgent: "app", batchCharacters: Tracker.Settings.defaultBatchCharacters,
    bufferedEvents: Tracker.Settings.defaultBufferedEvents,
    bufferedBytes: Tracker.Settings.defaultBufferedBytes,
    queuedVisitors: Tracker.Settings.defaultQueuedVisitors)
  let compression: Tracker.Settings.Compression = .identity
  settings.compression = compression
  settings.interval = .seconds(1)
  settings.userAgent = nil
  settings.batchCharacters = 1_000
  settings.bufferedEvents = 100
  settings.bufferedBytes = 10_000
  settings.queuedVisitors = 10
  let tracker = Tracker(
    settings: settings, store: InMemoryStorage(), transport: Accepting(), tokens: nil,
    requests: { HTTPRequest(method: .post, url: "https://example.com", body: $0) },
    clock: ContinuousClock(), wallClock: .system, nonces: SystemRandomNumberGenerator(),
    report: { (report: TrackingReport) in print(report.code.description, report.message) })
  let deliveries = tracker.deliveries
  tracker.start(source: OneVisitor())
  tracker.enqueue("v")
  tracker.submit([.activity], of: .visitorCode("w"))
  print(await tracker.persist())
  tracker.setPaused(true)
  tracker.setPaused(false)
  show(await tracker.flush("v"))
  show(await tracker.flush())
  show(await tracker.status())
  await tracker.close()
  for await delivery in deliveries { show(delivery) }

  let reasons: [DropReason] = [
    .rejected, .tooLarge, .malformed, .bufferFull, .queueFull, .closed,
  ]
  let codes: [TrackingReport.Code] = [
    .failing, .recovered, .takenForBot, .compressionRefused, .sizeReduced, .rejected, .tooLarge,
    .malformed, .bufferFull, .queueFull,
  ]
  print(reasons.map(\.name), codes.map { TrackingReport(code: $0, message: "m").description })
}

private func show(_ delivery: Delivery) {
  let outcome: Delivery.Outcome = delivery.outcome
  print(
    outcome, delivery.events, delivery.droppedEvents, delivery.bytes, delivery.isCompressed,
    delivery.attempts, delivery.isSuccess)
  var sum = delivery
  sum.add(delivery)
  print(sum == delivery)
  print(
    Delivery(
      outcome: .cancelled, events: 0, droppedEvents: 0, bytes: 0, isCompressed: false, attempts: 1
    ).isSuccess)
}

private func show(_ status: TrackingStatus) {
  let answer: TrackingStatus.Answer? = status.lastAnswer
  print(answer?.outcome ?? .nothingToSend, answer?.time ?? Timestamp(milliseconds: 0))
  print(TrackingStatus.Answer(outcome: .cancelled, time: Timestamp(milliseconds: 0)) == answer)
  print(
    status.queuedVisitors, status.bufferedEvents, status.storedEvents, status.storedBytes,
    status.oldest == nil, status.requestsInFlight, status.sent, status.dropped, status.isPaused,
    status.isProbing, status.isCompressing, status.eventLimit ?? 0, status.queued,
    status == TrackingStatus())
}
