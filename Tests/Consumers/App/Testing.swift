// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleTesting
import kameleoonClient

func useTesting() async throws {
  try await useInMemoryClient()
  try await useScriptedTransport()
}

private func useInMemoryClient() async throws {
  let client = InMemoryClient(
    visitorCode: "v", isReady: false, executor: InlineCallbackExecutor())
  client.runWhenReady { print("ready", $0) }
  client.timeOutWaits()
  client.becomeReady()
  client.set("a", Types.Variation(key: "on", id: 1, experimentId: 2))
  client.set("b", key: "on", variables: ["k": 1])
  client.set("c", isActive: true)
  client.set("d", variations: [Types.Variation(key: "x"), Types.Variation(key: "y")], serving: "x")
  client.setEnvironment(of: "d", isEnabled: false)
  client.fail("c", with: KameleoonError.dataFileInvalid)
  client.remove("b")
  client.setDateModified(milliseconds: 5)
  client.updateConfigurationHandler { print("updated") }
  client.announceUpdate()
  client.setRemoteData("{}", forKey: "k")
  client.setRemoteVisitorData([Device.phone])
  client.setWarehouseAudiences(["x"], forKey: "k")
  try await client.getRemoteVisitorData()
  client.failRemoteCalls(with: MissingRemoteAnswer(key: "k"))
  print(try client.getVariation(featureKey: "a").key)
  try client.setForcedVariation(experimentId: 2, variationKey: "on")
  client.trackConversion(goalId: 1)
  client.setLegalConsent(true)
  client.flush()
  try client.evaluateAudiences()
  let record: ClientRecord = client.record
  print(
    record.exposures == [ClientRecord.Exposure(featureKey: "a", variationKey: "on")],
    record.readFlags, record.conversions.count, record.consents, record.flushes,
    record.forcings == [ClientRecord.Forcing(experimentId: 2, variationKey: "on")],
    record.audienceEvaluations, record.waits, record.customData.count)
  for addition: ClientRecord.Addition in record.additions {
    print(addition.isTracked, type(of: addition.datum))
  }
  for call: ClientRecord.RemoteCall in record.remoteCalls {
    switch call {
    case .data(let key): print(key)
    case .visitorData(let filter, let addsData): print(filter == .default, addsData)
    case .warehouseAudience(let key, let index): print(key, index)
    }
  }
  for exposure in record.exposures { print(exposure.featureKey, exposure.variationKey) }
  for forcing in record.forcings {
    print(forcing.experimentId, forcing.variationKey ?? "", forcing.forceTargeting)
  }
  print(MissingRemoteAnswer(key: "k").key, MissingRemoteAnswer(key: "k").description)
  client.clearRecord()
  await client.close()
}

private func useScriptedTransport() async throws {
  let stream = ScriptedStream(status: 200, headers: ["Content-Type": "text/event-stream"])
  let answer: ScriptedTransport.Answer = .json("{}", headers: [:])
  let transport = ScriptedTransport(answer, .status(204, headers: [:]))
  transport.enqueue(.stream(stream), for: "/sse")
  transport.enqueue(.failure(HTTPError(code: .other, message: "m")), for: "/failing")
  transport.enqueue(.hanging, for: "/hanging")
  transport.always(for: "/always") { request in
    request.method == .get ? .response(HTTPResponse(status: 200)) : .status(405)
  }
  print(try await transport.send(HTTPRequest(url: "https://example.com/a")).status)
  print(try await transport.open(HTTPRequest(url: "https://example.com/sse")).status)
  await transport.untilRequests(2)
  await transport.untilRequests(1, to: "/sse")
  print(transport.requests.count, transport.requests(to: "/sse").count)
  stream.send("data: 1\n\n")
  stream.end()
  stream.fail(HTTPError(code: .other, message: "m"))
  print(stream.isClosed)

  let lifecycle = ManualLifecycle(isActive: true)
  let observation = lifecycle.observe { _ in }
  lifecycle.enterBackground()
  lifecycle.becomeActive()
  print(lifecycle.isActive, lifecycle.observerCount, type(of: observation))
  let options = ClientOptions.testing(
    transport: transport, clock: ManualClock(), wallClock: ManualWallClock(),
    lifecycle: lifecycle, callbackExecutor: InlineCallbackExecutor())
  print(options.store == .memory)
}
