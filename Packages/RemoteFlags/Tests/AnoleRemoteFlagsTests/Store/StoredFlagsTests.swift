// SPDX-License-Identifier: Apache-2.0

import AnoleStorage
import AnoleStorageTesting
import Testing

@testable import AnoleRemoteFlags

@Suite("What is stored, for tools")
struct StoredFlagsTests {
  private func stored(_ changes: [RecordChange]) throws -> StoredRemoteFlags? {
    let folder = try TemporaryFolder()
    let store = SQLiteStorage(SQLiteStorage.Configuration(folder: folder.store))
    store.apply(changes)
    store.close()
    return StoredRemoteFlags(
      try StorageInspection(folder: folder.store, reading: StoredRemoteFlags.namespaces))
  }

  @Test("tells device, user and answers, and counts those that cannot be read")
  func answers() throws {
    let answer = #"""
      {"schema": 1, "application": "A1B2C-D3E4F", "user_id": "anna", "requested_at": 1.5,
       "flags": []}
      """#
    let stored = try #require(
      try stored([
        StoreRecords.device("device-1"), StoreRecords.user("anna"),
        .write(namespace: StoreRecords.sets, key: "A1B2C-D3E4F", value: Array(answer.utf8)),
        .write(namespace: StoreRecords.sets, key: "ZZZZZ-ZZZZZ", value: [1]),
      ]))
    #expect(stored.deviceID == "device-1")
    #expect(stored.userID == "anna")
    #expect(stored.answers.map(\.application) == ["A1B2C-D3E4F"])
    #expect(stored.answers.map(\.user) == ["anna"])
    #expect(stored.answers.map(\.requestedAt) == [1_500])
    #expect(stored.answers.map(\.keys) == [[]])
    #expect(stored.unreadableAnswers == 1)
  }

  @Test("a store that no client of remote flags has used has none")
  func other() throws {
    #expect(try stored([.write(namespace: "other", key: "k", value: [1])]) == nil)
  }
}
