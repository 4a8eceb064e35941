// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// How much a store keeps.
///
/// What passes a limit is dropped, oldest first, and counted.
///
/// Several processes on one store check the limits of the outbox against their own writes at once and
/// against those of the others every hundredth of the limit, so together they may pass it by that much.
public struct StorageLimits: Sendable, Hashable {
  /// The most items in the outbox; 100,000 by default, at least 1.
  public var outboxCount: Int
  /// The most bytes of bodies in the outbox; 64 MiB by default.
  public var outboxBytes: Int
  /// The longest time an item waits; 30 days by default.
  ///
  /// It is looked at when items are claimed.
  public var outboxAge: Duration
  /// The most bytes of records that are held in memory; 32 MiB by default.
  public var memoryRecordBytes: Int

  /// The largest record or item: larger ones are refused, since they pass through memory in one piece.
  public static let largestValue = 64 << 20

  /// The longest namespace or key in bytes.
  public static let largestKey = 64 << 10

  /// Makes limits; see the properties for the defaults.
  public init(
    outboxCount: Int = 100_000,
    outboxBytes: Int = 64 << 20,
    outboxAge: Duration = .seconds(30 * 86_400),
    memoryRecordBytes: Int = 32 << 20
  ) {
    self.outboxCount = max(1, outboxCount)
    self.outboxBytes = max(0, outboxBytes)
    self.outboxAge = outboxAge
    self.memoryRecordBytes = max(0, memoryRecordBytes)
  }

  /// The largest item that the outbox takes.
  var largestItem: Int { min(outboxBytes, Self.largestValue) }

  /// Items accepted before this time are too old.
  func oldestAcceptable(at now: Int64) -> Int64 {
    let (limit, overflow) = now.subtractingReportingOverflow(outboxAge.wholeMilliseconds)
    return overflow ? .min : limit
  }
}
