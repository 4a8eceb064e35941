// SPDX-License-Identifier: Apache-2.0

/// The recorded exchanges of a scenario, ticked off as requests arrive.
///
/// A pure value. Requests to one endpoint are expected in the recorded order; the mobile client's allowed
/// traffic beyond the recorded one is told apart from it.
package struct ExchangeLedger: Sendable {
  /// What a request is.
  package enum Verdict: Sendable, Hashable {
    /// The exchange with this sequence number, whether or not all of it is as recorded.
    case recorded(Int)
    /// Allowed beyond the recorded ones.
    case extra(WireEndpoint)
    /// More than was recorded and is allowed.
    case surplus
  }

  private struct Arrival: Sendable {
    let moment: Duration
    let body: [UInt8]
  }

  private let exchanges: [RecordedExchange]
  private let timing: TimeComparison
  private let visitorCodes: Set<String>
  private var waiting: [WireEndpoint: [RecordedExchange]]
  /// Exchanges among which it does not count which visitor travels in which, and their lines.
  private var pool: VisitorPool
  private var nonces = NonceLedger()
  private var placeholders = SDKPlaceholders()
  private var arrivals: [Int: Arrival] = [:]
  private var order: [Int] = []
  private var extras: [WireEndpoint: Int] = [:]

  /// What was found wrong so far, in the order of arrival.
  package private(set) var differences: [String] = []

  /// Makes a ledger.
  ///
  /// - Parameters:
  ///   - recording: the scenario, with decisions applied.
  ///   - pool: the sequence numbers of exchanges whose visitors may change places.
  package init(_ recording: WireRecording, pool: Set<Int> = []) {
    exchanges = recording.exchanges
    timing = TimeComparison(recording)
    visitorCodes = Set(recording.visitorCodes)
    waiting = Dictionary(grouping: recording.exchanges, by: \.endpoint)
    self.pool = VisitorPool(recording.exchanges.filter { pool.contains($0.sequence) })
  }

  /// How many exchanges with an endpoint have begun.
  package func count(of endpoint: WireEndpoint) -> Int {
    order.count { sequence in
      exchanges.contains { $0.sequence == sequence && $0.endpoint == endpoint }
    }
  }

  /// Whether every recorded request has arrived.
  package var isComplete: Bool { waiting.values.allSatisfy(\.isEmpty) }

  /// Judges a request.
  package mutating func take(_ request: ObservedRequest) -> Verdict {
    guard let endpoint = request.endpoint else {
      differences.append("\(request.label): the platform has no such path")
      return .surplus
    }
    guard let exchange = waiting[endpoint]?.first else {
      if isAllowedExtra(request, endpoint) { return extra(endpoint) }
      differences.append("one request more than recorded: \(summary(of: request))")
      return .surplus
    }
    var copy = self
    let difference = copy.difference(between: exchange, and: request)
    if let difference {
      if isAllowedExtra(request, endpoint) { return extra(endpoint) }
      let number = 1 + count(of: endpoint)
      differences.append("\(endpoint) request \(number): \(difference)")
    } else {
      self = copy
    }
    waiting[endpoint]?.removeFirst()
    order.append(exchange.sequence)
    arrivals[exchange.sequence] = Arrival(moment: request.moment, body: request.body)
    return .recorded(exchange.sequence)
  }

  /// Ends the scenario.
  ///
  /// - Returns: everything found wrong, missing requests, order and times included.
  package func finish() -> [String] {
    var found = differences
    for endpoint in WireEndpoint.allCases {
      guard let missing = waiting[endpoint]?.first else { continue }
      let total = exchanges.count { $0.endpoint == endpoint }
      found.append(
        "\(endpoint) request \(total - (waiting[endpoint]?.count ?? 0) + 1) of \(total) did not "
          + "arrive: \(missing.request.method) \(missing.request.path)")
    }
    if extras[.token, default: 0] > extras[.tracking, default: 0] {
      found.append("one token request more than recorded")
    }
    found += orderDifference.map { [$0] } ?? []
    found += timing.differences(arrivals.mapValues(\.moment))
    return found
  }

  // MARK: - One exchange

  private mutating func difference(
    between exchange: RecordedExchange, and request: ObservedRequest
  ) -> String? {
    let comparison = RequestComparison(expected: exchange.request, actual: request)
    if let found = comparison.difference(&placeholders) { return found }
    guard var expected = exchange.request.lines else { return nil }
    let actual: [TrackingLine]
    do throws(WireFormatError) {
      actual = try request.lines()
    } catch {
      return error.description
    }
    if pool.holds(exchange) {
      let chosen = pool.take(exchange, visitors: actual.filter { !$0.isAllowedExtra })
      guard let chosen else {
        return "expected lines of \(pool.visitorCount(of: exchange)) of the visitors "
          + "\(pool.visitors), got \(Set(actual.map(\.visitor.value)).sorted())"
      }
      expected = chosen
    }
    let lines = TrackingComparison(
      expected: expected, actual: actual, userAgent: request.userAgent, visitorCodes: visitorCodes)
    return lines.difference(&nonces) ?? repetitionDifference(exchange, request)
  }

  /// A request that is sent again has the same body.
  private func repetitionDifference(
    _ exchange: RecordedExchange, _ request: ObservedRequest
  ) -> String? {
    guard let earlier = timing.earlierAttempt(of: exchange), let arrival = arrivals[earlier] else {
      return nil
    }
    return arrival.body == request.body ? nil : "the body of the repeated request changed"
  }

  // MARK: - Allowed traffic beyond the recorded one

  private mutating func isAllowedExtra(
    _ request: ObservedRequest, _ endpoint: WireEndpoint
  ) -> Bool {
    switch endpoint {
    case .tracking:
      // A malformed body is no allowed one; the comparison has named what is wrong.
      guard let lines = try? request.lines() else { return false }
      let comparison = TrackingComparison(
        expected: [], actual: lines, userAgent: request.userAgent, visitorCodes: visitorCodes)
      return comparison.hasOnlyExtras && nonces.note(lines) == nil
        && lines.allSatisfy { nonces.noteExtra($0) == nil }
    case .configuration:
      // One conditional fetch after each stream that was established again.
      let isConditional = request.value(of: "If-Modified-Since") != nil
      let isPlain = !request.query.contains("ts=")
      return isConditional && isPlain
        && extras[.configuration, default: 0] < count(of: .events) - 1
    case .token:
      // An activity event needs a token as every other request; whether there is one, the end shows.
      return exchanges.contains { other in
        var copy = placeholders
        let comparison = RequestComparison(expected: other.request, actual: request)
        return other.endpoint == .token && comparison.difference(&copy) == nil
      }
    default: return false
    }
  }

  private mutating func extra(_ endpoint: WireEndpoint) -> Verdict {
    extras[endpoint, default: 0] += 1
    return .extra(endpoint)
  }

  private func summary(of request: ObservedRequest) -> String {
    // The line labels are a help only; a malformed body is shown by its request.
    guard request.endpoint == .tracking, let lines = try? request.lines() else {
      return request.label
    }
    return "\(request.label) with "
      + lines.map { "\($0.label) of \($0.visitor)" }.joined(separator: ", ")
  }

  // MARK: - Order

  /// Requests arrive in the recorded order, over all endpoints; a token that is fetched in the background
  /// may overtake the request that carried the old one.
  private var orderDifference: String? {
    for (position, later) in order.enumerated() {
      for earlier in order[(position + 1)...] where earlier < later {
        guard let first = exchanges.first(where: { $0.sequence == earlier }),
          let second = exchanges.first(where: { $0.sequence == later })
        else { continue }
        let isBackground =
          second.endpoint == .token
          && first.request.headers.contains { $0.name == "Authorization" }
        if !isBackground {
          return "order: \(second.endpoint) arrived before \(first.endpoint) "
            + "(exchange \(later) before \(earlier))"
        }
      }
    }
    return nil
  }
}
