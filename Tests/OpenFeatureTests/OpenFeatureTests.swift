// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleEvaluation
import AnoleModels
import AnoleTargeting
import Foundation
import Testing

/// A read by the OpenFeature client and what it gives.
struct ReadCase: Sendable {
  /// The name of the read: `boolean`, `string`, `integer`, `float`, `object`.
  let type: String
  let key: String
  let fallback: JSONValue
  var context: JSONValue = ["targetingKey": "anna"]
  let value: JSONValue
  var reason: JSONValue = .null
  var variant: JSONValue = .null
  var errorCode: JSONValue = .null

  var step: JSONValue {
    [
      "read": .string(type), "key": .string(key), "default": fallback, "context": context,
    ]
  }
}

private let gold: JSONValue = ["targetingKey": "anna", "plan": "gold"]

let readCases: [ReadCase] = [
  ReadCase(
    type: "boolean", key: "fast_search", fallback: false, context: gold, value: true,
    reason: "TARGETING_MATCH", variant: "on"),
  ReadCase(
    type: "string", key: "theme", fallback: "none", value: "blue", reason: "STATIC",
    variant: "blue"),
  ReadCase(
    type: "string", key: "greeting", fallback: "none", value: "Hi 👋", reason: "STATIC",
    variant: "short"),
  ReadCase(
    type: "integer", key: "page_size", fallback: 1, value: 20, reason: "UNKNOWN",
    variant: "small"),
  ReadCase(
    type: "integer", key: "page_size", fallback: 1, context: gold, value: 50,
    reason: "TARGETING_MATCH", variant: "large"),
  ReadCase(
    type: "float", key: "discount", fallback: 0.5, value: 5.0, reason: "UNKNOWN",
    variant: "whole"),
  ReadCase(
    type: "float", key: "discount", fallback: 0.5, context: gold, value: 2.5,
    reason: "TARGETING_MATCH", variant: "half"),
  ReadCase(
    type: "object", key: "layout", fallback: [:], value: ["columns": 2, "order": ["cart", "pay"]],
    reason: "STATIC", variant: "wide"),
  ReadCase(
    type: "object", key: "checkout", fallback: [:],
    value: ["steps": 1, "title": "Pay now", "guest": true, "rate": 0.25, "broken": nil],
    reason: "STATIC", variant: "one_page"),
  ReadCase(
    type: "boolean", key: "shop/<b>é", fallback: false, value: true, reason: "STATIC",
    variant: "on"),
  // No value: the application's own.
  ReadCase(
    type: "string", key: "badge", fallback: "mine", value: "mine", reason: "STATIC",
    variant: "off"),
  ReadCase(
    type: "boolean", key: "retired", fallback: true, value: true, reason: "DISABLED", variant: ""),
  // No such flag, another type, no visitor, nonsense about the visitor.
  ReadCase(
    type: "boolean", key: "fast_serach", fallback: true, value: true, reason: "ERROR",
    errorCode: "FLAG_NOT_FOUND"),
  ReadCase(
    type: "boolean", key: "theme", fallback: true, value: true, reason: "ERROR",
    errorCode: "TYPE_MISMATCH"),
  ReadCase(
    type: "string", key: "fast_search", fallback: "mine", value: "mine", reason: "ERROR",
    errorCode: "TYPE_MISMATCH"),
  ReadCase(
    type: "integer", key: "discount", fallback: 7, value: 7, reason: "ERROR",
    errorCode: "TYPE_MISMATCH"),
  ReadCase(
    type: "float", key: "page_size", fallback: 0.5, value: 0.5, reason: "ERROR",
    errorCode: "TYPE_MISMATCH"),
  ReadCase(
    type: "object", key: "greeting", fallback: ["mine": 1], value: ["mine": 1], reason: "ERROR",
    errorCode: "TYPE_MISMATCH"),
  ReadCase(
    type: "boolean", key: "fast_search", fallback: true, context: [:], value: true,
    reason: "ERROR", errorCode: "TARGETING_KEY_MISSING"),
  ReadCase(
    type: "boolean", key: "fast_search", fallback: true,
    context: ["targetingKey": "anna", "device": "fridge"], value: true, reason: "ERROR",
    errorCode: "INVALID_CONTEXT"),
]

@Suite(
  "OpenFeature's client and OFREP provider for Python", .serialized, .timeLimit(.minutes(5)),
  .enabled("the client is not installed, and PyPI cannot be reached") {
    try await OpenFeatureClient.isInstalled()
  })
struct OpenFeatureTests {
  private static let bulkPath = "/ofrep/v1/evaluate/flags"
  private static let anna = #"{"context": {"targetingKey": "anna"}}"#

  private func dataFile() throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/flags", withExtension: "json"))
    return [UInt8](try Data(contentsOf: url))
  }

  private func started() throws -> Emulator {
    let emulator = Emulator()
    emulator.setDataFile(try dataFile())
    try emulator.start()
    return emulator
  }

  /// The results of steps; every answer must fit the document, where it is there.
  private func run(
    _ emulator: Emulator, _ steps: [JSONValue], headers: JSONValue = nil, answers: Int? = nil
  ) async throws -> [JSONValue] {
    let report = try await OpenFeatureClient.session([
      "baseURL": .string(emulator.baseURL ?? ""), "headers": headers, "steps": .array(steps),
      "openAPI": OpenFeatureClient.hasDocument ? .string(OpenFeatureClient.document.path) : nil,
    ])
    #expect(report["violations"] == [])
    if OpenFeatureClient.hasDocument {
      let expected = answers ?? steps.count
      #expect(report["checked"]?.integerValue == Int64(expected))
    }
    let results = try #require(report["steps"]?.arrayValue)
    try #require(results.count == steps.count)
    return results
  }

  private func send(
    _ path: String, _ body: String = Self.anna, headers: JSONValue = [:], method: String = "POST"
  ) -> JSONValue {
    [
      "send": .string(method), "path": .string(path), "headers": headers, "body": .string(body),
    ]
  }

  @Test("reads of every type, of missing and disabled flags, and of the wrong type")
  func reads() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let results = try await run(emulator, readCases.map(\.step))
    for (row, result) in zip(readCases, results) {
      let place = "\(row.type) \(row.key) \(row.context)"
      #expect(result["value"] == row.value, "\(place): \(result)")
      #expect(result["reason"] == row.reason, "\(place): \(result)")
      #expect(result["variant"] == row.variant, "\(place): \(result)")
      #expect(result["errorCode"] == row.errorCode, "\(place): \(result)")
    }
    #expect(emulator.requests(.evaluation).count == readCases.count)
  }

  @Test("every visitor gets what the evaluator decides in the process")
  func agreement() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let snapshot = Snapshot(try DataFile(parsing: dataFile()), sdk: SDKIdentity(version: "1"))
    let visitors = (1...100).map { "visitor-\($0)" }
    let steps = visitors.map { visitor -> JSONValue in
      [
        "read": "boolean", "key": "fast_search", "default": false,
        "context": ["targetingKey": .string(visitor)],
      ]
    }
    let moment = Moment(now: Timestamp(milliseconds: 0))
    let expected = try visitors.map { visitor in
      try snapshot.decide(
        "fast_search", visitorCode: visitor, record: VisitorRecord(visitStart: moment.now),
        at: moment)
    }
    let results = try await run(emulator, steps)
    #expect(results.map { $0["value"] } == expected.map { .bool($0.isActive) })
    #expect(results.map { $0["variant"] } == expected.map { .string($0.variationKey) })
    #expect(Set(expected.map(\.isActive)).count == 2)
  }

  @Test("metadata tells ids, the exact reason, and names that mean nothing")
  func metadata() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let context: JSONValue = ["targetingKey": "anna", "plan": "gold", "email": "a@b.c"]
    let results = try await run(
      emulator,
      [["read": "boolean", "key": "fast_search", "default": false, "context": context]])
    #expect(
      results[0]["metadata"] == [
        "decision": "targetedDelivery", "active": true, "flagId": 1, "ruleId": 11,
        "experimentId": 111, "variationId": 1011, "ignored": "email",
      ])
  }

  @Test("all flags at once, and 304 for who has them")
  func bulk() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let first = try await run(emulator, [send(Self.bulkPath)])[0]
    #expect(first["status"] == 200)
    let tag = try #require(first["headers"]?["etag"])
    let flags = try #require(
      try JSONValue(parsing: first["body"]?.stringValue ?? "")["flags"]?.arrayValue)
    #expect(flags.count == 10)
    let again = try await run(
      emulator,
      [
        send(Self.bulkPath, headers: ["If-None-Match": tag]),
        send(Self.bulkPath, headers: ["If-None-Match": "\"other\""]),
        send(Self.bulkPath + "?flagConfigEtag=abc&flagConfigLastModified=1771622898"),
      ])
    #expect(again.map { $0["status"] } == [304, 200, 200])
    #expect(again[0]["body"] == "")
    #expect(again.map { $0["headers"]?["etag"] } == [tag, tag, tag])
    let text = String(decoding: try dataFile(), as: UTF8.self).replacing(
      #""defaultVariationKey": "blue""#, with: #""defaultVariationKey": "red""#)
    emulator.setDataFile(text)
    let changed = try await run(emulator, [send(Self.bulkPath, headers: ["If-None-Match": tag])])[0]
    #expect(changed["status"] == 200)
    #expect(changed["headers"]?["etag"] != tag)
  }

  @Test("refusals fit the document too")
  func refusals() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let flag = Self.bulkPath + "/theme"
    let results = try await run(
      emulator,
      [
        send(flag, "{"), send(flag, "{}"), send(flag, #"{"context": {}}"#),
        send(flag, #"{"context": {"targetingKey": 5}}"#), send(Self.bulkPath + "/none"),
        send(Self.bulkPath, "{"), send(Self.bulkPath, "{}"),
        send(Self.bulkPath, #"{"context": {}}"#),
      ])
    #expect(results.map { $0["status"] } == [400, 400, 400, 400, 404, 400, 400, 400])
    let codes = try results.map {
      try JSONValue(parsing: $0["body"]?.stringValue ?? "")["errorCode"]
    }
    #expect(
      codes == [
        "PARSE_ERROR", "INVALID_CONTEXT", "TARGETING_KEY_MISSING", "INVALID_CONTEXT",
        "FLAG_NOT_FOUND", "PARSE_ERROR", "INVALID_CONTEXT", "TARGETING_KEY_MISSING",
      ])
    emulator.removeDataFile()
    let broken = try await run(emulator, [send(flag), send(Self.bulkPath)])
    #expect(broken.map { $0["status"] } == [500, 500])
  }

  @Test("a token is shown by the client's header")
  func token() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    emulator.setEvaluationToken("secret")
    let step = readCases[0].step
    let shown = try await run(emulator, [step], headers: ["Authorization": "Bearer secret"])[0]
    #expect(shown["value"] == true)
    let missing = try await run(emulator, [step, send(Self.bulkPath)])
    #expect(missing[0]["value"] == false)
    #expect(missing[0]["errorCode"] == "GENERAL")
    #expect(missing[0]["errorMessage"] == "unauthorized")
    #expect(missing[1]["status"] == 401)
  }

  @Test("too many requests let the client pause for as long as it is told")
  func limit() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    emulator.setEvaluationLimit(requests: 1, per: .seconds(3600))
    let step = readCases[0].step
    // The third read is answered by the provider itself.
    let results = try await run(emulator, [step, step, step], answers: 2)
    #expect(results.map { $0["value"] } == [true, false, false])
    let messages = results.map { $0["errorMessage"]?.stringValue ?? "" }
    #expect(messages[1].hasPrefix("Rate limited, retry after: 3600"))
    #expect(messages[2].hasPrefix("OFREP evaluation paused due to TooManyRequests"))
    #expect(emulator.requests(.evaluation).map(\.status) == [200, 429])
  }

  @Test("faults of the network leave the application its own value")
  func faults() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    emulator.addFault(.status(503), on: .evaluation)
    emulator.addFault(.closeAfterReading, on: .evaluation)
    emulator.addFault(.body(Array("{".utf8)), on: .evaluation)
    let step = readCases[0].step
    let report = try await OpenFeatureClient.session([
      "baseURL": .string(emulator.baseURL ?? ""), "openAPI": nil,
      "steps": .array([step, step, step, step]),
    ])
    let results = try #require(report["steps"]?.arrayValue)
    #expect(results.map { $0["value"] } == [false, false, false, true])
    #expect(
      results.map { $0["errorCode"] } == ["GENERAL", "GENERAL", "PARSE_ERROR", .null])
  }

  @Test(
    "an answer that does not fit the document is found",
    .enabled(if: OpenFeatureClient.hasDocument, "../shared/suites is not beside the repository"))
  func misfits() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let misfits: [(String, String)] = [
      (#"{"reason": "STATIC", "value": true}"#, "'key' is a required property"),
      (#"{"key": "theme", "value": true}"#, "'reason' is a required property"),
      (#"{"key": "theme", "reason": "DEFAULT", "value": true}"#, "'DEFAULT' is not one of"),
      (#"{"key": "theme", "reason": "STATIC", "value": null}"#, "is not valid under any"),
      (#"{"key": "theme", "reason": "STATIC", "value": [1]}"#, "is not valid under any"),
      (#"{"key": "theme", "reason": "STATIC", "metadata": {"a": []}}"#, "is not valid under any"),
    ]
    for (body, _) in misfits { emulator.addFault(.body(Array(body.utf8)), on: .evaluation) }
    emulator.addFault(.html(), on: .evaluation)
    emulator.addFault(.body(Array(#"{"flags": []}"#.utf8)), on: .bulkEvaluation)
    let flag = Self.bulkPath + "/theme"
    let report = try await OpenFeatureClient.session([
      "baseURL": .string(emulator.baseURL ?? ""),
      "steps": .array(Array(repeating: send(flag), count: 7) + [send(Self.bulkPath)]),
      "openAPI": .string(OpenFeatureClient.document.path),
    ])
    let found = try #require(report["violations"]?.arrayValue).compactMap(\.stringValue)
    let expected =
      misfits.map(\.1) + ["the document has no such status here", "the header ETag is missing"]
    try #require(found.count == expected.count, "\(found)")
    for (found, expected) in zip(found, expected) {
      #expect(found.contains(expected), "\(found)")
    }
  }

  @Test(
    "the document rejects its own example, so that one sentence of it is read as it is meant",
    .enabled(if: OpenFeatureClient.hasDocument, "../shared/suites is not beside the repository"))
  func ownExample() async throws {
    let emulator = try started()
    defer { emulator.stop() }
    let report = try await OpenFeatureClient.session([
      "baseURL": .string(emulator.baseURL ?? ""), "steps": [],
      "openAPI": .string(OpenFeatureClient.document.path),
    ])
    let complaint = try #require(
      report["ownExample"]?.stringValue, "the document is mended: let session.py read it as it is")
    #expect(complaint.contains("is valid under each of"))
  }
}

@Suite("OFREP's OpenAPI document")
struct OpenAPITests {
  @Test(
    "is there, so that answers are checked against it",
    .enabled(if: OpenFeatureClient.hasDocument, "../shared/suites is not beside the repository"))
  func isThere() throws {
    #expect(!(try Data(contentsOf: OpenFeatureClient.document).isEmpty))
  }
}
