// SPDX-License-Identifier: Apache-2.0

/// Exchanges among which it does not count which visitor travels in which: only how many do, and that in
/// the end all have.
struct VisitorPool: Sendable {
  private let counts: [Int: Int]
  private var lines: [TrackingLine]

  init(_ exchanges: [RecordedExchange]) {
    var counts: [Int: Int] = [:]
    for exchange in exchanges {
      counts[exchange.sequence] = Set((exchange.request.lines ?? []).map(\.visitor)).count
    }
    self.counts = counts
    lines = exchanges.flatMap { $0.request.lines ?? [] }
  }

  /// The visitors that have not travelled yet.
  var visitors: [String] { Set(lines.map(\.visitor.value)).sorted() }

  /// Whether the exchange is one of those.
  func holds(_ exchange: RecordedExchange) -> Bool { counts[exchange.sequence] != nil }

  /// How many visitors travel in an exchange.
  func visitorCount(of exchange: RecordedExchange) -> Int { counts[exchange.sequence] ?? 0 }

  /// Takes the lines of the visitors that an exchange carries.
  ///
  /// - Parameters:
  ///   - exchange: the exchange.
  ///   - actual: its lines.
  /// - Returns: the recorded lines of these visitors; nil if they are not as many as recorded, or not
  ///   among those left.
  mutating func take(
    _ exchange: RecordedExchange, visitors actual: [TrackingLine]
  ) -> [TrackingLine]? {
    let chosen = Set(actual.map(\.visitor))
    guard chosen.count == visitorCount(of: exchange),
      chosen.isSubset(of: Set(lines.map(\.visitor)))
    else { return nil }
    defer { lines.removeAll { chosen.contains($0.visitor) } }
    return lines.filter { chosen.contains($0.visitor) }
  }
}
