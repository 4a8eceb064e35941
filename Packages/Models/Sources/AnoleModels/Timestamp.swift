// SPDX-License-Identifier: Apache-2.0

/// A moment in whole milliseconds since the Unix epoch, UTC.
///
/// The clock is the caller's: nothing in this package reads the system time.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// A moment by its milliseconds since the epoch.
  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Earlier before later.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
