// SPDX-License-Identifier: Apache-2.0

public import AnoleStorage

/// Where a client keeps the flags, the user and the device's id between processes.
///
/// `SQLiteStorage` keeps them in a file, `InMemoryStorage` for as long as it lives. The calls are
/// synchronous, since the flags of a former user have to be gone before the change of user returns. While
/// one is made no other is: neither a store nor its reports may call the client on the same thread.
public protocol RemoteFlagsStore: Sendable {
  /// Reads a record, whole as it was written; nil when there is none or it cannot be read.
  func read(namespace: String, key: String) -> Record?

  /// Makes several changes in order, all or none of which survive a crash.
  @discardableResult
  func apply(_ changes: [RecordChange]) -> WriteOutcome

  /// The keys of a namespace.
  func keys(namespace: String) -> [String]
}

extension SQLiteStorage: RemoteFlagsStore {}

extension InMemoryStorage: RemoteFlagsStore {}
