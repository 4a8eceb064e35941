// SPDX-License-Identifier: Apache-2.0

/// The rules for configured times: defaults and limits.
///
/// | parameter | default | rule |
/// | --- | --- | --- |
/// | `trackingIntervalMillisecond` | 1,000 | clamped to 1,000…5,000, with a warning |
/// | `refreshIntervalMinute` | 60 | 0 and less: the default, with a warning |
/// | `defaultTimeoutMillisecond` | 10,000 | 0 and less: the default, with a warning |
/// | `activityTrackingIntervalMillisecond` | 60,000 | 0: off; other values below: 60,000 |
/// | `dataExpirationIntervalMinute` | never | 0 and less: never |
public enum ParameterValues: Sendable {
  /// A value in force and what to tell the developer.
  public struct Effective<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    public let value: Value
    /// A sentence for a warning; nil if the configured value is in force.
    public let warning: String?
  }

  /// The limits of the tracking interval, in milliseconds; the lower one is the default.
  public static let trackingIntervalRange = 1_000...5_000
  /// The default of the refresh interval, in minutes.
  public static let defaultRefreshInterval = 60
  /// The default of the time limit, in milliseconds.
  public static let defaultTimeout = 10_000
  /// Default and least value of the activity interval, in milliseconds.
  public static let activityInterval = 60_000

  /// A hundred years in minutes: more than a process lives.
  ///
  /// Longer spans count as this, so that sums of times cannot overflow.
  private static let longestSpan = 52_560_000

  /// The interval of tracking requests.
  public static func trackingInterval(milliseconds: Int?) -> Effective<Duration> {
    let range = trackingIntervalRange
    guard let given = milliseconds else { return plain(.milliseconds(range.lowerBound)) }
    let value = min(max(given, range.lowerBound), range.upperBound)
    guard value != given else { return plain(.milliseconds(value)) }
    return replaced("trackingIntervalMillisecond", given, value) { .milliseconds($0) }
  }

  /// The interval of fetching the data file.
  public static func refreshInterval(minutes: Int?) -> Effective<Duration> {
    guard let given = minutes else { return plain(.seconds(defaultRefreshInterval * 60)) }
    guard given > 0 else {
      return replaced("refreshIntervalMinute", given, defaultRefreshInterval) {
        .seconds($0 * 60)
      }
    }
    return plain(.seconds(min(given, longestSpan) * 60))
  }

  /// The time limit of one attempt.
  public static func timeout(milliseconds: Int?) -> Effective<Duration> {
    guard let given = milliseconds else { return plain(.milliseconds(defaultTimeout)) }
    guard given > 0 else {
      return replaced("defaultTimeoutMillisecond", given, defaultTimeout) { .milliseconds($0) }
    }
    return plain(.milliseconds(min(given, longestSpan * 60_000)))
  }

  /// The interval of activity events; a nil value means that there are none after the first.
  public static func activityInterval(milliseconds: Int?) -> Effective<Duration?> {
    guard let given = milliseconds else { return plain(.milliseconds(activityInterval)) }
    guard given != 0 else { return plain(nil) }
    guard given >= activityInterval else {
      return replaced("activityTrackingIntervalMillisecond", given, activityInterval) {
        .milliseconds($0)
      }
    }
    return plain(.milliseconds(min(given, longestSpan * 60_000)))
  }

  /// The time after which a visitor's data expire; nil for never.
  public static func dataExpiration(minutes: Int?) -> Duration? {
    guard let minutes, minutes > 0 else { return nil }
    return .seconds(min(minutes, longestSpan) * 60)
  }

  private static func plain<Value>(_ value: Value) -> Effective<Value> {
    Effective(value: value, warning: nil)
  }

  private static func replaced<Value>(
    _ parameter: String, _ given: Int, _ used: Int, _ value: (Int) -> Value
  ) -> Effective<Value> {
    Effective(value: value(used), warning: "\(parameter): \(given) is not allowed; \(used) is used")
  }
}
