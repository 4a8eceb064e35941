// SPDX-License-Identifier: Apache-2.0

import AnoleStorage

/// A store on this machine, which can be read without waiting for anything but the disk.
///
/// `create` returns with the stored data file in force, so it reads the store itself.
protocol LocalStore: StateStore {
  /// Reads a record on the calling thread.
  func recordNow(namespace: String, key: String) -> Record?

  /// Closes what is open; a later operation opens it again.
  func closeNow()
}

extension SQLiteStorage: LocalStore {
  func recordNow(namespace: String, key: String) -> Record? { read(namespace: namespace, key: key) }

  func closeNow() { close() }
}

extension InMemoryStorage: LocalStore {
  func recordNow(namespace: String, key: String) -> Record? { read(namespace: namespace, key: key) }

  func closeNow() {}
}
