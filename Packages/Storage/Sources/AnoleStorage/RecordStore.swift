// SPDX-License-Identifier: Apache-2.0

/// Values under keys in namespaces, with their age.
///
/// Namespaces and keys are any strings; two are the same when their UTF-8 bytes are, without normalisation.
/// A store on this machine may implement the requirements without `async`; it is then called without `await`
/// wherever its type is known. No operation fails: what a store cannot keep it holds in memory, and it reports that once.
public protocol RecordStore: Sendable {
  /// Reads a record.
  ///
  /// - Returns: The record, whole as it was written; `nil` when there is none or it cannot be read.
  func read(namespace: String, key: String) async -> Record?

  /// Makes several changes in order, all or none of which survive a crash.
  @discardableResult
  func apply(_ changes: [RecordChange]) async -> WriteOutcome

  /// Writes one value in place of what was there.
  @discardableResult
  func write(_ value: [UInt8], namespace: String, key: String) async -> WriteOutcome

  /// Removes one record, if it is there.
  @discardableResult
  func remove(namespace: String, key: String) async -> WriteOutcome

  /// Removes all records of a namespace.
  @discardableResult
  func removeAll(namespace: String) async -> WriteOutcome

  /// Removes the records of all namespaces that were written longer ago than a span.
  @discardableResult
  func removeRecords(olderThan age: Duration) async -> WriteOutcome

  /// The keys of a namespace in the order of their UTF-8 bytes.
  func keys(namespace: String) async -> [String]
}

/// A record's place, compared by bytes: Swift's `String` would take a composed and a decomposed é as one.
struct RecordKey: Hashable, Sendable {
  let namespace: [UInt8]
  let key: [UInt8]

  init(_ namespace: String, _ key: String) {
    self.namespace = Array(namespace.utf8)
    self.key = Array(key.utf8)
  }
}

extension RecordChange {
  var place: RecordKey {
    switch self {
    case .write(let namespace, let key, _), .remove(let namespace, let key):
      RecordKey(namespace, key)
    }
  }
}
