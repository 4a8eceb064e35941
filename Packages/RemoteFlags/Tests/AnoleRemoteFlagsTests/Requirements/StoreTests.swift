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

@Suite("Store (section 1.3)")
struct StoreTests {
  @Test(
    "RF-24: a stored set is visible until it is 24 h old",
    arguments: [(0.0, true), (86_399.0, true), (86_400.0, false), (86_401.0, false)])
  func age(_ age: Double, _ isVisible: Bool) {
    let rig = Rig()
    rig.put(TestFlag("a"), age: age)
    rig.relaunch()
    #expect((rig.client.get("a") != nil) == isVisible)
  }

  @Test("RF-25: a set expires at 24 h while the process runs, without any request")
  func expiresInProcess() async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) })
    await rig.refresh()
    rig.server.answer { _ in .failure(.connectFailed) }
    await rig.advance(86_399)
    #expect(rig.client.get("a") != nil)
    await rig.advance(1)
    #expect(rig.client.get("a") == nil)
    #expect(rig.client.isEnabled("a", default: true))
    #expect(rig.server.calls.count == 1)
    #expect(rig.log.listenerCalls == 1)
  }

  @Test("RF-25: stored flags stay in force while the server cannot be reached")
  func offline() async {
    let rig = Rig(ScriptedServer { _ in .failure(.connectFailed) })
    rig.put(TestFlag("a"), age: 86_000)
    rig.relaunch()
    await rig.activate()
    #expect(rig.client.get("a") != nil)
    await rig.advance(399)
    #expect(rig.client.get("a") != nil)
    await rig.advance(1)
    #expect(rig.client.get("a") == nil)
  }

  @Test("RF-26: a stored set of another User ID is not visible, not even in another normal form")
  func otherUser() {
    let rig = Rig { $0.userID = "caf\u{e9}" }
    rig.put(TestFlag("a"), user: "cafe\u{301}")
    rig.relaunch()
    #expect(rig.client.userID.unicodeScalars.count == 4)
    #expect(rig.client.get("a") == nil)
    rig.put(TestFlag("a"), user: "caf\u{e9}")
    rig.relaunch()
    #expect(rig.client.get("a") != nil)
  }

  @Test("RF-27: a stored set of another application code is not visible")
  func otherApplication() {
    let rig = Rig()
    rig.put(TestFlag("a"), application: "ZZZZZ-ZZZZZ")
    rig.relaunch()
    #expect(rig.client.get("a") == nil)
    rig.put(TestFlag("a"))
    rig.relaunch { $0.applicationCode = "ZZZZZ-ZZZZZ" }
    #expect(rig.client.get("a") == nil)
    rig.relaunch()
    #expect(rig.client.get("a") != nil)
  }

  @Test(
    "RF-28: a record that is unreadable, cut, foreign or no JSON behaves like none and is overwritten",
    arguments: [
      "", "{", "null", "[]", "not json", "{\"schema\":1}", "\u{0}\u{1}",
      #"{"schema":2,"application":"A1B2C-D3E4F","user_id":"user-42","requested_at":1790000000,"flags":[{"key":"a","enabled":true,"rule_id":""}]}"#,
      #"{"schema":"1","application":"A1B2C-D3E4F","user_id":"user-42","requested_at":1790000000,"flags":[{"key":"a","enabled":true,"rule_id":""}]}"#,
      #"{"schema":1,"application":"A1B2C-D3E4F","user_id":"user-42","requested_at":"1790000000","flags":[{"key":"a","enabled":true,"rule_id":""}]}"#,
      #"{"schema":1,"application":"A1B2C-D3E4F","user_id":"user-42","requested_at":1e300,"flags":[{"key":"a","enabled":true,"rule_id":""}]}"#,
      #"{"schema":1,"application":"A1B2C-D3E4F","user_id":"user-42","requested_at":1790000000,"flags":{}}"#,
      #"{"schema":1,"application":"A1B2C-D3E4F","user_id":"user-42","requested_at":1790000000,"flags":[{"key":"a""#,
    ])
  func damagedRecord(_ text: String) async {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("new")) })
    rig.put(text)
    rig.relaunch()
    #expect(rig.client.flags.isEmpty)
    #expect(await rig.refresh() == nil)
    rig.relaunch()
    #expect(rig.client.flags.map(\.key) == ["new"])
  }

  @Test(
    "RF-29: a request time more than 60 s in the future is not trusted after a relaunch",
    arguments: [(-60.0, true), (-60.001, false), (-3_600.0, false)])
  func future(_ age: Double, _ isVisible: Bool) async {
    let rig = Rig()
    rig.put(TestFlag("a"), age: age)
    rig.relaunch()
    #expect((rig.client.get("a") != nil) == isVisible)
    guard isVisible else { return }
    // Its age is counted from now on, so that it does not live longer than a day.
    await rig.advance(86_399)
    #expect(rig.client.get("a") != nil)
    await rig.advance(1)
    #expect(rig.client.get("a") == nil)
  }

  @Test("the stored record has the form of section 2.5")
  func form() async throws {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a", #"{"n":1.50}"#)) })
    await rig.refresh()
    let stored = try #require(rig.stored)
    let expected: JSONValue = [
      "schema": 1, "application": "A1B2C-D3E4F", "user_id": "user-42",
      "requested_at": 1_790_000_000.125,
      "flags": [["key": "a", "enabled": true, "rule_id": "r_1", "properties": ["n": 1.5]]],
    ]
    #expect(stored == expected)
  }

  @Test("origin and age of a flag are those of the request that brought it")
  func origins() async throws {
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a"), TestFlag("b")) })
    await rig.refresh()
    await rig.advance(10)
    let fresh = try #require(rig.client.get("a"))
    #expect(fresh.origin == .fresh)
    #expect(fresh.requestedAt == 1_790_000_000_125)
    #expect(rig.client.age(of: fresh) == .seconds(10))
    rig.relaunch()
    await rig.advance(5)
    let stored = try #require(rig.client.get("a"))
    #expect(stored.origin == .stored(since: 1_790_000_000_125))
    #expect(rig.client.age(of: stored) == .seconds(15))
    rig.server.answer { _ in .flags(TestFlag("b", false), partial: true) }
    await rig.refresh()
    #expect(rig.client.origin(of: "a") == .stored(since: 1_790_000_000_125))
    #expect(rig.client.origin(of: "b") == .incomplete)
    let incomplete = try #require(rig.client.get("b"))
    #expect(rig.client.age(of: incomplete) == .zero)
    #expect(rig.client.origin(of: "c") == .default)
  }

  @Test("device id and user are kept; a device id is made once")
  func names() throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let rig = Rig(store: try DiskStore(folder)) {
      $0.deviceID = nil
      $0.userID = nil
    }
    let device = rig.client.deviceID
    #expect(UUID(uuidString: device) != nil)
    #expect(rig.client.userID == device)
    rig.relaunch()
    #expect(rig.client.deviceID == device)
    rig.client.setUserID("user-43")
    rig.relaunch()
    #expect(rig.client.deviceID == device)
    #expect(rig.client.userID == "user-43")
  }
}
