// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// The time of an evaluation, passed in by the caller.
public struct Moment: Sendable, Hashable {
  /// The caller's clock.
  public let now: Timestamp
  /// The last local midnight: where "today" begins for visit conditions (section 4.7).
  public let startOfDay: Timestamp

  private static let millisecondsPerDay: Int64 = 86_400_000
  private static let secondsPerDay = 86_400

  /// A moment with a known start of the day.
  public init(now: Timestamp, startOfDay: Timestamp) {
    self.now = now
    self.startOfDay = startOfDay
  }

  /// A moment in a time zone with a fixed offset.
  ///
  /// - Parameters:
  ///   - now: the caller's clock.
  ///   - utcOffsetSeconds: the zone's offset from UTC at that time, in seconds, east positive, at
  ///     most a day; default UTC.
  public init(now: Timestamp, utcOffsetSeconds: Int = 0) {
    let offset = Int64(min(max(utcOffsetSeconds, -Self.secondsPerDay), Self.secondsPerDay)) * 1000
    let local = now.milliseconds &+ offset
    let day = local >= 0 ? local % Self.millisecondsPerDay : Self.positiveRemainder(of: local)
    self.init(now: now, startOfDay: Timestamp(milliseconds: now.milliseconds &- day))
  }

  private static func positiveRemainder(of time: Int64) -> Int64 {
    let remainder = time % millisecondsPerDay
    return remainder < 0 ? remainder + millisecondsPerDay : remainder
  }
}

/// The name and version by which an SDK is known to `SDK_LANGUAGE` conditions.
public struct SDKIdentity: Sendable, Hashable {
  /// The name literal, compared exactly.
  public let name: String
  /// The version, read by the rules of section 6.1.
  public let version: String

  /// Makes an identity.
  public init(name: String = "SWIFT", version: String) {
    self.name = name
    self.version = version
  }
}
