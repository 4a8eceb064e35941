// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking
import AnoleStorage
import Foundation
import Testing

@testable import kameleoonClient

@Suite("What is stored, for tools")
struct StoredStateTests {
  private func stored(_ changes: [RecordChange]) throws -> StoredClientState? {
    let folder = FileManager.default.temporaryDirectory.path + "/anole-stored-\(UUID())"
    defer {
      // What cannot be removed is left to the system.
      try? FileManager.default.removeItem(atPath: folder)
    }
    let store = SQLiteStorage(SQLiteStorage.Configuration(folder: folder))
    store.apply(changes)
    store.close()
    return StoredClientState(
      try StorageInspection(folder: folder, reading: StoredClientState.namespaces))
  }

  @Test("tells the data file, the visitor in use and how many are kept")
  func contents() throws {
    let file = StoredDataFile(
      scope: StoredDataFile.Scope(siteCode: "shop", environment: "staging", networkDomain: nil),
      validators: CacheValidators(lastModified: "yesterday", entityTag: "\"1\""),
      fetchedAt: Timestamp(milliseconds: 1_500), bytes: Array("{}".utf8))
    let state = try #require(
      try stored([
        .write(namespace: "project", key: "data-file", value: file.encoded),
        .write(namespace: "project", key: "visitor-code", value: Array("anna".utf8)),
        .write(namespace: "visitors", key: "anna", value: [1]),
        .write(namespace: "visitors", key: "ben", value: [2]),
      ]))
    let found = try #require(state.dataFile)
    #expect(found.siteCode == "shop" && found.environment == "staging")
    #expect(found.networkDomain == nil)
    #expect(found.lastModified == "yesterday" && found.entityTag == "\"1\"")
    #expect(found.fetchedAt == Date(timeIntervalSince1970: 1.5))
    #expect(found.bytes == Array("{}".utf8))
    #expect(!state.isDataFileUnreadable)
    #expect(state.visitorCode == "anna")
    #expect(state.visitorCount == 2)
  }

  @Test("a data file that is not whole is told as such; another program's store is nil")
  func unreadable() throws {
    let state = try #require(
      try stored([.write(namespace: "project", key: "data-file", value: [1, 2, 3])]))
    #expect(state.dataFile == nil)
    #expect(state.isDataFileUnreadable)
    #expect(try stored([.write(namespace: "other", key: "k", value: [1])]) == nil)
  }
}
