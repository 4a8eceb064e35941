// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import Dispatch
import Foundation
import Testing

@testable import PushwooshCore

@MainActor
private final class Screen: PWFeatureFlagsUpdateListener {
  var updates = 0

  nonisolated init() {}

  func featureFlagsDidUpdate() {
    MainActor.assertIsolated()
    updates += 1
  }
}

private let flag = #"""
  {"key":"f","enabled":true,"rule_id":"r_1","properties":{"s":"text","n":5,"t":true,
  "o":{"one":1,"half":0.5,"yes":true,"no":false,"null":null,"text":"x","list":[1,true],"big":9007199254740993},
  "l":[1,0,true,false,2.0,null,"x",{"a":[]}]}}
  """#

@Suite("The API of the documentation")
@MainActor
struct FacadeTests {
  @Test("RF-60: addUpdateListener takes an object of the protocol, whose method has no arguments")
  func listener() async {
    let rig = PushwooshRig(flag)
    rig.runtime.setAppCode("A1B2C-D3E4F")
    let screen = Screen()
    rig.runtime.featureFlags.addUpdateListener(screen)
    rig.runtime.featureFlags.addUpdateListener(screen)
    #expect(await rig.refresh() == nil)
    #expect(screen.updates == 1)
    rig.platform.answer()
    rig.clock.advance(by: .seconds(300))
    #expect(await rig.refresh() == nil)
    #expect(screen.updates == 2)
    rig.runtime.featureFlags.removeUpdateListener(screen)
    rig.platform.answer(200, flag)
    rig.clock.advance(by: .seconds(300))
    #expect(await rig.refresh() == nil)
    #expect(screen.updates == 2)
  }

  @Test("RF-64: the listener is held weakly")
  func weakListener() async {
    let rig = PushwooshRig(flag)
    rig.runtime.setAppCode("A1B2C-D3E4F")
    var screen: Screen? = Screen()
    weak let reference = screen
    screen.map { rig.runtime.featureFlags.addUpdateListener($0) }
    screen = nil
    #expect(reference == nil)
    #expect(await rig.refresh() == nil)
  }

  @Test("RF-42: the completion runs on the main thread, after refresh has returned")
  func completion() async {
    let rig = PushwooshRig(flag)
    rig.runtime.setAppCode("A1B2C-D3E4F")
    let flags = rig.runtime.featureFlags
    let order = Lock<[String]>([])
    await withCheckedContinuation { continuation in
      flags.refresh { _ in
        dispatchPrecondition(condition: .onQueue(.main))
        order.withLock { $0.append("completed") }
        continuation.resume()
      }
      order.withLock { $0.append("returned") }
    }
    #expect(order.withLock { $0 } == ["returned", "completed"])
    flags.refresh(completion: nil)
  }

  @Test("RF-68: errors have the domain, the code of the failure and a description")
  func errors() async throws {
    #expect(PWFeatureFlagsErrorDomain == "PWFeatureFlagsErrorDomain")
    let rig = PushwooshRig()
    let unsent = try #require(await rig.refresh())
    rig.runtime.setAppCode("A1B2C-D3E4F")
    rig.platform.answer(403)
    let refused = try #require(await rig.refresh())
    rig.platform.answer(200, "{")
    let unusable = try #require(await rig.refresh())
    #expect([unsent, refused, unusable].map(\.code) == [0, 403, 200])
    for error in [unsent, refused, unusable] {
      #expect(error.domain == PWFeatureFlagsErrorDomain)
      #expect(error.localizedDescription.count > 20)
    }
  }

  @Test("values are Swift's own: a Boolean is never an integer, an integer never a Boolean")
  func values() async throws {
    let rig = PushwooshRig(flag)
    rig.runtime.setAppCode("A1B2C-D3E4F")
    #expect(await rig.refresh() == nil)
    let flag = try #require(rig.runtime.featureFlags.get("f"))
    #expect((flag.key, flag.isEnabled, flag.ruleId) == ("f", true, "r_1"))
    #expect(flag.string(forProperty: "s", default: nil) == "text")
    #expect(flag.number(forProperty: "n", default: 0) == 5)
    #expect(flag.bool(forProperty: "t", default: false))
    let object = try #require(flag.jsonObject(forProperty: "o"))
    #expect(object["one"] as? Int == 1 && !(object["one"] is Bool))
    #expect(object["half"] as? Double == 0.5)
    #expect(object["yes"] as? Bool == true && !(object["yes"] is Int) && !(object["yes"] is Double))
    #expect(object["no"] as? Bool == false && !(object["no"] is Int))
    #expect(object["null"] is NSNull)
    #expect(object["big"] as? Int == 9_007_199_254_740_993)
    #expect(object["text"] as? String == "x")
    let list = try #require(flag.jsonArray(forProperty: "l"))
    #expect(
      list.map { "\(type(of: $0))" }.prefix(7) == [
        "Int", "Int", "Bool", "Bool", "Double", "NSNull", "String",
      ])
    #expect(((list.last as? [String: Any])?["a"] as? [Any])?.isEmpty == true)
    #expect(flag.jsonObject(forProperty: "l") == nil)
    #expect(flag.jsonArray(forProperty: "o") == nil)
    #expect(rig.runtime.featureFlags.isEnabled("f", default: false))
    #expect(rig.runtime.featureFlags.isEnabled("g", default: true))
  }

  @Test("setUserId drops, registers, and completes once")
  func users() async {
    let rig = PushwooshRig(flag)
    rig.runtime.setAppCode("A1B2C-D3E4F")
    rig.runtime.setApiToken("token")
    #expect(await rig.refresh() == nil)
    let device = rig.runtime.client.deviceID
    #expect(rig.runtime.client.userID == device)
    let error = await withCheckedContinuation { continuation in
      rig.runtime.setUserId(" user-43 ") { error in
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.resume(returning: error as NSError?)
      }
      #expect(rig.runtime.featureFlags.get("f") == nil)
    }
    #expect(error == nil)
    #expect(rig.runtime.client.userID == "user-43")
    #expect(rig.platform.methods.filter { $0 == "registerUser" }.count == 1)
    #expect(rig.platform.all.last?.request.headers["Authorization"] == "Token token")
    rig.platform.answer(500)
    let failure = await withCheckedContinuation { continuation in
      rig.runtime.setUserId("user-44") { continuation.resume(returning: $0 as NSError?) }
    }
    #expect(failure?.code == 500 && failure?.domain == PWFeatureFlagsErrorDomain)
    let same = await withCheckedContinuation { continuation in
      rig.runtime.setUserId("user-44") { continuation.resume(returning: $0 as NSError?) }
    }
    #expect(same == nil)
    rig.runtime.setUserId("user-45", nil)
    #expect(rig.runtime.client.userID == "user-45")
  }

  @Test("an executor of the host's stands for the main thread, for every kind of callback")
  func ownExecutor() async {
    let rig = PushwooshRig(flag) { $0.callbackExecutor = InlineCallbackExecutor() }
    rig.runtime.setAppCode("A1B2C-D3E4F")
    let flags = rig.runtime.featureFlags
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        flags.refresh { _ in
          continuation.resume()
        }
      }
    }
    #expect(flags.get("f") != nil)
  }

  @Test("without a lifecycle the session starts with the first use of flags, not with settings")
  func startsWithUse() async {
    let rig = PushwooshRig(flag) { $0.lifecycle = nil }
    rig.runtime.setAppCode("A1B2C-D3E4F")
    rig.runtime.setApiToken("token")
    _ = rig.runtime.client.userID
    #expect(rig.platform.all.isEmpty)
    _ = rig.runtime.featureFlags
    while rig.runtime.featureFlags.get("f") == nil { await Task.yield() }
    #expect(rig.platform.methods == ["getFeatureFlags"])
    #expect(rig.platform.all.first?.request.headers["Authorization"] == "Token token")
  }
}
