// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels

/// The whole state of the emulated platform, and what it answers.
///
/// A pure value: no socket, no lock, no clock. The owner performs what it returns.
struct Platform: Sendable {
  var dataFiles = DataFileShelf()
  /// Remote data and warehouse audiences by key.
  var remoteData: [String: [UInt8]] = [:]
  /// Visitor data by visitor code or mapping value.
  var visitorData: [String: [UInt8]] = [:]
  var tokens = TokenDesk()
  var remoteFlags = RemoteFlagDesk()
  var evaluationDesk = EvaluationDesk()
  var faults = FaultBook()
  /// How long streams live that are opened from now on; nil for as long as both sides like.
  var streamLifetime: Duration?
  /// How far the platform's clock is ahead of the emulator's.
  var clockSkew = Duration.zero
  /// Who answers instead of the platform, by route; nil stands for all others.
  var responders: [Route?: Emulator.Responder] = [:]
  var journal = Journal()
  var streams = StreamBoard()
  /// How many of the next connections are closed at once; nil means all until cleared.
  var refusedConnections: Int? = 0
  /// The exchanges that are kept waiting by a delay or for ever.
  var heldExchanges: Set<Int> = []
  private var nonces = NonceLedger()
  /// The exchanges to which something has happened since they were last looked at.
  private var news: [Int] = []
  let maximumBodyBytes: Int
  /// The time of day of the request that is being answered, by the platform's clock; the owner sets it
  /// before.
  var now = Timestamp(milliseconds: 0)
  /// What is left to chance.
  var random: SplitMix64

  init(maximumBodyBytes: Int, random: SplitMix64) {
    self.maximumBodyBytes = maximumBodyBytes
    self.random = random
  }

  /// Forgets everything but the open streams, which are ended.
  mutating func reset() {
    closeStreams(siteCode: nil)
    var fresh = Platform(maximumBodyBytes: maximumBodyBytes, random: random)
    fresh.streams = streams
    fresh.heldExchanges = heldExchanges
    fresh.news = news
    fresh.journal = journal
    fresh.journal.clear()
    fresh.dataFiles.revision = configurationRevision + 1
    self = fresh
  }

  /// Sends bytes on open streams; returns on how many.
  @discardableResult
  mutating func push(_ bytes: [UInt8], siteCode: String?) -> Int {
    let reached = streams.push(bytes, siteCode: siteCode)
    news += reached
    return reached.count
  }

  /// Ends open streams; returns how many.
  @discardableResult
  mutating func closeStreams(siteCode: String?) -> Int {
    let reached = streams.end(siteCode: siteCode)
    news += reached
    return reached.count
  }

  /// Notes that an exchange is to be looked at again.
  mutating func note(_ id: Int) { news.append(id) }

  /// The exchanges to look at again.
  mutating func takeNews() -> [Int] {
    defer { news = [] }
    return news
  }

  /// Whether a connection that was just made is kept.
  mutating func accepts() -> Bool {
    guard let left = refusedConnections else { return false }
    guard left > 0 else { return true }
    refusedConnections = left - 1
    return false
  }

  /// Notes that the head of a request has arrived; false if the connection is to be closed at once.
  mutating func arrived(_ request: Request) -> Bool {
    let route = Route(path: request.head.path)
    guard faults.closesBeforeReading(route, &random) else { return true }
    let plan = AnswerPlan(action: .close)
    record(request, decodedBody(request), route: route, plan: plan, isFaulted: true)
    return false
  }

  /// Notes a request that ended before it was complete.
  mutating func brokeOff(_ request: Request) {
    let plan = AnswerPlan(action: .close)
    let route = Route(path: request.head.path)
    record(request, decodedBody(request), route: route, plan: plan, isFaulted: false)
  }

  /// Notes a complete request and decides what is done about it.
  mutating func plan(
    for request: Request, now: Duration, fault: Fault?, latency: Duration
  ) -> AnswerPlan {
    let route = Route(path: request.head.path)
    let body = decodedBody(request)
    var plan =
      fault?.plan { answer(to: request, body, route: route, now: now) }
      ?? AnswerPlan(answer(to: request, body, route: route, now: now))
    finish(&plan, latency: latency)
    record(request, body, route: route, plan: plan, isFaulted: fault != nil)
    return plan
  }

  /// Adds what concerns every answer.
  func finish(_ plan: inout AnswerPlan, latency: Duration) {
    plan.delay += latency
    plan.streamLifetime = streamLifetime
    tellTime(&plan)
  }

  mutating func record(
    _ request: Request, _ decoded: [UInt8]?, route: Route, plan: AnswerPlan, isFaulted: Bool
  ) {
    let isRead = route == .tracking && request.isComplete
    let report = (isRead ? decoded : nil).map { body in
      TrackingReader.report(on: body) { nonces.contains($0) }
    }
    if plan.isAcceptance, let report {
      for nonce in report.events.compactMap(\.nonce) { nonces.insert(nonce) }
    }
    journal.append(
      RecordedRequest(
        sequence: journal.nextSequence, route: route, method: request.head.method,
        target: request.head.target, version: request.head.version, fields: request.head.fields,
        body: request.body, decodedBody: decoded, isComplete: request.isComplete,
        tracking: report, status: plan.status, isFaulted: isFaulted))
  }

  /// The body decoded by `Content-Encoding`; nil if it does not decode or was too large to be kept.
  func decodedBody(_ request: Request) -> [UInt8]? {
    guard !request.isTooLarge else { return nil }
    return BodyDecoding.decode(
      request.body, encoding: request.head.fields.value(named: "Content-Encoding"),
      limit: maximumBodyBytes)
  }
}

extension AnswerPlan {
  /// Whether the client will take the events of the request as delivered.
  fileprivate var isAcceptance: Bool {
    guard let status else { return false }
    return (200...299).contains(status) || status == 403
  }
}
