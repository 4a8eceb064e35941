// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Testing

@testable import AnoleRemoteFlags

/// Notes calls, and does what the test wants with each.
private final class Ear: RemoteFlagsListener {
  private let count = Lock(0)
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void = {}) {
    self.action = action
  }

  var calls: Int { count.withLock { $0 } }

  func remoteFlagsDidChange() {
    count.withLock { $0 += 1 }
    action()
  }
}

@Suite("Listeners (section 1.7)")
struct ListenerTests {
  private let server = ScriptedServer { _ in .flags(TestFlag("a")) }

  @Test("RF-60: a listener is registered and called without arguments")
  func registers() async {
    let rig = Rig(server)
    let ear = Ear()
    rig.client.addListener(ear)
    await rig.refresh()
    #expect(ear.calls == 1)
  }

  @Test("RF-61: it is called after each refresh that changed a flag, and not after the others")
  func onlyChanges() async {
    let rig = Rig(server)
    await rig.activate()
    #expect(rig.log.listenerCalls == 1)
    await rig.advance(300)
    await rig.refresh()
    #expect(rig.log.listenerCalls == 1)
    server.answer { _ in .flags(TestFlag("a", false)) }
    await rig.advance(300)
    await rig.refresh()
    #expect(rig.log.listenerCalls == 2)
    server.answer { _ in .flags(TestFlag("a")) }
    await rig.advance(3_600)
    #expect(rig.log.listenerCalls == 3)
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    let flags: [TestFlag]
    let isChange: Bool
    var testDescription: String { name }
  }

  static let changes: [Change] = [
    Change(
      name: "same", flags: [TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b")],
      isChange: false),
    Change(
      name: "order of flags, keys and members",
      flags: [TestFlag("b"), TestFlag("a", #"{"o":{"y":[1,2],"x":1},"n":1}"#)], isChange: false),
    Change(
      name: "disappeared", flags: [TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#)],
      isChange: true),
    Change(
      name: "appeared",
      flags: [
        TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b"), TestFlag("c"),
      ], isChange: true),
    Change(
      name: "state",
      flags: [TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b", false)],
      isChange: true),
    Change(
      name: "rule",
      flags: [TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b", rule: "r_2")],
      isChange: true),
    Change(
      name: "value", flags: [TestFlag("a", #"{"n":2,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b")],
      isChange: true),
    Change(
      name: "type of a value",
      flags: [TestFlag("a", #"{"n":true,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b")], isChange: true),
    Change(
      name: "order of an array",
      flags: [TestFlag("a", #"{"n":1,"o":{"x":1,"y":[2,1]}}"#), TestFlag("b")], isChange: true),
    Change(
      name: "key in another normal form",
      flags: [
        TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b", #"{"\u00e9":1}"#),
      ], isChange: true),
  ]

  @Test("RF-62: what counts as a change", arguments: changes)
  func whatChanges(_ row: Change) async {
    let rig = Rig(
      ScriptedServer { _ in
        .flags(TestFlag("a", #"{"n":1,"o":{"x":1,"y":[1,2]}}"#), TestFlag("b"))
      })
    await rig.refresh()
    rig.server.answer { _ in .flagList(row.flags) }
    await rig.advance(300)
    await rig.refresh()
    #expect(rig.log.listenerCalls == (row.isChange ? 2 : 1))
  }

  @Test("RF-62: after a change of user the compared set is empty")
  func comparedAfterDrop() async {
    let rig = Rig(server)
    await rig.refresh()
    server.answer { $0.isForFlags ? .flags(TestFlag("a")) : .done }
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(rig.log.listenerCalls == 2)
    server.answer { $0.isForFlags ? .flags() : .done }
    rig.client.setUserID("user-44")
    await rig.settle()
    #expect(rig.log.listenerCalls == 2)
  }

  @Test("RF-63: once per refresh, when the new flags are visible, before the completions")
  func order() async {
    let rig = Rig(server)
    let events = Lock<[String]>([])
    let client = rig.client
    let ears = ["1", "2"].map { name in
      Ear {
        let isVisible = client.get("a") != nil
        events.withLock { $0.append("listener \(name) \(isVisible)") }
      }
    }
    for ear in ears { client.addListener(ear) }
    server.answer { _ in .held }
    for name in ["x", "y"] {
      client.refresh { _ in events.withLock { $0.append("completion \(name)") } }
    }
    await rig.settle()
    server.release(.flags(TestFlag("a")))
    await rig.settle()
    #expect(
      events.withLock { $0 } == [
        "listener 1 true", "listener 2 true", "completion x", "completion y",
      ])
  }

  @Test("RF-64: listeners are held weakly; a released one is removed from the table")
  func weak() async {
    let rig = Rig(server)
    let counter = Ear()
    var ear: Ear? = Ear { counter.remoteFlagsDidChange() }
    ear.map { rig.client.addListener($0) }
    #expect(rig.client.engine.listeners.count == 2)
    ear = nil
    await rig.refresh()
    #expect(counter.calls == 0)
    #expect(rig.client.engine.listeners.count == 1)
    #expect(rig.log.listenerCalls == 1)
  }

  @Test("RF-65: removal ends the calls, even between a refresh and its pending call")
  func removal() async {
    let executor = ManualExecutor()
    let rig = Rig(server, executor: executor)
    let ear = Ear()
    rig.client.addListener(ear)
    rig.client.refresh(completion: nil)
    await rig.settle()
    #expect(executor.count == 1)
    rig.client.removeListener(ear)
    executor.runAll()
    #expect(ear.calls == 0)
    #expect(rig.log.listenerCalls == 1)
    rig.client.removeListener(ear)
    rig.client.removeListener(Ear())
    rig.client.addListener(ear)
    server.answer { _ in .flags() }
    await rig.advance(300)
    await rig.refresh()
    #expect(ear.calls == 1)
  }

  @Test(
    "RF-66: an object added twice is called once; adding and removing inside a callback is safe")
  func insideCallback() async {
    let rig = Rig(server)
    let client = rig.client
    let late = Ear()
    let other = Lock<Ear?>(nil)
    let first = Ear {
      client.addListener(late)
      if let other = other.withLock({ $0 }) { client.removeListener(other) }
    }
    let second = Ear()
    other.withLock { $0 = second }
    for ear in [first, first, second] { client.addListener(ear) }
    client.addListener(first)
    await rig.refresh()
    #expect((first.calls, second.calls, late.calls) == (1, 0, 0))
    server.answer { _ in .flags() }
    await rig.advance(300)
    await rig.refresh()
    #expect((first.calls, second.calls, late.calls) == (2, 0, 1))
  }

  @Test("RF-67: no call for failures, drops, expiry, loading, and answers from the window")
  func silent() async {
    let rig = Rig(ScriptedServer { $0.isForFlags ? .answer(500, []) : .done })
    rig.put(TestFlag("a"), age: 86_000)
    rig.relaunch()
    #expect(rig.client.get("a") != nil)
    #expect(await rig.refresh() == 500)
    #expect(await rig.refresh() == nil)
    await rig.advance(400)
    #expect(rig.client.get("a") == nil)
    rig.put(TestFlag("a"))
    rig.relaunch()
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(rig.client.get("a") == nil)
    #expect(rig.log.listenerCalls == 0)
  }
}

@Suite("Changed keys")
struct ChangeSequenceTests {
  @Test("each element has the keys that changed; a busy consumer gets the union and loses nothing")
  func keys() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("b"), TestFlag("a")) })
    var changes = rig.client.changes().makeAsyncIterator()
    var other = rig.client.changes().makeAsyncIterator()
    await rig.refresh()
    #expect(await changes.next() == ["a", "b"])
    rig.server.answer { _ in .flags(TestFlag("b", false), TestFlag("a")) }
    await rig.advance(300)
    await rig.refresh()
    rig.server.answer { _ in .flags(TestFlag("b", false), TestFlag("c")) }
    await rig.advance(300)
    await rig.refresh()
    await rig.advance(300)
    await rig.refresh()
    #expect(await changes.next() == ["a", "b", "c"])
    #expect(await other.next() == ["a", "b", "c"])
    await rig.client.shutdown()
    #expect(await changes.next() == nil)
    var late = rig.client.changes().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test("a waiting consumer is woken by a change and ends with its task")
  func waits() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    let changes = rig.client.changes()
    let first = Task { () -> [String]? in
      var iterator = changes.makeAsyncIterator()
      return await iterator.next()
    }
    await rig.refresh()
    #expect(await first.value == ["a"])
    let second = Task { () -> Int in
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    second.cancel()
    #expect(await second.value == 0)
  }
}
