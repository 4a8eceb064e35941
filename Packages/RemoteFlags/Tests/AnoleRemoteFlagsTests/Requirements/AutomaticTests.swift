// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleStorage
import AnoleStorageTesting
import Testing

@testable import AnoleRemoteFlags

@Suite("Requests that nobody asks for (section 1.4)")
struct AutomaticTests {
  private let server = ScriptedServer { call in
    call.isForFlags ? .flags(TestFlag("a")) : .done
  }

  @Test("RF-30: the first activation in a process sends a request")
  func firstActivation() async {
    let rig = Rig(server)
    await rig.settle()
    #expect(server.calls.isEmpty)
    await rig.activate()
    #expect(server.flagCalls.count == 1)
    await rig.activate()
    #expect(server.flagCalls.count == 1)
  }

  @Test(
    "RF-31: an activation after 30 minutes or more in the background sends a request",
    arguments: [1_800.0, 1_801, 3_000])
  func longBackground(_ seconds: Double) async {
    let rig = Rig(server)
    await rig.activate()
    rig.client.wentToBackground()
    await rig.advance(seconds)
    #expect(server.flagCalls.count == 1)
    await rig.activate()
    #expect(server.flagCalls.count == 2)
  }

  @Test("RF-32: a shorter stay in the background sends nothing", arguments: [0.0, 1, 1_799])
  func shortBackground(_ seconds: Double) async {
    let rig = Rig(server)
    await rig.activate()
    rig.client.wentToBackground()
    await rig.advance(seconds)
    await rig.activate()
    #expect(server.flagCalls.count == 1)
  }

  @Test("RF-33: in the foreground a request is sent an hour after the last one that was sent")
  func hourly() async {
    let rig = Rig(server)
    await rig.activate()
    await rig.advance(3_599)
    #expect(server.flagCalls.count == 1)
    await rig.advance(1)
    #expect(server.flagCalls.count == 2)
    await rig.advance(1_800)
    await rig.refresh()
    #expect(server.flagCalls.count == 3)
    await rig.advance(3_599)
    #expect(server.flagCalls.count == 3)
    await rig.advance(1)
    #expect(server.flagCalls.count == 4)
    await rig.advance(3_600)
    await rig.advance(3_600)
    #expect(server.flagCalls.count == 6)
  }

  @Test("RF-33: without any request the hour starts with the activation")
  func hourWithoutRequest() async {
    let rig = Rig(server)
    rig.startSession()
    await rig.advance(3_599)
    #expect(server.flagCalls.isEmpty)
    await rig.advance(1)
    #expect(server.flagCalls.count == 1)
  }

  @Test("RF-34: no hourly request in the background; it goes out on return to the foreground")
  func hourInBackground() async {
    let rig = Rig(server)
    await rig.activate()
    await rig.advance(2_000)
    rig.client.wentToBackground()
    await rig.advance(1_700)
    #expect(server.flagCalls.count == 1)
    await rig.activate()
    #expect(server.flagCalls.count == 2)
    rig.client.wentToBackground()
    await rig.advance(1_000)
    await rig.activate()
    #expect(server.flagCalls.count == 2)
    await rig.advance(2_600)
    #expect(server.flagCalls.count == 3)
  }

  @Test("RF-35: registering for push sends a request if an earlier one was sent before")
  func registration() async throws {
    let rig = Rig(server)
    rig.client.registeredForPush()
    await rig.settle()
    #expect(server.calls.isEmpty)
    await rig.activate()
    rig.client.registeredForPush()
    await rig.settle()
    #expect(server.flagCalls.count == 2)
    try await rig.client.registerDevice(DeviceRegistration(pushToken: "0a1b2c"))
    await rig.settle()
    #expect(server.calls.map(\.method).suffix(2) == ["registerDevice", "getFeatureFlags"])
    #expect(server.calls.first { $0.method == "registerDevice" }?.body["push_token"] == "0a1b2c")
  }

  @Test("RF-35: after a registration during a request another one follows it")
  func registrationDuringRequest() async {
    let rig = Rig(ScriptedServer())
    await rig.activate()
    rig.client.registeredForPush()
    rig.client.registeredForPush()
    await rig.settle()
    #expect(rig.server.flagCalls.count == 1)
    rig.server.release(.failure(.timedOut))
    await rig.settle()
    #expect(rig.server.flagCalls.count == 2)
    rig.server.release(.flags(TestFlag("a")))
    await rig.settle()
    #expect(rig.server.flagCalls.count == 2)
    #expect(rig.client.get("a") != nil)
  }

  @Test("RF-35: a registration that fails sends nothing")
  func failedRegistration() async {
    let rig = Rig(ScriptedServer { $0.isForFlags ? .flags() : .answer(500, []) })
    await rig.activate()
    await #expect(throws: RemoteFlagsError.self) {
      try await rig.client.registerDevice(DeviceRegistration(pushToken: "0a"))
    }
    await rig.settle()
    #expect(rig.server.flagCalls.count == 1)
  }

  @Test("RF-36: a change of user sends a request at once, without waiting for its registration")
  func userChange() async {
    let rig = Rig(
      ScriptedServer { $0.method == "registerUser" ? .held : .flags(TestFlag("a")) })
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(rig.server.heldCount == 1)
    #expect(rig.server.flagCalls.map(\.user) == ["user-43"])
    #expect(rig.client.get("a") != nil)
    rig.server.release(.done)
    await rig.settle()
    #expect(rig.server.calls.count == 2)
  }

  @Test("RF-37: when setUserID returns, the former flags are gone from memory and store")
  func drop() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    func open() throws -> DiskStore {
      try DiskStore(folder)
    }
    let rig = Rig(ScriptedServer { _ in .flags(TestFlag("a")) }, store: try open())
    await rig.refresh()
    // A set of another application is of the former user too.
    rig.store.apply([
      .write(namespace: StoreRecords.sets, key: "ZZZZZ-ZZZZZ", value: [1])
    ])
    rig.server.answer { _ in .held }
    rig.client.setUserID("user-43")
    #expect(rig.client.get("a") == nil)
    #expect(rig.client.flags.isEmpty)
    // What a process would see that starts after a crash at this point.
    let other = try open()
    #expect(other.keys(namespace: StoreRecords.sets).isEmpty)
    #expect(
      StoreRecords.user(in: other.read(namespace: StoreRecords.names, key: "user")) == "user-43")
    let next = Rig(store: try open()) { $0.userID = nil }
    #expect(next.client.userID == "user-43")
    #expect(next.client.flags.isEmpty)
    await rig.settle()
  }

  @Test("RF-38: an answer for the former user is neither visible nor stored, whenever it arrives")
  func lateAnswer() async {
    let rig = Rig(ScriptedServer())
    rig.client.refresh(completion: nil)
    await rig.settle()
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(rig.server.flagCalls.map(\.user) == ["user-42", "user-43"])
    rig.server.release(.flags(TestFlag("old")))
    await rig.settle()
    #expect(rig.client.flags.isEmpty)
    #expect(rig.stored == nil)
    #expect(rig.log.listenerCalls == 0)
    rig.server.releaseAll { $0.isForFlags ? .flags(TestFlag("new")) : .done }
    await rig.settle()
    #expect(rig.client.flags.map(\.key) == ["new"])
    #expect(rig.stored?["user_id"] == "user-43")
  }

  @Test("RF-39: the id in force, a blank one and white space around it change nothing")
  func sameUser() async {
    let rig = Rig(server)
    await rig.refresh()
    for text in ["user-42", " user-42\n", "\u{a0}\tuser-42 ", "", " \r\n\t "] {
      rig.client.setUserID(text)
    }
    await rig.settle()
    #expect(server.calls.count == 1)
    #expect(rig.client.get("a") != nil)
    rig.client.setUserID("  user 43 ")
    await rig.settle()
    #expect(rig.client.userID == "user 43")
    // Another normal form is another user.
    rig.client.setUserID("e\u{301}")
    rig.client.setUserID("\u{e9}")
    #expect(rig.client.userID.utf8.elementsEqual("\u{e9}".utf8))
    await rig.settle()
  }

  @Test("RF-39: until one is set the User ID is the device id, and restoring an id is a change")
  func deviceIDAsUser() async {
    let rig = Rig(server) { $0.userID = nil }
    #expect(rig.client.userID == Rig.device)
    rig.client.setUserID(Rig.device)
    await rig.settle()
    #expect(server.calls.isEmpty)
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(rig.client.get("a") != nil)
    server.answer { _ in .failure(.connectFailed) }
    rig.client.setUserID(Rig.device)
    #expect(rig.client.get("a") == nil)
    await rig.settle()
    #expect(server.flagCalls.map(\.user) == ["user-43", Rig.device])
  }

  @Test("RF-40: automatic requests are not limited")
  func notThrottled() async {
    let rig = Rig(server)
    await rig.refresh()
    await rig.activate()
    #expect(server.flagCalls.count == 2)
    rig.client.registeredForPush()
    await rig.settle()
    #expect(server.flagCalls.count == 3)
    rig.client.setUserID("user-43")
    await rig.settle()
    #expect(server.flagCalls.count == 4)
    #expect(await rig.refresh() == nil)
    #expect(server.flagCalls.count == 4)
  }

  @Test("a lifecycle object drives the client; a released observation ends it")
  func lifecycle() async {
    let life = HostLifecycle()
    var rig: Rig? = Rig(server) { $0.lifecycle = life }
    life.becameActive()
    await rig?.settle()
    #expect(server.flagCalls.count == 1)
    life.registeredForPush()
    await rig?.settle()
    #expect(server.flagCalls.count == 2)
    life.userChanged(to: "user-43")
    await rig?.settle()
    #expect(rig?.client.userID == "user-43")
    life.wentToBackground()
    await rig?.advance(1_800)
    life.becameActive()
    await rig?.settle()
    #expect(server.flagCalls.count == 4)
    rig = nil
    life.registeredForPush()
    #expect(life.isActive)
    let active = Rig(ScriptedServer { _ in .flags() }) { $0.lifecycle = AlwaysActive() }
    await active.settle()
    #expect(active.server.flagCalls.count == 1)
  }
}
