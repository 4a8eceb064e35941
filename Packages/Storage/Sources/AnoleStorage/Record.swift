// SPDX-License-Identifier: Apache-2.0

/// A stored value and when it was written.
public struct Record: Sendable, Hashable {
  /// The bytes, as they were written.
  public let value: [UInt8]
  /// When they were written: milliseconds since the epoch, by the store's wall clock.
  public let writtenAt: Int64

  /// Makes a record.
  public init(value: [UInt8], writtenAt: Int64) {
    self.value = value
    self.writtenAt = writtenAt
  }

  /// How old the record is at a time; zero if the clock was set back since it was written.
  ///
  /// - Parameter now: Milliseconds since the epoch.
  public func age(at now: Int64) -> Duration {
    let (age, overflow) = now.subtractingReportingOverflow(writtenAt)
    return .milliseconds(overflow ? 0 : max(0, age))
  }
}

/// One step of a batch of changes to records.
public enum RecordChange: Sendable, Hashable {
  /// Writes a value in place of what was there.
  case write(namespace: String, key: String, value: [UInt8])
  /// Removes a record, if it is there.
  case remove(namespace: String, key: String)
}

/// Where a change is when the call that made it returns.
public enum WriteOutcome: Sendable, Hashable {
  /// It is in the store, as safe as the store's level of durability says.
  case durable
  /// It is in this process's memory and is lost with it, unless the store takes it later.
  case memory
}
