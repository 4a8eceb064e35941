// SPDX-License-Identifier: Apache-2.0

/// A monotonic clock whose type is hidden: for measuring spans and for waiting.
///
/// Components take `some Clock<Duration>` in their initialiser and keep it as a `TimeSource`, so that they
/// need not be generic. Moments are durations since the origin, which is when the source was made; moments
/// of two sources have nothing to do with each other.
public struct TimeSource: Sendable {
  private let read: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async throws -> Void

  /// A source over `ContinuousClock`, which also advances while the system sleeps.
  public static var continuous: TimeSource { TimeSource(ContinuousClock()) }

  /// Makes a source over a clock; its origin is the clock's time now.
  public init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let origin = clock.now
    read = { origin.duration(to: clock.now) }
    wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }

  /// The time since the origin.
  public var now: Duration { read() }

  /// Suspends the task until a span has passed.
  ///
  /// - Parameter duration: How long; zero and negative spans return at once.
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now + duration)
  }

  /// Suspends the task until a moment.
  ///
  /// - Parameter moment: A duration since the origin; a moment in the past returns at once.
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(until moment: Duration) async throws {
    try await wait(moment)
  }
}
