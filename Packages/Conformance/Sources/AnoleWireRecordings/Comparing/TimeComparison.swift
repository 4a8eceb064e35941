// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Compares the times between requests with the recorded ones, where times were recorded.
///
/// | recorded time | rule |
/// | --- | --- |
/// | between two attempts of one request, up to a reconnect, up to a new token | within 20 percent (and 200 ms) |
/// | up to a request caused by a tracking interval | at most one interval and 20 percent later |
/// | in a scenario whose refresh interval is a fraction of a minute | as a share of the interval, within 20 percent of it |
struct TimeComparison: Sendable {
  /// The interval that takes the place of a fraction of a minute, the least that the client allows.
  static let shortestRefresh = Duration.seconds(60)

  private let exchanges: [RecordedExchange]
  private let refreshMinutes: Double?
  private let trackingInterval: Double

  init(_ recording: WireRecording) {
    exchanges = recording.exchanges
    refreshMinutes = recording.refreshIntervalMinutes.flatMap { $0 < 1 ? $0 : nil }
    let interval = recording.settings["trackingIntervalMillisecond"]?.doubleValue ?? 1_000
    trackingInterval = min(max(interval, 1_000), 5_000)
  }

  /// The latest earlier exchange that carried the same events.
  func earlierAttempt(of exchange: RecordedExchange) -> Int? {
    guard let lines = exchange.request.lines, !lines.isEmpty else { return nil }
    let nonces = Set(lines.map(\.nonce))
    let earlier = exchanges.last { other in
      other.sequence < exchange.sequence && other.endpoint == .tracking
        && Set((other.request.lines ?? []).map(\.nonce)) == nonces
    }
    return earlier?.sequence
  }

  /// What is wrong with the moments at which exchanges began.
  func differences(_ moments: [Int: Duration]) -> [String] {
    exchanges.compactMap { exchange in
      exchange.millisecondsAfterPrevious == nil ? nil : difference(of: exchange, moments)
    }
  }

  private func difference(of exchange: RecordedExchange, _ moments: [Int: Duration]) -> String? {
    let same = exchanges.filter { $0.endpoint == exchange.endpoint }
    guard let position = same.firstIndex(of: exchange), position > 0 else { return nil }
    let isScaled = refreshMinutes != nil && exchange.endpoint != .tracking
    let origin =
      isScaled
      ? same[0].sequence : earlierAttempt(of: exchange) ?? same[position - 1].sequence
    guard let start = moments[origin], let end = moments[exchange.sequence] else { return nil }
    let recorded = same.filter { $0.sequence > origin && $0.sequence <= exchange.sequence }
      .reduce(0.0) { $0 + Double($1.millisecondsAfterPrevious ?? 0) }
    let actual = Self.milliseconds(end - start)
    let (least, most) = bounds(of: exchange, recorded: recorded, isScaled: isScaled)
    guard actual < least || actual > most else { return nil }
    return "\(exchange.endpoint) (exchange \(exchange.sequence)) came \(Int(actual)) ms after "
      + "exchange \(origin); allowed are \(Int(least)) to \(Int(most)) ms"
  }

  private func bounds(
    of exchange: RecordedExchange, recorded: Double, isScaled: Bool
  ) -> (Double, Double) {
    if isScaled, let refreshMinutes {
      let unit = Self.milliseconds(Self.shortestRefresh)
      let wanted = recorded / (refreshMinutes * 60_000) * unit
      return (wanted - 0.2 * unit, wanted + 0.2 * unit)
    }
    if exchange.endpoint == .tracking, earlierAttempt(of: exchange) == nil {
      return (0, (recorded + trackingInterval) * 1.2)
    }
    return (recorded * 0.8, recorded * 1.2 + 200)
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
  }
}
