// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Dispatch
import Testing

@testable import AnoleRemoteFlags

@Suite("Answers that are not complete (section 1.6)")
struct IncompleteTests {
  @Test("RF-50: flags of a partial answer are visible in this process")
  func visible() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), partial: true) })
    #expect(await rig.refresh() == nil)
    #expect(rig.client.get("a") != nil)
    #expect(rig.log.listenerCalls == 1)
  }

  @Test("RF-51: a partial answer is not stored, and the stored set is left as it was")
  func notStored() async throws {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("b"), partial: true) })
    rig.put(TestFlag("a"), age: 100)
    let before = try #require(rig.stored)
    rig.relaunch()
    await rig.refresh()
    #expect(rig.stored == before)
    rig.relaunch()
    #expect(rig.client.flags.map(\.key) == ["a"])
  }

  @Test("RF-52: the next refresh asks for the full answer and installs it")
  func nextIsFull() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), partial: true) })
    await rig.refresh()
    rig.server.answer { _ in .flags(TestFlag("a"), TestFlag("b")) }
    #expect(await rig.refresh() == nil)
    #expect(rig.server.calls.count == 2)
    #expect(rig.client.flags.map(\.key) == ["a", "b"])
    #expect(rig.stored?["flags"]?.arrayValue?.count == 2)
  }

  @Test("RF-53: over a complete set a partial answer replaces equal keys and keeps the others")
  func overlay() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), TestFlag("b")) })
    await rig.refresh()
    await rig.advance(300)
    rig.server.answer { _ in .flags(TestFlag("b", false), TestFlag("c"), partial: true) }
    await rig.refresh()
    #expect(rig.client.flags.map(\.key) == ["a", "b", "c"])
    #expect(!rig.client.isEnabled("b", default: true))
    // Another one replaces the first: it is laid over the complete set again.
    rig.server.answer { _ in .flags(TestFlag("d"), partial: true) }
    await rig.refresh()
    #expect(rig.client.flags.map(\.key) == ["a", "b", "d"])
    #expect(rig.client.isEnabled("b", default: false))
  }

  @Test("RF-53: it does not renew the age of the complete set, and outlives it")
  func ages() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), TestFlag("b")) })
    await rig.refresh()
    await rig.advance(80_000)
    rig.server.answer { _ in .flags(TestFlag("b", false), partial: true) }
    await rig.refresh()
    await rig.advance(6_399)
    #expect(rig.client.flags.map(\.key) == ["a", "b"])
    await rig.advance(1)
    #expect(rig.client.flags.map(\.key) == ["b"])
    #expect(!rig.client.isEnabled("b", default: true))
    await rig.advance(79_999)
    #expect(rig.client.flags.map(\.key) == ["b"])
    await rig.advance(1)
    #expect(rig.client.flags.isEmpty)
  }

  @Test("RF-53: alone it does not count as valid stored flags")
  func alone() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), partial: true) })
    await rig.refresh()
    rig.server.answer { _ in .answer(500, []) }
    #expect(await rig.refresh() == 500)
    #expect(await rig.refresh() == 500)
    #expect(rig.server.calls.count == 3)
    #expect(rig.client.get("a") != nil)
  }

  @Test(
    "RF-54: whatever is there and is not the Boolean false means partial",
    arguments: [
      ("false", true), ("true", false), ("0", false), ("null", false), (#""false""#, false),
      ("[]", false), ("{}", false),
    ])
  func marks(_ mark: String, _ isComplete: Bool) async {
    let text = #"""
      {"status_code":200,"response":{"flags":[{"key":"a","enabled":true,"rule_id":""}],"partial":\#(mark)}}
      """#
    let rig = Rig(ScriptedServer { _ in .json(text) })
    #expect(await rig.refresh() == nil)
    #expect(rig.client.get("a") != nil)
    #expect((rig.stored != nil) == isComplete)
  }

  @Test("RF-54: without the mark an answer is complete")
  func noMark() async {
    let rig = Rig(ScriptedServer { _ in .json(#"{"status_code":200,"response":{"flags":[]}}"#) })
    await rig.refresh()
    #expect(rig.stored != nil)
  }
}
