// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import Foundation
import Testing

@testable import AnoleRemoteFlags

@Suite("Reading (section 1.1)")
struct ReadingTests {
  @Test("RF-1: get returns a flag from the visible set, nil while there are no flags")
  func get() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    #expect(rig.client.get("a") == nil)
    #expect(rig.client.flags.isEmpty)
    await rig.refresh()
    #expect(rig.client.get("a")?.key == "a")
    #expect(rig.client.flags.map(\.key) == ["a"])
  }

  @Test("RF-2: reads return while a request is held, while it fails, and before any answer")
  func neverWaits() async {
    let rig = Rig()
    rig.put(TestFlag("a", #"{"n":1}"#))
    rig.relaunch()
    rig.client.becameActive()
    await rig.settle()
    #expect(rig.server.heldCount == 1)
    #expect(rig.client.get("a")?.number(forProperty: "n", default: 0) == 1)
    #expect(rig.client.isEnabled("a", default: false))
    #expect(!rig.client.isEnabled("b", default: false))
    rig.server.release(.failure(.resolveFailed))
    await rig.settle()
    #expect(rig.client.isEnabled("a", default: false))
  }

  @Test("RF-3: a flag has its key, its state and the rule that decided")
  func members() async throws {
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("on", rule: "r_9"), TestFlag("off", false)) })
    await rig.refresh()
    let on = try #require(rig.client.get("on"))
    let off = try #require(rig.client.get("off"))
    #expect((on.key, on.isEnabled, on.ruleID) == ("on", true, "r_9"))
    #expect((off.key, off.isEnabled, off.ruleID) == ("off", false, "r_1"))
  }

  @Test("RF-4: a key that the answer does not contain gives nil")
  func unknownKey() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    await rig.refresh()
    #expect(rig.client.get("b") == nil)
    #expect(rig.client.get("") == nil)
    #expect(rig.client.origin(of: "b") == .default)
  }

  @Test("RF-5: isEnabled gives the default exactly when get gives nil", arguments: [true, false])
  func isEnabled(_ value: Bool) async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("on"), TestFlag("off", false)) })
    #expect(rig.client.isEnabled("on", default: value) == value)
    await rig.refresh()
    #expect(rig.client.isEnabled("on", default: value))
    #expect(!rig.client.isEnabled("off", default: value))
    #expect(rig.client.isEnabled("none", default: value) == value)
  }

  @Test("RF-6: keys match byte by byte, case included, without normalisation")
  func exactKeys() async {
    let rig = Rig(
      ScriptedServer { _ in .flags(TestFlag("new_checkout"), TestFlag("caf\u{e9}")) })
    await rig.refresh()
    #expect(rig.client.get("new_checkout") != nil)
    for other in [
      "New_Checkout", "new_checkout ", "new_checkou", "cafe\u{301}", "\u{feff}caf\u{e9}",
    ] {
      #expect(rig.client.get(other) == nil, "\(other.unicodeScalars.map(\.value))")
    }
    #expect(rig.client.get("caf\u{e9}") != nil)
  }

  @Test("RF-7: a flag that was handed out is not changed by a later refresh")
  func snapshot() async throws {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a", #"{"n":1}"#)) })
    await rig.refresh()
    let flag = try #require(rig.client.get("a"))
    rig.server.answer { _ in .flags(TestFlag("a", false, rule: "", #"{"n":2}"#)) }
    await rig.advance(300)
    await rig.refresh()
    #expect(flag.isEnabled && flag.ruleID == "r_1")
    #expect(flag.number(forProperty: "n", default: 0) == 1)
    #expect(rig.client.get("a")?.number(forProperty: "n", default: 0) == 2)
  }

  @Test("RF-8: the rule id is that of a rule, `default`, or empty for a killed flag")
  func ruleIDs() async {
    let rig = Rig(
      ScriptedServer { _ in
        .flags(
          TestFlag("a", rule: "r_1a2b3c4d"), TestFlag("b", rule: "default"),
          TestFlag("c", false, rule: ""))
      })
    await rig.refresh()
    #expect(rig.client.flags.map(\.ruleID) == ["r_1a2b3c4d", "default", ""])
  }

  @Test("RF-9: the code default applies in each of the six cases")
  func defaults() async {
    // No flags yet; requests impossible.
    let extensionRig = Rig { $0.isAppExtension = true }
    await extensionRig.activate()
    #expect(extensionRig.client.isEnabled("a", default: true))
    // Unknown key; archived flag; plan without flags.
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a", false), TestFlag("b", false)) })
    await rig.refresh()
    #expect(rig.client.isEnabled("unknown", default: true))
    rig.server.answer { _ in .flags(TestFlag("b", false)) }
    await rig.advance(300)
    await rig.refresh()
    #expect(rig.client.isEnabled("a", default: true))
    #expect(!rig.client.isEnabled("b", default: true))
    // Store older than 24 h.
    await rig.advance(86_400)
    #expect(rig.client.isEnabled("b", default: true))
    rig.server.answer { _ in .flags() }
    await rig.refresh()
    #expect(rig.client.isEnabled("b", default: true))
  }
}

@Suite("What the server may answer (section 1.2)")
struct AnswerTests {
  @Test("RF-20: an answer without flags is complete: earlier flags disappear")
  func emptyPlan() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    await rig.refresh()
    rig.server.answer { _ in .flags() }
    await rig.advance(300)
    #expect(await rig.refresh() == nil)
    #expect(rig.client.flags.isEmpty)
    #expect(rig.stored?["flags"] == [])
    #expect(rig.log.listenerCalls == 2)
  }

  @Test("RF-21: an archived flag is gone after the refresh")
  func archived() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), TestFlag("b")) })
    await rig.refresh()
    rig.server.answer { _ in .flags(TestFlag("b")) }
    await rig.advance(300)
    await rig.refresh()
    #expect(rig.client.get("a") == nil)
    #expect(rig.client.get("b") != nil)
  }

  @Test("RF-22: a killed flag arrives off, with an empty rule id and default values")
  func killed() async throws {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a", #"{"color":"green"}"#)) })
    await rig.refresh()
    rig.server.answer { _ in .flags(TestFlag("a", false, rule: "", #"{"color":"blue"}"#)) }
    await rig.advance(300)
    await rig.refresh()
    let flag = try #require(rig.client.get("a"))
    #expect((flag.isEnabled, flag.ruleID) == (false, ""))
    #expect(flag.string(forProperty: "color", default: nil) == "blue")
  }

  @Test("RF-23: a flag that is off shows the values of the answer")
  func offShowsValues() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a", false, #"{"n":3,"t":true}"#)) })
    await rig.refresh()
    let flag = rig.client.get("a")
    #expect(flag?.number(forProperty: "n", default: 0) == 3)
    #expect(flag?.bool(forProperty: "t", default: false) == true)
  }
}
