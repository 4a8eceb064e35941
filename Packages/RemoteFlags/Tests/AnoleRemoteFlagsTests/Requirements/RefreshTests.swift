// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Dispatch
import Testing

@testable import AnoleRemoteFlags

@Suite("refresh (section 1.5)")
struct RefreshTests {
  private let server = ScriptedServer { _ in .flags(TestFlag("a")) }

  @Test("RF-41: refresh sends a flag request")
  func sends() async {
    let rig = Rig(server)
    #expect(await rig.refresh() == nil)
    #expect(server.calls.map(\.method) == ["getFeatureFlags"])
    #expect(rig.client.get("a") != nil)
  }

  @Test(
    "RF-42: the completion runs on the main queue after refresh has returned, with nil on success")
  @MainActor
  func completionOnMain() async {
    let rig = Rig(server, executor: SerialCallbackExecutor.main)
    // Sends, answers from the window, fails: also where no request is needed the call returns first.
    for expected in [nil, nil, 500] as [Int?] {
      if expected != nil {
        rig.server.answer { _ in .answer(500, []) }
        rig.clock.advance(by: .seconds(300))
      }
      let hasReturned = Lock(false)
      let (number, wasReturned) = await withCheckedContinuation { continuation in
        rig.client.refresh { error in
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.resume(returning: (error?.number, hasReturned.withLock { $0 }))
        }
        hasReturned.withLock { $0 = true }
      }
      #expect(number == expected)
      #expect(wasReturned)
    }
  }

  @Test("RF-43: without valid flags each call sends")
  func noFlagsNoLimit() async {
    let rig = Rig(ScriptedServer { _ in .answer(503, []) })
    for count in 1...3 {
      #expect(await rig.refresh() == 503)
      #expect(rig.server.calls.count == count)
    }
    rig.server.answer { _ in .flags(TestFlag("a")) }
    #expect(await rig.refresh() == nil)
    #expect(rig.server.calls.count == 4)
    #expect(await rig.refresh() == nil)
    #expect(rig.server.calls.count == 4)
  }

  @Test("RF-43: when the flags have expired, the window does not hold calls back")
  func expiredFlagsNoLimit() async {
    let rig = Rig(server)
    rig.put(TestFlag("a"), age: 86_300)
    rig.relaunch()
    rig.server.answer { _ in .answer(500, []) }
    #expect(await rig.refresh() == 500)
    #expect(await rig.refresh() == nil)
    #expect(server.calls.count == 1)
    await rig.advance(100)
    #expect(await rig.refresh() == 500)
    #expect(server.calls.count == 2)
  }

  @Test(
    "RF-44: with valid flags one request in 5 minutes, counted from its sending",
    arguments: [(0.0, 1), (299.0, 1), (300.0, 2), (301.0, 2)])
  func window(_ seconds: Double, _ count: Int) async {
    let rig = Rig(server)
    await rig.refresh()
    await rig.advance(seconds)
    #expect(await rig.refresh() == nil)
    #expect(server.calls.count == count)
  }

  @Test("RF-44: the window starts when a request is sent, also an automatic or failing one")
  func windowAfterFailure() async {
    let rig = Rig(ScriptedServer { _ in .held })
    rig.put(TestFlag("a"))
    rig.relaunch()
    await rig.activate()
    await rig.advance(200)
    rig.server.release(.answer(500, []))
    await rig.settle()
    await rig.advance(99)
    #expect(await rig.refresh() == nil)
    #expect(rig.server.calls.count == 1)
    rig.server.answer { _ in .flags() }
    await rig.advance(1)
    await rig.refresh()
    #expect(rig.server.calls.count == 2)
  }

  @Test("RF-44: a request that was not sent starts no window")
  func windowNotSent() async {
    let rig = Rig(server) { $0.allowsServerCommunication = false }
    rig.put(TestFlag("a"))
    rig.relaunch()
    #expect(await rig.refresh() == 0)
    rig.client.startServerCommunication()
    #expect(await rig.refresh() == nil)
    #expect(server.calls.count == 1)
  }

  @Test("RF-45: inside the window the call answers from the stored flags: no request, no listener")
  func insideWindow() async {
    let rig = Rig(server)
    await rig.refresh()
    server.answer { _ in .flags(TestFlag("b")) }
    #expect(await rig.refresh() == nil)
    #expect(server.calls.count == 1)
    #expect(rig.log.listenerCalls == 1)
    #expect(rig.client.get("a") != nil)
  }

  @Test("RF-46: an answer that is not complete starts no window")
  func windowAfterPartial() async {
    let rig = Rig(server)
    rig.put(TestFlag("a"))
    rig.relaunch()
    server.answer { _ in .flags(TestFlag("b"), partial: true) }
    #expect(await rig.refresh() == nil)
    server.answer { _ in .flags(TestFlag("c")) }
    #expect(await rig.refresh() == nil)
    #expect(server.calls.count == 2)
    #expect(rig.client.flags.map(\.key) == ["c"])
    #expect(await rig.refresh() == nil)
    #expect(server.calls.count == 2)
  }

  @Test("RF-47: disabling the throttle lifts the limit")
  func unlimited() async {
    let rig = Rig(server) { $0.disablesThrottle = true }
    for _ in 0..<3 { #expect(await rig.refresh() == nil) }
    #expect(server.calls.count == 3)
  }

  @Test("RF-48: the completion may be nil")
  func noCompletion() async {
    let rig = Rig(server)
    rig.client.refresh(completion: nil)
    await rig.settle()
    #expect(rig.client.get("a") != nil)
  }

  @Test("RF-49: every completion is called exactly once, however its refresh ends")
  func exactlyOnce() async {
    let rig = Rig(ScriptedServer())
    let counts = Lock<[String: [Int]]>([:])
    func refresh(_ name: String) {
      rig.client.refresh { error in
        counts.withLock { $0[name, default: []].append(error?.number ?? -1) }
      }
    }
    // Success and failure.
    for (name, reply) in [("failed", .answer(404, [])), ("ok", .flags(TestFlag("a")))]
      as [(String, ScriptedServer.Reply)]
    {
      refresh(name)
      await rig.settle()
      rig.server.release(reply)
      await rig.settle()
    }
    refresh("throttled")
    await rig.advance(300)
    refresh("superseded")
    await rig.settle()
    rig.client.setUserID("user-43")
    await rig.settle()
    rig.server.releaseAll { $0.isForFlags ? .flags() : .done }
    await rig.settle()
    rig.client.stopServerCommunication()
    refresh("stopped")
    rig.client.startServerCommunication()
    await rig.advance(300)
    refresh("closed")
    let client = rig.client
    rig.server.releaseAll { _ in .failure(.timedOut) }
    await client.shutdown()
    refresh("late")
    await rig.settle()
    #expect(
      counts.withLock { $0 } == [
        "failed": [404], "ok": [-1], "throttled": [-1], "superseded": [-1], "stopped": [0],
        "closed": [0], "late": [0],
      ])
  }

  @Test("the async form gives the outcome, throws the error, and can be cancelled")
  func asyncForm() async throws {
    let rig = Rig(server)
    try await rig.client.refresh()
    #expect(rig.client.get("a") != nil)
    server.answer { _ in .answer(403, []) }
    await rig.advance(300)
    let error = await #expect(throws: RemoteFlagsError.self) { try await rig.client.refresh() }
    #expect(error?.number == 403)
    server.answer { _ in .held }
    await rig.advance(300)
    let client = rig.client
    let task = Task { try await client.refresh() }
    while server.heldCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: RemoteFlagsError.self) { try await task.value }
    server.release(.flags(TestFlag("b")))
    await rig.settle()
    #expect(rig.client.get("b") != nil)
  }
}
