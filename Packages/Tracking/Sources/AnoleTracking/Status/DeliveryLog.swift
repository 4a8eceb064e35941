// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage

/// Counts what a tracker did, and decides what of it is worth a report.
///
/// A pure value.
struct DeliveryLog: Sendable {
  private(set) var sent = 0
  private(set) var droppedFromMemory: [DropReason: Int] = [:]
  private(set) var lastAnswer: TrackingStatus.Answer?
  private var isFailing = false
  private var hasMetBotAnswer = false
  private var eventLimit: Int?
  /// The reasons for which something was dropped at the last hand-over too.
  private var losing: Set<DropReason> = []

  /// Notes the end of a request.
  ///
  /// - Returns: What to report.
  mutating func ended(
    _ delivery: Delivery, verdict: DeliveryPlan.Verdict, eventLimit limit: Int?,
    at time: Timestamp
  ) -> [TrackingReport] {
    sent += delivery.events
    lastAnswer = TrackingStatus.Answer(outcome: delivery.outcome, time: time)
    var reports: [TrackingReport] = []
    switch verdict {
    case .acknowledge:
      if isFailing { reports.append(.recovered) }
      isFailing = false
      if delivery.outcome == .delivered(status: 403), !hasMetBotAnswer {
        hasMetBotAnswer = true
        reports.append(.takenForBot)
      }
    case .discard(.tooLarge): reports.append(.tooLarge)
    case .discard: reports.append(.rejected)
    case .release:
      if let report = released(delivery.outcome) { reports.append(report) }
    }
    if let limit, limit < eventLimit ?? .max { reports.append(.sizeReduced(to: limit)) }
    eventLimit = limit
    return reports
  }

  private mutating func released(_ outcome: Delivery.Outcome) -> TrackingReport? {
    switch outcome {
    case .refused(400), .refused(413), .cancelled, .nothingToSend, .delivered: return nil
    case .refused(let status):
      guard !isFailing else { return nil }
      isFailing = true
      return .failing("the server answered with status \(status)")
    case .failed(let code):
      guard !isFailing else { return nil }
      isFailing = true
      return .failing("no answer (\(code))")
    }
  }

  /// Notes what was dropped before it reached the outbox since the last hand-over.
  mutating func droppedFromMemory(_ dropped: [DropReason: Int]) -> [TrackingReport] {
    droppedFromMemory.merge(dropped, uniquingKeysWith: +)
    let newlyLost = Set(dropped.keys).subtracting(losing)
    losing = Set(dropped.keys)
    var reports: [TrackingReport] = []
    if newlyLost.contains(.bufferFull) { reports.append(.bufferFull) }
    if newlyLost.contains(.queueFull) { reports.append(.queueFull) }
    return reports
  }

  func malformed(_ count: Int) -> TrackingReport {
    TrackingReport(
      code: .malformed,
      message: "\(count) stored items are no events of this library and were dropped")
  }
}

extension TrackingReport {
  fileprivate static func failing(_ reason: String) -> TrackingReport {
    TrackingReport(
      code: .failing,
      message: "events cannot be sent: \(reason); they wait, and every interval tries again")
  }

  fileprivate static let recovered = TrackingReport(
    code: .recovered, message: "events can be sent again")

  fileprivate static let takenForBot = TrackingReport(
    code: .takenForBot,
    message: "the server answered with status 403, which it does to what it takes for a bot; "
      + "these events count as delivered. Check the user agent")

  static let compressionRefused = TrackingReport(
    code: .compressionRefused,
    message: "the server takes events only uncompressed; they are sent so from now on")

  fileprivate static func sizeReduced(to limit: Int) -> TrackingReport {
    TrackingReport(
      code: .sizeReduced,
      message: "the server found a body too large (413); at most \(limit) events a request now")
  }

  fileprivate static let rejected = TrackingReport(
    code: .rejected,
    message: "the server rejected one event for good (400), which was dropped. Check the site code")

  fileprivate static let tooLarge = TrackingReport(
    code: .tooLarge,
    message: "one event alone is too large for the server (413) and was dropped")

  fileprivate static let bufferFull = TrackingReport(
    code: .bufferFull,
    message: "events come faster than the disk takes them; the newest are dropped and counted")

  fileprivate static let queueFull = TrackingReport(
    code: .queueFull,
    message: "visitors come faster than they can be handed over; the newest are not queued")
}
