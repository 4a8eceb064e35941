// SPDX-License-Identifier: Apache-2.0

import AnoleRemoteFlags
import AnoleStorage
import AnoleStorageTesting

/// A store on disk that keeps its folder as long as it lives.
final class DiskStore: RemoteFlagsStore {
  let folder: TemporaryFolder
  private let storage: SQLiteStorage

  /// Opens the store of a folder; of a new one if none is given.
  init(_ folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder(isInMemory: true)
    self.folder = folder
    var configuration = SQLiteStorage.Configuration(folder: folder.store)
    configuration.durability = .normal
    storage = SQLiteStorage(configuration)
  }

  func read(namespace: String, key: String) -> Record? {
    storage.read(namespace: namespace, key: key)
  }

  func apply(_ changes: [RecordChange]) -> WriteOutcome { storage.apply(changes) }

  func keys(namespace: String) -> [String] { storage.keys(namespace: namespace) }

  func close() { storage.close() }
}
