// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleStorageTesting
import Foundation
import Testing

@testable import AnoleRemoteFlags

@Suite("Concurrency, clocks, files (section 1.9)")
struct ConcurrencyTests {
  @Test("RF-84: calls during a request share it: one request, one listener round, each completion")
  func coalesced() async {
    let rig = Rig(ScriptedServer())
    let numbers = Lock<[Int?]>([])
    await rig.activate()
    for _ in 0..<5 {
      rig.client.refresh { error in numbers.withLock { $0.append(error?.number) } }
    }
    await rig.settle()
    #expect(rig.server.calls.count == 1)
    rig.server.release(.flags(TestFlag("a")))
    await rig.settle()
    #expect(numbers.withLock { $0 } == [nil, nil, nil, nil, nil])
    #expect(rig.log.listenerCalls == 1)
  }

  @Test("RF-84: sharing comes before the window; a shared failure reaches everybody")
  func coalescedBeforeWindow() async {
    let rig = Rig(ScriptedServer())
    rig.put(TestFlag("a"))
    rig.relaunch()
    let numbers = Lock<[Int?]>([])
    for _ in 0..<2 {
      rig.client.refresh { error in numbers.withLock { $0.append(error?.number) } }
    }
    await rig.settle()
    #expect(numbers.withLock { $0 } == [])
    rig.server.release(.answer(502, []))
    await rig.settle()
    #expect(numbers.withLock { $0 } == [502, 502])
    #expect(rig.server.calls.count == 1)
  }

  @Test("RF-85: A to B to A does not accept the first A's answer; completions move along")
  func generations() async {
    let rig = Rig(ScriptedServer())
    let numbers = Lock<[Int?]>([])
    rig.client.refresh { error in numbers.withLock { $0.append(error?.number) } }
    await rig.settle()
    rig.client.setUserID("user-43")
    await rig.settle()
    rig.client.setUserID("user-42")
    await rig.settle()
    #expect(rig.server.flagCalls.map(\.user) == ["user-42", "user-43", "user-42"])
    rig.server.release(
      .flags(TestFlag("first"), baseURL: "https://node7.example/json/1.3/"))
    await rig.settle()
    #expect(rig.client.flags.isEmpty)
    #expect(rig.stored == nil)
    #expect(numbers.withLock { $0 } == [])
    rig.server.releaseAll { call in
      call.isForFlags ? .flags(TestFlag(call.user == "user-42" ? "second" : "wrong")) : .done
    }
    await rig.settle()
    #expect(rig.client.flags.map(\.key) == ["second"])
    #expect(numbers.withLock { $0 } == [nil])
    #expect(rig.client.engine.shared.withLock { $0.server.toldBase } == nil)
  }

  @Test("RF-85: a discarded answer changes neither window, hour, hold nor the partial state")
  func discardedChangesNothing() async {
    let rig = Rig(ScriptedServer())
    await rig.activate()
    await rig.advance(100)
    rig.client.setUserID("user-43")
    await rig.settle()
    let heldNow = rig.server.heldCount
    #expect(heldNow == 3)
    rig.server.answer { _ in .held }
    // The second user's answer first, then the first one's with everything that could do harm.
    let late = rig.server
    late.release(.answer(503, [], ["Retry-After": "3000"]))
    await rig.settle()
    rig.client.registeredForPush()
    await rig.settle()
    late.releaseAll { $0.isForFlags ? .flags(TestFlag("b")) : .done }
    await rig.settle()
    #expect(rig.client.flags.map(\.key) == ["b"])
    // The request that followed the registration was sent at once: nothing was held back.
    #expect(late.flagCalls.count == 3)
    late.releaseAll { $0.isForFlags ? .flags(TestFlag("b")) : .done }
    await rig.settle()
    #expect(await rig.refresh() == nil)
    #expect(late.flagCalls.count == 3)
    await rig.advance(3_599)
    #expect(late.flagCalls.count == 3)
    await rig.advance(1)
    #expect(late.flagCalls.count == 4)
  }

  @Test("RF-85: a change of application does the same, and its stored set is visible at once")
  func application() async {
    let rig = Rig(ScriptedServer())
    rig.store.apply([
      StoreRecords.set(
        FlagPlan.StorableFlags(
          application: "ZZZZZ-ZZZZZ", user: "user-42", requestedAt: rig.wall.milliseconds,
          flags: FlagSet(
            [FlagEntry(key: "z", isEnabled: true, ruleID: "r", values: ByteTable([]))],
            source: FlagSource(origin: .fresh, requestedAt: 0, moment: .zero))))
    ])
    let numbers = Lock<[Int?]>([])
    rig.client.refresh { error in numbers.withLock { $0.append(error?.number) } }
    await rig.settle()
    rig.client.setApplicationCode("ZZZZZ-ZZZZZ")
    #expect(rig.client.flags.map(\.key) == ["z"])
    await rig.settle()
    #expect(
      rig.server.calls.map { $0.body["application"] } == ["A1B2C-D3E4F", "ZZZZZ-ZZZZZ"])
    rig.server.release(.flags(TestFlag("old")))
    await rig.settle()
    #expect(rig.client.flags.map(\.key) == ["z"])
    rig.server.release(.flags(TestFlag("new")))
    await rig.settle()
    #expect(rig.client.flags.map(\.key) == ["new"])
    #expect(numbers.withLock { $0 } == [nil])
    #expect(rig.stored == nil)
  }

  @Test(
    "RF-86: a jump of the wall clock changes nothing in the process",
    arguments: [-172_800.0, 172_800])
  func wallClock(_ jump: Double) async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    await rig.activate()
    rig.wall.advance(by: .seconds(jump))
    #expect(rig.client.get("a") != nil)
    await rig.advance(299)
    await rig.refresh()
    #expect(rig.server.calls.count == 1)
    rig.client.wentToBackground()
    rig.wall.advance(by: .seconds(jump))
    await rig.advance(1_799)
    await rig.activate()
    #expect(rig.server.calls.count == 1)
    await rig.advance(3_600 - 299 - 1_799 - 1)
    #expect(rig.server.calls.count == 1)
    await rig.advance(1)
    #expect(rig.server.calls.count == 2)
    rig.client.wentToBackground()
    await rig.advance(86_399)
    #expect(rig.client.get("a") != nil)
    await rig.advance(1)
    #expect(rig.client.get("a") == nil)
  }

  @Test("RF-87: the store is for the owner only, and records of applications are separate")
  func permissions() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("a")) },
      store: try DiskStore(folder))
    await rig.refresh()
    let manager = FileManager.default
    func permissions(_ path: String) throws -> Int? {
      try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(folder.store) == 0o700)
    let names = try manager.contentsOfDirectory(atPath: folder.store)
    #expect(names.contains("anole.sqlite"))
    for name in names { #expect(try permissions(folder.store + "/" + name) == 0o600, "\(name)") }
    rig.client.setApplicationCode("ZZZZZ-ZZZZZ")
    await rig.settle()
    #expect(rig.store.keys(namespace: StoreRecords.sets) == ["A1B2C-D3E4F", "ZZZZZ-ZZZZZ"])
  }

  @Test("RF-87: a failed write leaves the set in memory in force and is reported once")
  func failedWrite() async {
    let reports = Lock<[StorageReport]>([])
    // A file where a folder would have to be: nothing can ever be written there.
    var configuration = SQLiteStorage.Configuration(folder: "/dev/null/flags")
    configuration.report = { report in reports.withLock { $0.append(report) } }
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("a")) }, store: SQLiteStorage(configuration)
    ) { $0.disablesThrottle = true }
    for _ in 0..<3 { #expect(await rig.refresh() == nil) }
    #expect(rig.client.get("a") != nil)
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(rig.client.get("a") != nil)
    #expect(reports.withLock { $0.map(\.code) } == [.degraded])
  }

  @Test("RF-87: two processes share a folder: the last complete set wins")
  func sharedFolder() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    func rig(_ key: String) throws -> Rig {
      Rig(
        ScriptedServer { _ in .flags(TestFlag(key)) },
        store: try DiskStore(folder))
    }
    let (first, second) = (try rig("first"), try rig("second"))
    await first.refresh()
    await second.refresh()
    #expect(first.client.flags.map(\.key) == ["first"])
    first.relaunch()
    #expect(first.client.flags.map(\.key) == ["second"])
  }

  @Test("RF-88: every public method may be called from any thread; readers see whole sets")
  func anyThread() async {
    let revision = Lock(0)
    let rig = Rig(
      ScriptedServer { call in
        guard call.isForFlags else { return .done }
        let number = revision.withLock { revision in
          revision += 1
          return revision
        }
        return .flags(TestFlag("a", #"{"n":\#(number)}"#), TestFlag("b", #"{"n":\#(number)}"#))
      }
    ) { $0.disablesThrottle = true }
    let client = rig.client
    await rig.refresh()
    let rounds = TestRun.isSanitized ? 50 : 400
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          for round in 0..<rounds {
            switch worker {
            case 0: client.refresh(completion: nil)
            case 1: client.logImpression("a")
            case 2: round % 2 == 0 ? client.becameActive() : client.wentToBackground()
            case 3: client.setAPIToken("\(round)")
            default:
              let flags = client.flags
              let values = flags.map { $0.number(forProperty: "n", default: -1) }
              #expect(values.count == 2 && values[0] == values[1])
            }
          }
        }
      }
    }
    await rig.settle()
  }

  @Test("RF-88: a reader does not wait for a writer that works on the store")
  func readersDoNotWait() async {
    // The store calls the reader in the middle of a write: a lock they shared would never be free.
    let store = CallingStore()
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) }, store: store)
    await rig.refresh()
    let client = rig.client
    store.whileWriting { [weak client] in _ = client?.get("a") }
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(store.calls == 2)
  }

  @Test("RF-89: listeners and completions may call any method")
  func reentrant() async {
    let rig = Rig(
      ScriptedServer { $0.isForFlags ? .flags(TestFlag("a")) : .done })
    let client = rig.client
    let ear = Reentrant(client)
    client.addListener(ear)
    let done = Lock(0)
    client.refresh { _ in
      client.setUserID("user-43")
      client.refresh { _ in done.withLock { $0 += 1 } }
      client.logImpression("a")
      client.removeListener(ear)
    }
    await rig.settle()
    #expect(done.withLock { $0 } == 1)
    #expect(client.userID == "user-43")
    #expect(client.get("a") != nil)
  }

  @Test("RF-90: a set is there as soon as it was told, and nothing needs flushing")
  func nothingToFlush() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("a")) },
      store: try DiskStore(folder))
    let isStored = Lock(false)
    rig.client.refresh { _ in
      // As a process that starts in this moment, while the first is neither closed nor released.
      let other = SQLiteStorage(SQLiteStorage.Configuration(folder: folder.store))
      let record = other.read(namespace: StoreRecords.sets, key: "A1B2C-D3E4F")
      isStored.withLock { $0 = record != nil }
    }
    await rig.settle()
    #expect(isStored.withLock { $0 })
  }
}

/// A store that calls a closure whenever it writes.
private final class CallingStore: RemoteFlagsStore {
  private let inner = InMemoryStorage()
  private let action = Lock<(@Sendable () -> Void)?>(nil)
  private let count = Lock(0)

  var calls: Int { count.withLock { $0 } }

  func whileWriting(_ body: @escaping @Sendable () -> Void) {
    action.withLock { $0 = body }
  }

  func read(namespace: String, key: String) -> Record? {
    inner.read(namespace: namespace, key: key)
  }

  func apply(_ changes: [RecordChange]) -> WriteOutcome {
    if let action = action.withLock({ $0 }) {
      count.withLock { $0 += 1 }
      action()
    }
    return inner.apply(changes)
  }

  func keys(namespace: String) -> [String] { inner.keys(namespace: namespace) }
}

private final class Reentrant: RemoteFlagsListener {
  private let client: RemoteFlagsClient

  init(_ client: RemoteFlagsClient) {
    self.client = client
  }

  func remoteFlagsDidChange() {
    _ = client.get("a")
    client.addListener(self)
    client.refresh(completion: nil)
    client.logImpression("a")
    client.stopServerCommunication()
    client.startServerCommunication()
    client.setUserID("user-44")
  }
}
