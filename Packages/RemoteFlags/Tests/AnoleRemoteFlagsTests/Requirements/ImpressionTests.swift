// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Testing

@testable import AnoleRemoteFlags

@Suite("Impressions (section 1.11)")
struct ImpressionTests {
  private let server = ScriptedServer { call in
    call.isForFlags ? .flags(TestFlag("a"), TestFlag("off", false, rule: "")) : .done
  }

  private var events: [ScriptedServer.Call] { server.calls.filter { $0.method == "postEvent" } }

  @Test("RF-100: an impression is sent for the current rule and state, also when the flag is off")
  func sends() async {
    let rig = Rig(server)
    await rig.activate()
    rig.client.logImpression("off")
    await rig.settle()
    #expect(events.count == 1)
    #expect(events.first?.body["event"] == "PW_FeatureFlagImpression")
    #expect(events.first?.body["attributes"]?["enabled"] == false)
    #expect(events.first?.body["timestampUTC"] == 1_790_000_000)
    #expect(events.first?.body["timestampCurrent"] == 1_790_007_200)
  }

  @Test("RF-101: the attributes are flag_key, rule_id and enabled, and no others")
  func attributes() async {
    let rig = Rig(server)
    await rig.activate()
    rig.client.logImpression("a")
    await rig.settle()
    rig.client.logImpression("off")
    await rig.settle()
    #expect(
      events.map { $0.body["attributes"] } == [
        ["flag_key": "a", "rule_id": "r_1", "enabled": true],
        ["flag_key": "off", "rule_id": "", "enabled": false],
      ])
  }

  @Test("RF-102: one for each flag, rule and state in a session; a new one of each sends again")
  func oncePerSession() async {
    let rig = Rig(server)
    await rig.activate()
    for _ in 0..<3 { rig.client.logImpression("a") }
    await rig.settle()
    rig.client.logImpression("a")
    await rig.settle()
    #expect(events.count == 1)
    for flag in [TestFlag("a", false), TestFlag("a", rule: "r_2"), TestFlag("a")] {
      server.answer { $0.isForFlags ? .flags(flag) : .done }
      await rig.advance(300)
      await rig.refresh()
      rig.client.logImpression("a")
      await rig.settle()
    }
    #expect(events.count == 3)
    rig.client.wentToBackground()
    await rig.advance(1_799)
    await rig.activate()
    rig.client.logImpression("a")
    await rig.settle()
    #expect(events.count == 3)
    rig.client.wentToBackground()
    await rig.advance(1_800)
    await rig.activate()
    rig.client.logImpression("a")
    await rig.settle()
    #expect(events.count == 4)
  }

  @Test("RF-103: without a flag for the key nothing is sent")
  func noFlag() async {
    let rig = Rig(server)
    rig.client.logImpression("a")
    await rig.activate()
    rig.client.logImpression("none")
    rig.client.logImpression("A")
    await rig.settle()
    #expect(events.isEmpty)
  }

  @Test("RF-104: after a failure the next call sends again")
  func failures() async {
    let rig = Rig(server)
    await rig.activate()
    let replies: [ScriptedServer.Reply] = [
      .failure(.timedOut), .answer(500, []), .answer(204, []),
      .json(#"{"status_code":210,"response":null}"#), .json(""), .broken(200, []), .done,
    ]
    for reply in replies {
      server.answer { _ in reply }
      rig.client.logImpression("a")
      await rig.settle()
    }
    #expect(events.count == 7)
    rig.client.logImpression("a")
    await rig.settle()
    #expect(events.count == 7)
  }

  @Test(
    "RF-105: a failed one is repeated by a call only; while one is under way calls send nothing")
  func notRepeated() async {
    let rig = Rig(server)
    await rig.activate()
    server.answer { _ in .held }
    for _ in 0..<3 { rig.client.logImpression("a") }
    await rig.settle()
    #expect(events.count == 1)
    server.release(.answer(500, []))
    await rig.settle()
    server.answer { $0.isForFlags ? .flags(TestFlag("a")) : .done }
    await rig.advance(3_600)
    #expect(events.count == 1)
    rig.relaunch()
    await rig.activate()
    #expect(events.count == 1)
    rig.client.logImpression("a")
    await rig.settle()
    #expect(events.count == 2)
  }

  @Test("RF-106: another user is another impression, and it goes out for the user of the call")
  func users() async {
    let rig = Rig(server)
    await rig.activate()
    rig.client.logImpression("a")
    await rig.settle()
    server.answer { $0.isForFlags ? .flags(TestFlag("a")) : .held }
    rig.client.setUserID("user-43")
    await rig.settle()
    rig.client.logImpression("a")
    rig.client.setUserID("user-44")
    await rig.settle()
    #expect(events.map(\.user) == ["user-42", "user-43"])
    server.releaseAll { _ in .done }
    await rig.settle()
    server.answer { $0.isForFlags ? .flags(TestFlag("a")) : .done }
    // Back in the same session: that impression was sent.
    rig.client.setUserID("user-42")
    await rig.settle()
    rig.client.logImpression("a")
    await rig.settle()
    #expect(events.map(\.user) == ["user-42", "user-43"])
  }

  @Test("RF-107: logImpression returns at once, with the values of that moment")
  func returnsAtOnce() async {
    let rig = Rig(ScriptedServer { $0.isForFlags ? .flags(TestFlag("a")) : .held })
    await rig.activate()
    rig.client.logImpression("a")
    rig.server.answer { $0.isForFlags ? .flags(TestFlag("a", false, rule: "r_2")) : .held }
    rig.client.registeredForPush()
    await rig.settle()
    #expect(rig.client.get("a")?.ruleID == "r_2")
    let sent = rig.server.calls.first { $0.method == "postEvent" }
    #expect(sent?.body["attributes"]?["rule_id"] == "r_1")
    #expect(rig.server.heldCount == 1)
  }
}
