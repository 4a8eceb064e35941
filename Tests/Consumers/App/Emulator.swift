// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import Foundation

func useEmulator() async throws {
  let emulator = Emulator(
    time: .continuous, wallClock: .system, seed: 1,
    maximumBodyBytes: Emulator.defaultMaximumBodyBytes)
  try emulator.start(port: 0, address: LoopbackAddress.ipv4, identity: nil)
  print(emulator.isRunning, emulator.port ?? 0, emulator.baseURL ?? "")
  print(LoopbackAddress.ipv4.description, Emulator.libraryVersion, Emulator.isTLSAvailable)
  setUp(emulator)
  changeFlags(emulator)
  try setUpRemoteFlags(emulator)
  useFaults(emulator)
  useNetwork(emulator)
  forward(emulator)
  try await useStreams(emulator)
  for route in Route.allCases {
    for request: RecordedRequest in emulator.requests(route, after: 0) { show(request) }
  }
  try await emulator.waitForRequests(count: 0, route: .dataFile)
  print(try await emulator.waitForRequests(after: -1).count)
  for event in emulator.acceptedEvents { show(event) }
  emulator.clearJournal()
  emulator.reset()
  emulator.stop()

  let identity = ServerIdentity(certificate: "none", privateKey: "none")
  do throws(EmulatorError) {
    try emulator.start(port: 0, address: .ipv4, identity: identity)
  } catch {
    let codes: [EmulatorError.Code] = [
      .addressInUse, .alreadyRunning, .notRunning, .cancelled, .invalidArgument, .system,
    ]
    print(codes.contains(error.code), error.code.description, error.message.isEmpty)
    print(error.description.isEmpty, identity.certificate, identity.privateKey)
  }
}

private func useNetwork(_ emulator: Emulator) {
  emulator.addFault(.status(503), on: .evaluation, chance: 0)
  emulator.clearFaults()
  emulator.setLatency(.zero ... .zero, on: .bulkEvaluation)
  emulator.setStreamLifetime(nil)
  emulator.setClockSkew(.zero)
  emulator.setEvaluationToken("t")
  emulator.setEvaluationLimit(requests: nil, per: .seconds(1))
  do throws(EmulatorError) {
    try Emulator().start(exposedAt: "here", token: "", port: 0, identity: nil)
  } catch {
    print(error.code == .invalidArgument)
  }
}

private func forward(_ emulator: Emulator) {
  let responder: Emulator.Responder = { (request: ForwardedRequest) in
    print(request.route, request.method, request.target, request.fields.count, request.body.count)
    let (pieces, _) = AsyncStream<[UInt8]>.makeStream()
    var answer = ForwardedAnswer(status: 200, fields: [], body: .pieces(pieces))
    answer.status = 204
    answer.fields = []
    answer.body = ForwardedAnswer.Body.bytes([])
    return answer
  }
  emulator.setResponder(on: .unknown, responder)
}

private func setUp(_ emulator: Emulator) {
  emulator.setDataFile(
    Array("{}".utf8), lastModified: "x", entityTag: "\"y\"", environment: nil, siteCode: "site")
  emulator.setDataFile("{}", environment: "staging")
  emulator.removeDataFile(environment: "staging", siteCode: nil)
  emulator.setRemoteData("{}", forKey: "k")
  emulator.setWarehouseAudiences(["a"], forKey: "k")
  emulator.setVisitorData("{}", forVisitor: "v")
  emulator.setCredentials(["id": "secret"])
  emulator.setTokenLifetime(seconds: 60)
  emulator.requireToken(true)
  emulator.acceptToken("t")
  emulator.revokeTokens()
}

private func changeFlags(_ emulator: Emulator) {
  do throws(FlagEditError) {
    print(try emulator.setFlag("a", isEnabled: true, environment: nil, siteCode: nil))
    print(try emulator.setExposition(0.5, ofRule: 1, inFlag: "a"))
    print(try emulator.setSplit([0.5, 0.5], ofRule: 1, inFlag: "a"))
    try emulator.setRemoteFlag("a", isKilled: true, application: nil)
    try emulator.setRemoteFlag("a", isEnabled: true)
  } catch {
    let codes: [FlagEditError.Code] = [.noFile, .unreadable, .notFound, .invalidValue]
    print(codes.contains(error.code), error.code.description, error.message, error.description)
  }
}

private func setUpRemoteFlags(_ emulator: Emulator) throws {
  try emulator.setRemoteFlags(#"{"flags": []}"#, application: "A")
  try emulator.setRemoteFlags(Array(#"{"flags": []}"#.utf8))
  emulator.removeRemoteFlags(application: "A")
  emulator.setDeviceAPIToken("t")
  do throws(RemoteFlagRulesError) {
    try emulator.setRemoteFlags("[")
  } catch {
    print(error.message, error.description)
  }
  for impression: FlagImpression in emulator.impressions {
    print(
      impression.application, impression.device, impression.user, impression.key,
      impression.ruleID, impression.isEnabled)
  }
}

private func useFaults(_ emulator: Emulator) {
  let field = HeaderField("X-A", "b")
  print(field.name, field.value, field.valueBytes, field.description)
  print([field].value(named: "x-a") ?? "", HeaderField.isValid(name: "a", value: "b"))
  let drip = Fault.Drip(bytes: 1, interval: .milliseconds(1))
  print(drip.bytes, drip.interval)
  var changes = Fault.Changes()
  changes.status = 500
  changes.interim = [103]
  changes.headers = [field]
  changes.contentType = "text/plain"
  changes.body = [1]
  changes.cutAfter = 1
  changes.announcedLength = 2
  changes.encoding = Fault.ContentEncoding.gzip
  changes.trailers = []
  changes.drip = drip
  changes.dripsHead = false
  changes.closesAfterwards = true
  var own = Fault(Fault.Action.answer(changes), delay: .zero)
  own.action = .neverAnswer
  own.delay = .milliseconds(1)
  let faults: [Fault] = [
    own, .delay(.milliseconds(1)), .status(500, headers: [field]), .redirect(to: "/", status: 302),
    .cut(afterBytes: 1), .announcedLength(1), .contentType("text/plain"),
    .body([1], contentType: "text/plain"), .html(status: 502),
    .drip(bytes: 1, every: .milliseconds(1)), .slowHead(bytes: 1, every: .milliseconds(1)),
    .interim(103), .trailers([field]), .largeHead(bytes: 100), .encoded(.deflate),
    .bomb(size: 1_000, encoding: .gzip), .closeAfterAnswer, .neverAnswer, .closeBeforeReading,
    .closeAfterReading, .raw("HTTP/1.1 200 OK\r\n\r\n"),
  ]
  for fault in faults { print(fault.delay, fault.action == .neverAnswer) }
  emulator.addFault(.status(500), on: .dataFile, times: 1)
  emulator.clearFaults(on: .dataFile)
  emulator.clearFaults()
  emulator.refuseConnections(times: 0)
}

private func useStreams(_ emulator: Emulator) async throws {
  print(
    emulator.pushConfigurationUpdate(timestamp: 1, siteCode: nil),
    emulator.pushEvent(name: "e", data: "d"), emulator.pushComment("c"),
    emulator.pushStreamBytes([1]), emulator.closeStreams(), emulator.openStreams)
  try await emulator.waitForOpenStreams(count: 0)
  try await emulator.waitForHeldRequests(count: 0)
}

private func show(_ request: RecordedRequest) {
  let parameters: [Parameter] = request.parameters
  print(
    request.sequence, request.route.description, request.method, request.target, request.version,
    request.fields.count, request.body.count, request.decodedBody?.count ?? 0,
    request.isComplete, request.status ?? 0, request.isFaulted, request.path,
    request.query ?? "", request.text, request.header("a") ?? "")
  for parameter in parameters { print(parameter.name, parameter.value) }
  print(Parameter(name: "a", value: "b") == parameters.first)
  let report: TrackingReport? = request.tracking
  for event: TrackedEvent in report?.events ?? [] { show(event) }
  for finding: TrackingFinding in report?.findings ?? [] {
    let kinds: [TrackingFinding.Kind] = [
      .duplicateNonce, .malformedNonce, .malformedLine, .unknownEventType, .missingVisitor,
      .order, .activityNotAlone,
    ]
    print(kinds.contains(finding.kind), finding.line, finding.message, finding.description)
  }
}

private func show(_ event: TrackedEvent) {
  print(
    event.line, event.parameters.count, event["a"] ?? "", event.nonce ?? "",
    event.eventType ?? "", event.visitor ?? "")
}
