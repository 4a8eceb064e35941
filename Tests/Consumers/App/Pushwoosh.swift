// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleRemoteFlags
import PushwooshFramework

/// A screen that follows its flags.
private final class FlagScreen: PWFeatureFlagsUpdateListener {
  func featureFlagsDidUpdate() {}
}

func usePushwoosh() {
  var host = PushwooshHost()
  host.stateFolder =
    FileManager.default.temporaryDirectory
    .appendingPathComponent("consumer-\(UUID().uuidString)").path
  host.callbackExecutor = SerialCallbackExecutor.main
  host.lifecycle = nil
  host.isAppExtension = true
  host.deviceType = 1
  host.time = .continuous
  host.wallClock = .system
  host.environment = { _ in nil }
  host.report = { print($0.description) }
  host.transport = RemoteFlagsConfiguration.systemTransport()
  PushwooshConfig.setHost(host)
  PushwooshConfig.stopServerCommunication()
  PushwooshConfig.setAppCode("A1B2C-D3E4F")
  PushwooshConfig.setApiToken("t")
  PushwooshConfig.setUserId("u")
  PushwooshConfig.setUserId("u") { error in print(error ?? "set") }
  PushwooshConfig.setReverseProxy("https://example.com", headers: nil)
  PushwooshConfig.startServerCommunication()
  PushwooshConfig.stopServerCommunication()
  PushwooshConfig.pushRegistrationSucceeded()
  print(
    PushwooshConfig.getAppCode() ?? "", PushwooshConfig.getHWID(), PushwooshConfig.getUserId(),
    PushwooshConfig.isServerCommunicationAllowed())

  let flags: PWFeatureFlags = Pushwoosh.configure.featureFlags
  let screen = FlagScreen()
  flags.addUpdateListener(screen)
  flags.removeUpdateListener(screen)
  flags.refresh { error in
    let code = (error as NSError?).map { "\($0.domain) \($0.code)" }
    print(code ?? "refreshed", PWFeatureFlagsErrorDomain)
  }
  flags.refresh(completion: nil)
  flags.logImpression("k")
  print(flags.isEnabled("k", default: false))
  guard let flag: PWFeatureFlag = flags.get("k") else { return }
  print(
    flag.key, flag.isEnabled, flag.ruleId, flag.flag.key,
    flag.string(forProperty: "a", default: nil) ?? "", flag.number(forProperty: "a", default: 1),
    flag.bool(forProperty: "a", default: true), flag.jsonObject(forProperty: "a") ?? [:],
    flag.jsonArray(forProperty: "a") ?? [])
}
