// SPDX-License-Identifier: Apache-2.0

/// Decides which of the waiting events travel together (network specification, section 3.2).
///
/// Visitors are taken whole, in the order in which they wait, until the lines so far have more
/// characters than the limit; that is checked before a visitor is added. A visitor here is a run of
/// events of one identity. Only a run of more than twice the limit is split, since the server could
/// not take it.
///
/// A pure value.
struct BatchPlan: Sendable {
  /// What a request may carry.
  struct Allowance: Sendable, Equatable {
    /// The most events, even if that splits a visitor; nil for no limit.
    var events: Int?
    /// Whether only one visitor is taken.
    var isSingleVisitor = false
  }

  /// How many items are claimed at once: enough for a step's overhead not to count, and few enough
  /// that what was claimed in vain is cheap to give back.
  static let largestClaim = 8_192
  /// How many items are claimed at once where the end of a visitor is looked for.
  static let smallClaim = 64

  private(set) var lines: [StoredLine] = []
  private(set) var characters = 0
  private(set) var isFull = false
  private var runCharacters = 0
  private let limit: Int
  private let allowance: Allowance

  init(characterLimit: Int, allowance: Allowance = Allowance()) {
    limit = characterLimit
    self.allowance = allowance
  }

  /// How many items, and bytes of items, to claim next.
  var nextClaim: (count: Int, bytes: Int) {
    let room = allowance.events.map { max(1, $0 - lines.count) } ?? Self.largestClaim
    guard characters <= limit, !allowance.isSingleVisitor else {
      return (min(room, Self.smallClaim), limit)
    }
    return (min(room, Self.largestClaim), limit - characters + 1)
  }

  /// Takes the next event, if it still belongs to this batch; otherwise the batch is full.
  mutating func take(_ line: StoredLine) -> Bool {
    guard !isFull, mayTake(line) else {
      isFull = true
      return false
    }
    if lines.last?.identity != line.identity { runCharacters = 0 }
    lines.append(line)
    characters += line.line.count
    runCharacters += line.line.count
    if let most = allowance.events, lines.count >= most { isFull = true }
    return true
  }

  private func mayTake(_ line: StoredLine) -> Bool {
    guard let last = lines.last else { return true }
    if last.identity == line.identity { return runCharacters <= 2 * limit }
    return !allowance.isSingleVisitor && characters <= limit
  }

  /// The lines in the order in which they are sent.
  ///
  /// The lines of each visitor lie together, by kind and then by age (section 3.3), even if they
  /// were handed over at different times. Activity is left out where the visitor has another line,
  /// which says the same (section 3.8).
  ///
  /// - Returns: The lines, each with whether it is the first of its visitor.
  consuming func arranged() -> [(line: StoredLine, isFirst: Bool)] {
    var visitors: [ArraySlice<UInt8>: Int] = [:]
    var hasMore: [Bool] = []
    var places: [(visitor: Int, rank: UInt8, position: Int)] = []
    places.reserveCapacity(lines.count)
    for (position, line) in lines.enumerated() {
      let visitor = visitors[line.identity] ?? hasMore.count
      if visitor == hasMore.count {
        visitors[line.identity] = visitor
        hasMore.append(false)
      }
      if line.rank != StoredLine.activityRank { hasMore[visitor] = true }
      places.append((visitor, line.rank, position))
    }
    places.sort { $0 < $1 }
    var arranged: [(line: StoredLine, isFirst: Bool)] = []
    arranged.reserveCapacity(places.count)
    var current = -1
    for place in places {
      let isActivity = place.rank == StoredLine.activityRank
      let isFirst = place.visitor != current
      if isActivity && (hasMore[place.visitor] || !isFirst) { continue }
      current = place.visitor
      arranged.append((lines[place.position], isFirst))
    }
    return arranged
  }
}
