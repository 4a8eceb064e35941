// SPDX-License-Identifier: Apache-2.0

import AnoleStorage
import Testing

@Suite("Calls without a protocol")
struct OverloadTests {
  @Test("a store is called with and without `await`, in async code too")
  func both() async throws {
    let store = try Fixture().store
    store.write([1], namespace: "n", key: "k")
    store.remove(namespace: "n", key: "k")
    store.append([item("1"), item("2")])
    let claim = store.claim(upTo: 1, bytes: 9, lease: .seconds(9))
    store.acknowledge(claim.receipts)
    store.release(store.claim(upTo: 1, bytes: 9, lease: .seconds(9)).receipts)
    let shared: any RecordStore & Outbox = store
    await shared.write([1], namespace: "n", key: "k")
    #expect(await shared.read(namespace: "n", key: "k")?.value == [1])
    await shared.acknowledge(shared.claim(upTo: 1, bytes: 9, lease: .seconds(9)).receipts)
    #expect(store.statistics().count == 0)
    let memory = InMemoryStorage()
    memory.write([1], namespace: "n", key: "k")
    memory.remove(namespace: "n", key: "k")
    memory.acknowledge(memory.claim(upTo: 1, bytes: 9, lease: .seconds(9)).receipts)
    #expect(memory.keys(namespace: "n").isEmpty)
  }
}
