// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// The faults that wait for requests, per route, first come first served; those that requests meet by
/// chance; and how long requests take.
struct FaultBook: Sendable {
  private struct Entry: Sendable {
    let fault: Fault
    /// How many requests it is still for; nil until cleared.
    var left: Int?
  }

  private struct Chance: Sendable {
    let fault: Fault
    /// The route; nil for all.
    let route: Route?
    let probability: Double
  }

  /// How many faults may wait for one route; a script with more is most likely a loop gone wrong.
  static let maximumEntries = 10_000
  /// How many faults may be met by chance: each of them is drawn with every request.
  static let maximumChances = 1_000

  private var entries: [Route: [Entry]] = [:]
  private var chances: [Chance] = []
  private var latencies: [Route?: ClosedRange<Duration>] = [:]

  /// Adds a fault after those that wait already; false where there are too many.
  mutating func add(_ fault: Fault, to route: Route, times: Int?) -> Bool {
    if let times, times < 1 { return true }
    guard entries[route, default: []].count < Self.maximumEntries else { return false }
    entries[route, default: []].append(Entry(fault: fault, left: times))
    return true
  }

  /// Adds a fault that each request of a route (nil: of all) meets by chance; false where there are too
  /// many.
  mutating func add(_ fault: Fault, to route: Route?, probability: Double) -> Bool {
    guard chances.count < Self.maximumChances else { return false }
    chances.append(Chance(fault: fault, route: route, probability: probability))
    return true
  }

  /// Forgets faults, those of all routes with nil.
  mutating func clear(_ route: Route?) {
    guard let route else {
      entries = [:]
      chances = []
      return
    }
    entries[route] = nil
    chances.removeAll { $0.route == route }
  }

  /// Whether the connection of a request is closed now that its head has arrived.
  mutating func closesBeforeReading(_ route: Route, _ random: inout SplitMix64) -> Bool {
    if let entry = entries[route]?.first {
      guard entry.fault.action == .closeBeforeReading else { return false }
      _ = takeEntry(for: route)
      return true
    }
    return draw(for: route, &random) { $0.action == .closeBeforeReading } != nil
  }

  /// The fault for a complete request: the first that waits, used up by it, or else one by chance.
  mutating func take(for route: Route, _ random: inout SplitMix64) -> Fault? {
    takeEntry(for: route) ?? draw(for: route, &random) { $0.action != .closeBeforeReading }
  }

  private mutating func takeEntry(for route: Route) -> Fault? {
    guard let entry = entries[route]?.first else { return nil }
    if let left = entry.left {
      if left > 1 { entries[route]?[0].left = left - 1 } else { entries[route]?.removeFirst() }
    }
    return entry.fault
  }

  /// The first fault whose chance comes true; each is drawn on its own.
  private func draw(
    for route: Route, _ random: inout SplitMix64, where isMeant: (Fault) -> Bool
  ) -> Fault? {
    for chance in chances where chance.route == nil || chance.route == route {
      guard isMeant(chance.fault) else { continue }
      if Double.random(in: 0..<1, using: &random) < chance.probability { return chance.fault }
    }
    return nil
  }

  /// How many requests each route's faults are for; -1 means until cleared.
  func pending(for route: Route) -> Int {
    var sum = 0
    for entry in entries[route] ?? [] {
      guard let left = entry.left else { return -1 }
      sum += left
    }
    return sum
  }

  // MARK: - Latency

  /// Sets how long each request of a route (nil: of all without a time of their own) takes.
  mutating func setLatency(_ latency: ClosedRange<Duration>?, for route: Route?) {
    latencies[route] = latency
  }

  /// How long a request takes; all times of the range are equally likely.
  func latency(for route: Route, _ random: inout SplitMix64) -> Duration {
    guard let range = latencies[route] ?? latencies[nil] else { return .zero }
    let span = range.upperBound - range.lowerBound
    return range.lowerBound + span * Double.random(in: 0...1, using: &random)
  }
}
