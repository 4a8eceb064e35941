// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleTracking

@Suite("Shared outbox", .timeLimit(.minutes(1)))
struct LeaseTests {
  private func lease(timeout: Duration?) -> Duration {
    Mail(transport: CurlTransport(), tokens: nil, clock: ManualClock()) { body in
      HTTPRequest(method: .post, url: "http://127.0.0.1/", body: body, timeout: timeout)
    }.lease
  }

  @Test("a lease is longer than all attempts of a request, and never longer than a lease may be")
  func lengths() {
    // Two attempts with a token, a transfer and its repetition each, the pause, and the last without.
    #expect(lease(timeout: .seconds(10)) > .seconds(2 * 3 * 10 + 5 + 2 * 10))
    #expect(lease(timeout: .milliseconds(500)) > .seconds(30))
    for timeout: Duration? in [nil, .seconds(60), .seconds(3_600)] {
      #expect(lease(timeout: timeout) > .seconds(8 * 60 + 5))
      #expect(lease(timeout: timeout) <= OutboxClaim.longestLease)
    }
  }

  @Test("what one tracker has on the wire is not sent by another, until the lease has ended")
  func exclusive() async throws {
    let folder = try TemporaryFolder()
    let disk = DiskStore(folder: folder.store)
    try await Bench.with(Bench.Setup { $0.makeStore = { [disk] in disk.make($0) } }) {
      first async throws in
      first.emulator.addFault(.neverAnswer, on: .tracking)
      first.submit(conversion(1), conversion(2))
      let flush = Task { await first.tracker.flush() }
      try await first.emulator.waitForHeldRequests(count: 1)
      let other = Bench.Setup.ofAnotherProcess(disk)
      try await Bench.with(Bench.Setup(other)) { second async throws in
        #expect(await second.tracker.flush().outcome == .nothingToSend)
        second.submit(conversion(3))
        #expect(await second.tracker.flush().events == 1)
        // The process that holds them is taken for dead.
        second.wall.advance(by: .seconds(600))
        #expect(await second.tracker.flush().events == 2)
        #expect(second.acceptedNonces == [100, 1, 2])
      }
      flush.cancel()
      #expect(await flush.value.outcome == .cancelled)
      // What was delivered meanwhile does not come back.
      #expect(await first.tracker.flush().outcome == .nothingToSend)
      #expect(await first.stored() == 0)
    }
  }

  @Test(
    "field case 8: a damaged item is dropped and counted, the others arrive, and none comes back")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    let disk = DiskStore(folder: folder.store)
    try await Bench.with(Bench.Setup { $0.makeStore = { [disk] in disk.make($0) } }) {
      bench async throws in
      bench.submit(conversion(1_111), conversion(2), conversion(3), conversion(4))
      #expect(await bench.tracker.persist() == .durable)
      let store = try #require(bench.store as? SQLiteStorage)
      store.close()
      let url = URL(fileURLWithPath: folder.database)
      var data = try Data(contentsOf: url)
      let place = try #require(data.firstRange(of: Data("goalId=1111".utf8)))
      data[place.lowerBound + 7] = UInt8(ascii: "9")
      try data.write(to: url)
      disk.passRetryInterval()
      #expect(await bench.tracker.flush().events == 3)
      #expect(await bench.tracker.flush().outcome == .nothingToSend)
      #expect(bench.requests.map(\.nonces) == [[2, 3, 4]])
      #expect(await bench.dropped() == [.unreadable: 1])
    }
    try await Bench.with(Bench.Setup { $0.makeStore = { [disk] in disk.make($0) } }) {
      bench async throws in
      #expect(await bench.tracker.flush().outcome == .nothingToSend)
      #expect(await bench.dropped() == [.unreadable: 1])
    }
  }

  @Test("an event is in the outbox with the changes of its visitor's record, or neither is")
  func together() async throws {
    let folder = try TemporaryFolder()
    let disk = DiskStore(folder: folder.store)
    let source = ListSource()
    try await Bench.with(Bench.Setup { $0.makeStore = { [disk] in disk.make($0) } }) {
      bench async throws in
      source.put(
        VisitorEvents(
          identity: .visitorCode("a"), events: [conversion(1)],
          changes: [.write(namespace: "visitors", key: "a", value: [1])]),
        of: "a")
      bench.tracker.setPaused(true)
      bench.tracker.start(source: source)
      bench.tracker.enqueue("a")
      #expect(await bench.tracker.persist() == .durable)
      let other = disk.make(bench.wall.clock)
      #expect(other.statistics().count == 1)
      #expect(other.read(namespace: "visitors", key: "a")?.value == [1])
    }
  }
}

extension Bench.Setup {
  /// A tracker with the same folder, as another process would have it.
  fileprivate static func ofAnotherProcess(_ disk: DiskStore) -> (inout Bench.Setup) -> Void {
    { setup in
      setup.firstNonce = 100
      setup.makeStore = { disk.make($0) }
    }
  }
}
