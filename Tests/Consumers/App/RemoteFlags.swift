// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleModels
import AnoleNetworking
import AnoleRemoteFlags
import AnoleStorage

private struct Refusing: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    HTTPResponse(status: 503)
  }

  func open(_ request: HTTPRequest) async throws(HTTPError) -> HTTPStream {
    throw HTTPError(code: .other, message: "no streams here")
  }
}

private final class Listener: RemoteFlagsListener {
  nonisolated func remoteFlagsDidChange() {}
}

private struct Settings: Decodable {
  let size: Int
}

func useRemoteFlags() async throws {
  let store: any RemoteFlagsStore = InMemoryStorage()
  var configuration = RemoteFlagsConfiguration(
    applicationCode: "A1B2C-D3E4F", store: store, transport: Refusing())
  configuration.applicationCode = "A1B2C-D3E4F"
  configuration.apiToken = "t"
  configuration.baseURL = nil
  configuration.reverseProxy = ReverseProxy(url: "https://example.com", headers: ["a": "b"])
  configuration.deviceID = "d"
  configuration.userID = "u"
  configuration.deviceType = 1
  configuration.version = "0.1.0"
  configuration.isAppExtension = false
  configuration.disablesThrottle = true
  configuration.allowsServerCommunication = true
  configuration.store = store
  configuration.transport = Refusing()
  configuration.time = .continuous
  configuration.wallClock = .system
  configuration.utcOffset = { RemoteFlagsConfiguration.systemOffset(at: $0) }
  configuration.callbackExecutor = SerialCallbackExecutor(label: "consumer")
  let lifecycle = HostLifecycle(isActive: true)
  configuration.lifecycle = lifecycle
  configuration.report = { (report: RemoteFlagsReport) in print(report.description) }
  print(type(of: RemoteFlagsConfiguration.systemTransport()))
  useLifecycles(lifecycle)
  try await use(RemoteFlagsClient(configuration))
  try showStored()
  let codes: [RemoteFlagsReport.Code] = [.configuration, .request, .registration, .store]
  for code in codes {
    let report = RemoteFlagsReport(code: code, message: "m")
    print(report.code.description, report.message)
  }
}

private func showStored() throws {
  let names: Set<String> = StoredRemoteFlags.namespaces
  // There is no store in that place.
  guard let inspection = try? StorageInspection(folder: "/nowhere", reading: names),
    let stored = StoredRemoteFlags(inspection)
  else { return }
  print(stored.deviceID ?? "", stored.userID ?? "", stored.unreadableAnswers)
  for answer: StoredRemoteFlags.Answer in stored.answers {
    print(answer.application, answer.user, answer.requestedAt, answer.keys)
  }
}

private func useLifecycles(_ lifecycle: HostLifecycle) {
  let observation = lifecycle.observe { (event: AppLifecycleEvent) in
    switch event {
    case .didBecomeActive, .didEnterBackground, .didRegisterForPush: break
    case .didChangeUser(let user): print(user)
    }
  }
  lifecycle.becameActive()
  lifecycle.wentToBackground()
  lifecycle.registeredForPush()
  lifecycle.userChanged(to: "u")
  let other: any AppLifecycle = AlwaysActive()
  print(lifecycle.isActive, other.isActive, type(of: observation))
}

private func use(_ client: RemoteFlagsClient) async throws {
  let listener = Listener()
  client.addListener(listener)
  client.refresh { (error: RemoteFlagsError?) in print(error?.description ?? "refreshed") }
  do throws(RemoteFlagsError) {
    try await client.refresh()
  } catch {
    let codes: [RemoteFlagsError.Code] = [.notSent, .noAnswer, .status, .unusableAnswer]
    print(codes.contains(error.code), error.code.description, error.number, error.message)
  }
  for flag: RemoteFlag in client.flags { try show(flag, of: client) }
  if let flag = client.get("k") { try show(flag, of: client) }
  print(client.isEnabled("k", default: true), client.origin(of: "k").description)
  let origins: [RemoteFlagOrigin] = [.fresh, .stored(since: 1), .incomplete, .default]
  print(origins.count)
  let changes: RemoteFlagChanges = client.changes()
  var iterator: RemoteFlagChanges.Iterator = changes.makeAsyncIterator()
  client.logImpression("k")
  print(client.deviceID, client.userID, client.applicationCode ?? "")
  client.setUserID("v")
  client.setUserID("w") { print($0?.description ?? "set") }
  client.setApplicationCode("A1B2C-D3E4F")
  client.setAPIToken(nil)
  var proxy = ReverseProxy(url: "https://example.com")
  proxy.url = "https://proxy.example.com"
  proxy.headers = [:]
  client.setReverseProxy(proxy)
  client.stopServerCommunication()
  client.startServerCommunication()
  print(client.isServerCommunicationAllowed)
  client.becameActive()
  client.wentToBackground()
  client.registeredForPush()
  var registration = DeviceRegistration(
    pushToken: "t", utcOffset: 0, language: "en", appVersion: nil, systemVersion: nil,
    deviceModel: nil, package: nil, notificationTypes: 7,
    gateway: DeviceRegistration.Gateway.sandbox, sounds: [])
  registration.pushToken = "u"
  registration.utcOffset = 1
  registration.language = "de"
  registration.appVersion = "1"
  registration.systemVersion = "2"
  registration.deviceModel = "m"
  registration.package = "p"
  registration.notificationTypes = 1
  registration.gateway = .production
  registration.sounds = ["s"]
  do { try await client.registerDevice(registration) } catch { print(error.code) }
  client.removeListener(listener)
  await client.finishRequests()
  await client.shutdown()
  print(await iterator.next() ?? [])
}

private func show(_ flag: RemoteFlag, of client: RemoteFlagsClient) throws {
  print(
    flag.key, flag.isEnabled, flag.ruleID, flag.origin, flag.requestedAt, flag.propertyKeys,
    client.age(of: flag))
  print(
    flag.string(forProperty: "a", default: nil) ?? "", flag.number(forProperty: "a", default: 1),
    flag.integer(forProperty: "a", default: 1), flag.bool(forProperty: "a", default: true))
  print(
    flag.jsonObject(forProperty: "a")?.count ?? 0, flag.jsonArray(forProperty: "a")?.count ?? 0,
    flag.value(forProperty: "a")?.description ?? "")
  print(try flag.decode(Settings.self, forProperty: "a")?.size ?? 0, flag == flag)
}
