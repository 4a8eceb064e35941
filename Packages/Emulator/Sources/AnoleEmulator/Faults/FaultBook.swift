// SPDX-License-Identifier: Apache-2.0

/// The faults that wait for requests, per route, first come first served.
struct FaultBook: Sendable {
  private struct Entry: Sendable {
    let fault: Fault
    /// How many requests it is still for; nil until cleared.
    var left: Int?
  }

  /// How many faults may wait for one route; a script with more is most likely a loop gone wrong.
  static let maximumEntries = 10_000

  private var entries: [Route: [Entry]] = [:]

  /// Adds a fault after those that wait already; false where there are too many.
  mutating func add(_ fault: Fault, to route: Route, times: Int?) -> Bool {
    if let times, times < 1 { return true }
    guard entries[route, default: []].count < Self.maximumEntries else { return false }
    entries[route, default: []].append(Entry(fault: fault, left: times))
    return true
  }

  mutating func clear(_ route: Route?) {
    if let route { entries[route] = nil } else { entries = [:] }
  }

  /// The fault for the next request, without using it up.
  func next(for route: Route) -> Fault? { entries[route]?.first?.fault }

  /// The fault for a request, used up by it.
  mutating func take(for route: Route) -> Fault? {
    guard let entry = entries[route]?.first else { return nil }
    if let left = entry.left {
      if left > 1 { entries[route]?[0].left = left - 1 } else { entries[route]?.removeFirst() }
    }
    return entry.fault
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
}
