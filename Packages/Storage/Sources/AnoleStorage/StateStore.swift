// SPDX-License-Identifier: Apache-2.0

/// Records and an outbox in one store, which change together.
///
/// Whoever turns a record into items for the outbox needs both or neither after a crash: an item that
/// is appended while its record still says "to be sent" would be appended again.
public protocol StateStore: RecordStore, Outbox {
  /// Appends items in order and makes changes to records, all or none of which survive a crash.
  ///
  /// What cannot be written is held in memory, items and changes alike.
  @discardableResult
  func append(_ items: [OutboxItem], applying changes: [RecordChange]) async -> WriteOutcome
}
