// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The time of day, for what is stored or sent: milliseconds since 1970-01-01T00:00:00Z.
///
/// It can jump, forwards and backwards, when the system's clock is set. For waiting and for measuring use
/// ``TimeSource``.
public struct WallClock: Sendable {
  private let read: @Sendable () -> Int64

  /// The clock of the system.
  public static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The clock of the system at its last tick, at most 10 ms behind ``system``.
  ///
  /// A fifth of the cost, for times that are taken with every call of a hot path. On Apple systems
  /// the same as ``system``.
  public static let coarse = WallClock {
    #if canImport(Darwin)
      return system.milliseconds
    #else
      var time = timespec()
      clock_gettime(CLOCK_REALTIME_COARSE, &time)
      return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    #endif
  }

  /// Makes a clock from a closure.
  ///
  /// - Parameter milliseconds: Returns the time now in milliseconds since the epoch; called on any thread.
  public init(_ milliseconds: @escaping @Sendable () -> Int64) {
    read = milliseconds
  }

  /// The time now in milliseconds since the epoch.
  public var milliseconds: Int64 { read() }

  /// The time now in whole seconds since the epoch, rounded down.
  public var seconds: Int64 {
    let now = read()
    return now >= 0 ? now / 1_000 : -((999 - now) / 1_000)
  }
}
