// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleModels
import AnoleNetworkingTesting
import AnoleStorage
import AnoleStorageTesting
import Dispatch
import Foundation
import Testing

@testable import AnoleRemoteFlags

/// Plays an example against the real transport and a server on loopback.
final class ReplayRun {
  /// What a completion was called with.
  struct Completion: Sendable, Equatable {
    let step: Int
    let number: Int?
    let isOnMain: Bool
    let isAfterReturn: Bool
  }

  private final class Completions: Sendable {
    let list = Lock<[Completion]>([])
  }

  private final class Ear: RemoteFlagsListener {
    private let count = Lock(0)
    var calls: Int { count.withLock { $0 } }
    func remoteFlagsDidChange() { count.withLock { $0 += 1 } }
  }

  private let example: ReplayExample
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let wall = ManualWallClock(milliseconds: 1_790_000_000_000)
  private let server: ReplayServer
  private let transport: ReplayTransport
  private let completions = Completions()
  private let ear = Ear()
  private(set) var client: RemoteFlagsClient
  /// The last set that has to be in the store, element by element; nil for none.
  private(set) var storedFlags: [JSONValue]?
  private var storedAt: Int64 = 0

  /// A flag that a completion reads.
  private final class Mark: Sendable {
    private let value = Lock(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  init(_ example: ReplayExample) throws {
    self.example = example
    folder = try TemporaryFolder(isInMemory: true)
    server = try #require(ReplayServer())
    transport = ReplayTransport(server)
    if let stored = example.given["stored"], !stored.isNull {
      try Self.put(stored, in: folder.store, now: wall.milliseconds)
      storedFlags = stored["flags"]?.arrayValue
      storedAt = wall.milliseconds - 1_000 * (stored["ageSeconds"]?.integerValue ?? 0)
    }
    client = Self.client(example, folder, clock, wall, transport)
    client.addListener(ear)
    if example.given["sessionStarted"] == true { client.engine.startSessionSilently() }
  }

  func end() async {
    server.stop()
    await client.shutdown()
    transport.shutdown()
  }

  // MARK: Making

  private static func store(_ folder: String, _ wall: ManualWallClock) -> SQLiteStorage {
    var configuration = SQLiteStorage.Configuration(folder: folder)
    configuration.durability = .normal
    configuration.wallClock = wall.clock
    return SQLiteStorage(configuration)
  }

  private static func client(
    _ example: ReplayExample, _ folder: TemporaryFolder, _ clock: ManualClock,
    _ wall: ManualWallClock, _ transport: ReplayTransport, isFirst: Bool = true
  ) -> RemoteFlagsClient {
    let given = example.given
    var configuration = RemoteFlagsConfiguration(
      applicationCode: given["application"]?.stringValue, store: store(folder.store, wall),
      transport: transport)
    configuration.apiToken = given["apiToken"]?.stringValue
    configuration.deviceID = given["hwid"]?.stringValue
    // Later processes take it from the store.
    if isFirst { configuration.userID = given["userId"]?.stringValue }
    configuration.isAppExtension = given["appExtension"] == true
    configuration.disablesThrottle = given["disableThrottle"] == true
    if let proxy = given["reverseProxy"], let url = proxy["url"]?.stringValue {
      var headers: [String: String] = [:]
      for member in proxy["headers"]?.objectValue ?? [] {
        headers[member.key] = member.value.stringValue
      }
      configuration.reverseProxy = ReverseProxy(url: url, headers: headers)
    }
    configuration.time = TimeSource(clock)
    configuration.wallClock = wall.clock
    configuration.utcOffset = { _ in 7_200 }
    return RemoteFlagsClient(configuration)
  }

  /// Writes a set as the specification's section 2.5 has it, without our code for it.
  private static func put(_ stored: JSONValue, in folder: String, now: Int64) throws {
    let application = try #require(stored["application"])
    let user = try #require(stored["userId"])
    let age = try #require(stored["ageSeconds"]?.doubleValue)
    let document: JSONValue = [
      "schema": 1, "application": application, "user_id": user,
      "requested_at": .number(.double(Double(now) / 1_000 - age)),
      "flags": try #require(stored["flags"]),
    ]
    putBytes(Array(document.text().utf8), in: folder)
    let name: JSONValue = ["schema": 1, "user_id": "user-42"]
    store(folder, ManualWallClock()).apply([
      .write(namespace: "remote-flags", key: "user", value: Array(name.text().utf8))
    ])
  }

  private static func putBytes(_ bytes: [UInt8], in folder: String) {
    store(folder, ManualWallClock()).apply([
      .write(namespace: "remote-flags/sets", key: "A1B2C-D3E4F", value: bytes)
    ])
  }

  private var record: [UInt8]? {
    Self.store(folder.store, wall).read(namespace: "remote-flags/sets", key: "A1B2C-D3E4F")?.value
  }

  /// Ends the process and starts the next one on the same folder.
  func relaunch() async {
    await client.shutdown()
    client = Self.client(example, folder, clock, wall, transport, isFirst: false)
    client.addListener(ear)
  }

  // MARK: Steps

  /// Runs a step and checks everything that it expects.
  func run(_ index: Int) async throws {
    let step = example.steps[index]
    let expect = step["expect"] ?? .null
    let place = "\(example.name), step \(index)"
    let exchanges = ReplayExample.exchanges(of: step)
    server.expect(exchanges)
    let callsBefore = ear.calls
    let recordBefore = record
    completions.list.withLock { $0 = [] }

    let isCheckedAtOnce = exchanges.count > 1 || expect["unorderedRequests"] != nil
    if isCheckedAtOnce, step["action"] == "setUserId" {
      // `checks` hold at once, before anything has been answered.
      try await server.withoutAnswers {
        try await perform(step, index)
        try check(expect["checks"], place)
      }
    } else {
      try await perform(step, index)
      if isCheckedAtOnce { try check(expect["checks"], place) }
    }
    await settle()

    try compareRequests(exchanges, place)
    if let count = expect["requests"]?.integerValue { #expect(exchanges.count == count) }
    try checkCompletions(expect, index, place)
    if let calls = expect["listenerCalls"]?.integerValue {
      #expect(ear.calls - callsBefore == calls, "\(place): listener")
    }
    noteStored(step, exchanges)
    if let isPersisted = expect["persisted"]?.boolValue {
      #expect((record != recordBefore && record != nil) == isPersisted, "\(place): persisted")
    }
    if expect["unorderedRequests"] == nil { try check(expect["checks"], place) }
    try check(expect["checksAfter"], place)
  }

  private func perform(_ step: JSONValue, _ index: Int) async throws {
    let arguments = step["args"] ?? .null
    let action = step["action"]?.stringValue ?? ""
    switch action {
    case "activate": client.becameActive()
    case "background": client.wentToBackground()
    case "advance":
      let seconds = try #require(arguments["seconds"]?.doubleValue)
      wall.advance(by: .seconds(seconds))
      clock.advance(by: .seconds(seconds))
    case "refresh": await refreshOnMain(index)
    case "setUserId":
      storedFlags = nil
      client.setUserID(try #require(arguments["userId"]?.stringValue))
    case "registerDevice":
      let token = try #require(arguments["pushToken"]?.stringValue)
      try await client.registerDevice(DeviceRegistration(pushToken: token, appVersion: "1.0"))
    case "logImpression": client.logImpression(try #require(arguments["key"]?.stringValue))
    case "relaunch": await relaunch()
    case "clockJump":
      wall.advance(by: .seconds(try #require(arguments["seconds"]?.doubleValue)))
    case "corruptCache":
      let text = try #require(arguments["bytesBase64"]?.stringValue)
      Self.putBytes([UInt8](try #require(Data(base64Encoded: text))), in: folder.store)
      storedFlags = nil
    case "replaceStored":
      await client.shutdown()
      try Self.put(arguments, in: folder.store, now: wall.milliseconds)
      storedFlags = nil
      await relaunch()
    case "stopServerCommunication": client.stopServerCommunication()
    case "startServerCommunication": client.startServerCommunication()
    case "release":
      server.release(
        try #require(arguments["hold"]?.stringValue), try #require(step["response"]))
    default: Issue.record("unknown action \(action)")
    }
  }

  /// Calls on the main queue, where an application does, so that the completion cannot overtake the return.
  private func refreshOnMain(_ step: Int) async {
    let (client, completions) = (client, completions)
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        Self.refresh(client, step, completions)
        continuation.resume()
      }
    }
  }

  private static func refresh(
    _ client: RemoteFlagsClient, _ step: Int, _ completions: Completions
  ) {
    let hasReturned = Mark()
    client.refresh { error in
      let isOnMain = DispatchQueue.getSpecific(key: mainKey) == true
      completions.list.withLock {
        $0.append(
          Completion(
            step: step, number: error?.number, isOnMain: isOnMain,
            isAfterReturn: hasReturned.isSet))
      }
    }
    hasReturned.set()
  }

  /// Waits until all that the step has started is done, or is held by the server.
  private func settle() async {
    let engine = client.engine
    while true {
      // Asked first: what a timer starts is counted when it is no longer due.
      let isDue = engine.timer.isDue
      let count = engine.tasks.all.count
      let isHeld =
        count == 1 && server.isHolding && !server.isWaiting
        && engine.shared.withLock { $0.plan.nextDeadline == nil }
      if !isDue, count == 0 || isHeld { break }
      await Task.yield()
    }
    // Callbacks that were handed to the main queue run before this one.
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  // MARK: Comparing

  private func compareRequests(_ exchanges: [ReplayExchange], _ place: String) throws {
    let (met, missing, unexpected) = server.take()
    #expect(missing.isEmpty, "\(place): not sent: \(missing.map(\.path))")
    #expect(unexpected.isEmpty, "\(place): not expected: \(unexpected.map(\.line))")
    for (exchange, request) in met {
      let method = exchange.request["method"]?.stringValue ?? ""
      #expect(request.line == "\(method) \(exchange.path) HTTP/1.1", "\(place)")
      for header in exchange.request["headers"]?.objectValue ?? [] {
        #expect(request.values(of: header.key) == [header.value.stringValue ?? ""], "\(place)")
      }
      if let origin = exchange.request["origin"]?.stringValue {
        #expect(request.values(of: ReplayTransport.originHeader) == [origin], "\(place)")
      }
      let body = try JSONValue(parsing: request.body)
      let expected = try #require(exchange.request["body"])
      #expect(isSame(body, expected), "\(place): \(body) is not \(expected)")
    }
  }

  /// Equality of JSON values, with the two placeholders for times.
  private func isSame(_ value: JSONValue, _ expected: JSONValue) -> Bool {
    switch (value, expected) {
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && right.allSatisfy { member in
          value[member.key].map { isSame($0, member.value) } ?? false
        }
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    case (.number, .string("{unix}")):
      return abs((value.integerValue ?? 0) - wall.milliseconds / 1_000) <= 2
    case (.number, .string("{unix+tz}")):
      return abs((value.integerValue ?? 0) - wall.milliseconds / 1_000 - 7_200) <= 2
    case (.number, .number):
      return value.doubleValue == expected.doubleValue
    default:
      return value == expected
    }
  }

  private func checkCompletions(_ expect: JSONValue, _ index: Int, _ place: String) throws {
    let all = completions.list.withLock { $0 }
    guard let expected = expect["completion"] else { return }
    var steps = [index]
    if let step = expect["completionOfStep"]?.integerValue { steps = [Int(step)] }
    if let list = expect["completionsOfSteps"]?.arrayValue {
      steps = list.compactMap { $0.integerValue.map { Int($0) } }
    }
    #expect(all.map(\.step).sorted() == steps, "\(place): completions")
    let error = try #require(expected["error"])
    for completion in all {
      #expect(completion.number == error["code"]?.integerValue.map { Int($0) }, "\(place)")
      #expect(completion.isOnMain && completion.isAfterReturn, "\(place)")
    }
  }

  private func check(_ checks: JSONValue?, _ place: String) throws {
    for check in checks?.arrayValue ?? [] { try self.check(check, place) }
  }

  private func check(_ check: JSONValue, _ place: String) throws {
    let key = try #require(check["key"]?.stringValue)
    let expected = try #require(check["expect"])
    let property = check["property"]?.stringValue ?? ""
    let flag = client.get(key)
    let value: JSONValue
    switch check["call"]?.stringValue {
    case "get":
      value =
        flag.map {
          ["key": .string($0.key), "isEnabled": .bool($0.isEnabled), "ruleId": .string($0.ruleID)]
        } ?? .null
    case "isEnabled":
      let fallback = try #require(check["default"]?.boolValue as Bool?)
      value = .bool(client.isEnabled(key, default: fallback))
    case "string":
      let fallback = check["default"]?.stringValue
      let text = flag.map { $0.string(forProperty: property, default: fallback) } ?? fallback
      value = text.map { .string($0) } ?? .null
    case "number":
      let fallback = try #require(check["default"]?.doubleValue)
      value = .number(
        .double(flag?.number(forProperty: property, default: fallback) ?? fallback))
    case "bool":
      let fallback = try #require(check["default"]?.boolValue as Bool?)
      value = .bool(flag?.bool(forProperty: property, default: fallback) ?? fallback)
    case "jsonObject":
      value = flag?.jsonObject(forProperty: property).map { .object($0) } ?? .null
    case "jsonArray":
      value = flag?.jsonArray(forProperty: property).map { .array($0) } ?? .null
    default:
      Issue.record("\(place): unknown check \(check)")
      return
    }
    #expect(isSame(value, expected), "\(place): \(check) gave \(value)")
  }

  // MARK: What a restart has to find

  private func noteStored(_ step: JSONValue, _ exchanges: [ReplayExchange]) {
    var responses = exchanges.filter { $0.path.hasSuffix("/getFeatureFlags") }.map(\.response)
    if step["action"] == "release", step["expect"]?["persisted"] != false,
      let response = step["response"]
    {
      responses.append(response)
    }
    for response in responses where response["status"]?.integerValue == 200 {
      var body = response["body"]
      if let text = response["bodyText"]?.stringValue { body = try? JSONValue(parsing: text) }
      guard response["closeEarly"] != true, let body, body["status_code"] == 200,
        let flags = body["response"]?["flags"]?.arrayValue,
        (body["response"]?["partial"] ?? false) == false
      else { continue }
      storedFlags = flags
      storedAt = wall.milliseconds
    }
  }

  /// Starts the process again without any answer from the server, and compares what it serves with what
  /// the last complete answer said.
  func checkRestart(_ index: Int) async throws {
    let place = "\(example.name), restarted after step \(index)"
    let step = example.steps[index]
    let wasHidden = client.flags.isEmpty && (storedFlags?.isEmpty == false)
    let isMixed = client.flags.contains { $0.origin == .incomplete }
    await relaunch()
    let age = wall.milliseconds - storedAt
    let isGood = age < 86_400_000 && age >= -60_000 && !wasHidden
    var expected: [String: JSONValue] = [:]
    for flag in (isGood ? storedFlags : nil) ?? [] {
      guard let key = flag["key"]?.stringValue, !key.isEmpty, flag["enabled"]?.boolValue != nil,
        flag["rule_id"]?.stringValue != nil
      else { continue }
      expected[Data(key.utf8).base64EncodedString()] = flag
    }
    #expect(client.flags.count == expected.count, "\(place)")
    for flag in client.flags {
      let source = expected[Data(flag.key.utf8).base64EncodedString()]
      #expect(source?["enabled"]?.boolValue == flag.isEnabled, "\(place)")
      #expect(source?["rule_id"]?.stringValue == flag.ruleID, "\(place)")
      for property in flag.propertyKeys {
        let value = try #require(flag.value(forProperty: property))
        let original = try #require(source?["properties"]?[property])
        #expect(isSame(value, original), "\(place): \(property)")
      }
      if case .stored = flag.origin {} else { Issue.record("\(place): \(flag.origin)") }
    }
    guard !isMixed, isGood else { return }
    try check(step["expect"]?["checksAfter"] ?? step["expect"]?["checks"], place)
  }
}

/// Marks the main queue, whose thread has no name of its own in a test.
let mainKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
