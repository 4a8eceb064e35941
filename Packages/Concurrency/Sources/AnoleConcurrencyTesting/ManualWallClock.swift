// SPDX-License-Identifier: Apache-2.0

public import AnoleConcurrency

/// A time of day that a test sets.
public final class ManualWallClock: Sendable {
  private let time: Lock<Int64>

  /// Makes a clock that stands at a time.
  ///
  /// - Parameter milliseconds: Milliseconds since the epoch; by default 2023-11-14T22:13:20Z.
  public init(milliseconds: Int64 = 1_700_000_000_000) {
    time = Lock(milliseconds)
  }

  /// The time it shows, in milliseconds since the epoch; may be set to any value, an earlier one too.
  public var milliseconds: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  /// Moves the time, backwards too.
  public func advance(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    time.withLock { $0 += seconds * 1_000 + attoseconds / 1_000_000_000_000_000 }
  }

  /// The clock as the code under test takes it; it follows this object.
  public var clock: WallClock { WallClock { self.milliseconds } }
}
