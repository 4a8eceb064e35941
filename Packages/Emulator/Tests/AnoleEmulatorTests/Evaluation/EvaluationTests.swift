// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import Testing

/// The variables of a flag's variations, and the values these have for clients.
struct ShapeCase: Sendable, CustomTestStringConvertible {
  let name: String
  let variations: [(String, String)]
  /// By variation, nil where it has no value.
  let values: [String?]

  init(_ name: String, _ variations: [(String, String)], _ values: [String?]) {
    self.name = name
    self.variations = variations
    self.values = values
  }

  var testDescription: String { name }
}

private func one(_ value: String) -> String { EvaluationFile.variable("v", value) }

let shapeCases: [ShapeCase] = [
  ShapeCase("on and off", [("off", ""), ("on", "")], ["false", "true"]),
  ShapeCase("off alone", [("off", "")], ["false"]),
  ShapeCase(
    "other keys", [("off", ""), ("on", ""), ("red", "")], [#""off""#, #""on""#, #""red""#]),
  ShapeCase("Boolean", [("a", one("true")), ("b", one("false"))], ["true", "false"]),
  ShapeCase("string", [("a", one(#""x""#)), ("b", one(#""5""#))], [#""x""#, #""5""#]),
  ShapeCase("integer", [("a", one("5")), ("b", one("-3.0"))], ["5", "-3"]),
  ShapeCase("float", [("a", one("5")), ("b", one("2.5"))], ["5.0", "2.5"]),
  ShapeCase("object", [("a", one(#"{"x": [1]}"#)), ("b", one("{}"))], [#"{"x":[1]}"#, "{}"]),
  ShapeCase("list", [("a", one("[1, 2]"))], [#"{"v":[1,2]}"#]),
  ShapeCase("mixed", [("a", one("1")), ("b", one(#""1""#))], [#"{"v":1}"#, #"{"v":"1"}"#]),
  ShapeCase("nothing but null", [("a", one("null"))], [#"{"v":null}"#]),
  ShapeCase(
    "missing in one", [("off", ""), ("on", one("1")), ("x", one("null"))], [nil, "1", nil]),
  ShapeCase(
    "several", [("off", ""), ("on", one("1") + "," + EvaluationFile.variable("w", "true"))],
    ["{}", #"{"v":1,"w":true}"#]),
  ShapeCase("twice", [("a", one("1") + "," + one("2"))], ["2"]),
]

@Suite("Evaluation over OFREP")
struct EvaluationTests {
  private static let anna = #"{"targetingKey": "anna"}"#

  @Test("a flag's values have one type, whatever the variation", arguments: shapeCases)
  func shapes(_ row: ShapeCase) async throws {
    try await withEmulator { emulator async throws in
      for (variation, value) in zip(row.variations, row.values) {
        emulator.setDataFile(
          EvaluationFile.text(flags: [
            EvaluationFile.flag(
              "f", variations: row.variations, rules: EvaluationFile.delivery(variation.0))
          ]))
        let result = try await Evaluated(emulator, "f", context: Self.anna)
        #expect(result.status == 200)
        #expect(result.json["variant"] == .string(variation.0))
        #expect(result.json["value"]?.text() == value)
      }
    }
  }

  @Test("answers tell variant, reason and ids")
  func answers() async throws {
    let split = """
      {"id": 12, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 112,
       "variationByExposition": [{"variationKey": "on", "variationId": 5, "exposition": 1}]}
      """
    let closed = """
      {"id": 13, "type": "TARGETED_DELIVERY", "exposition": 0, "experimentId": 113,
       "variationByExposition": [{"variationKey": "on", "variationId": 6, "exposition": 1}]}
      """
    let switches = [("off", ""), ("on", "")]
    let vip =
      #"{"targetingType": "VISITOR_CODE", "isInclude": true, "matchType": "EXACT", "visitorCode": "vip"}"#
    let file = EvaluationFile.text(
      flags: [
        EvaluationFile.flag("fixed", id: 1, variations: switches),
        EvaluationFile.flag(
          "delivered", id: 2, variations: switches, rules: EvaluationFile.delivery("on")),
        EvaluationFile.flag("split", id: 3, variations: switches, rules: split),
        EvaluationFile.flag("closed", id: 4, variations: switches, rules: closed),
        EvaluationFile.flag(
          "vip", id: 5, variations: switches, rules: EvaluationFile.delivery("on", segment: 7)),
        EvaluationFile.flag("disabled", id: 6, isEnabled: false, variations: switches),
      ], segments: [EvaluationFile.segment(7, vip)])
    let expected: [JSONValue] = [
      [
        "key": "fixed", "value": false, "reason": "STATIC", "variant": "off",
        "metadata": ["decision": "noRuleApplied", "active": false, "flagId": 1],
      ],
      [
        "key": "delivered", "value": true, "reason": "TARGETING_MATCH", "variant": "on",
        "metadata": [
          "decision": "targetedDelivery", "active": true, "flagId": 2, "ruleId": 11,
          "experimentId": 111, "variationId": 1011,
        ],
      ],
      [
        "key": "split", "value": true, "reason": "SPLIT", "variant": "on",
        "metadata": [
          "decision": "experiment", "active": true, "flagId": 3, "ruleId": 12,
          "experimentId": 112, "variationId": 5,
        ],
      ],
      [
        "key": "closed", "value": false, "reason": "SPLIT", "variant": "off",
        "metadata": ["decision": "notDelivered", "active": false, "flagId": 4],
      ],
      [
        "key": "vip", "value": false, "reason": "UNKNOWN", "variant": "off",
        "metadata": ["decision": "noRuleApplied", "active": false, "flagId": 5],
      ],
      [
        "key": "disabled", "reason": "DISABLED", "variant": "",
        "metadata": ["decision": "environmentDisabled", "active": false],
      ],
    ]
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      for answer in expected {
        let key = try #require(answer["key"]?.stringValue)
        let single = try await Evaluated(emulator, key, context: Self.anna)
        #expect(single.status == 200)
        #expect(single.json == answer)
      }
      let bulk = try await Evaluated(emulator, nil, context: Self.anna)
      #expect(bulk.status == 200)
      #expect(bulk.json == ["flags": .array(expected)])
    }
  }

  @Test("a holdout and a group decide by hash, a full refusal of consent disables")
  func reasonsOfTheProject() async throws {
    let switches = [("off", ""), ("on", "")]
    let grouped = EvaluationFile.flag("a", id: 1, variations: switches).replacing(
      #""id": 1,"#, with: #""id": 1, "mutuallyExclusiveGroup": "g","#)
    let other = EvaluationFile.flag("b", id: 2, variations: switches).replacing(
      #""id": 2,"#, with: #""id": 2, "mutuallyExclusiveGroup": "g","#)
    let held = #"""
      , "holdout": {"experimentId": 1, "variationByExposition": [
        {"variationKey": "in-holdout", "variationId": 2, "exposition": 1}]}
      """#
    let consent = #"""
      , "configuration": {"consentType": "REQUIRED", "consentOptOutBehavior": "FULLY_BLOCK"}
      """#
    let experiment = """
      {"id": 12, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 112,
       "variationByExposition": [{"variationKey": "on", "variationId": 5, "exposition": 1}]}
      """
    try await withEmulator { emulator async throws in
      emulator.setDataFile(EvaluationFile.text(flags: [grouped, other]))
      let bulk = try await Evaluated(emulator, nil, context: Self.anna)
      let answers = try #require(bulk.json["flags"]?.arrayValue)
      #expect(
        Set(answers.map { $0["metadata"]?["decision"] }) == ["excludedByGroup", "noRuleApplied"])
      // The one that was picked has no rules, but others get something else because of the group.
      #expect(Set(answers.map { $0["reason"] }) == ["SPLIT", "UNKNOWN"])
      emulator.setDataFile(EvaluationFile.text(flags: [grouped], more: held))
      let single = try await Evaluated(emulator, "a", context: Self.anna)
      #expect(single.json["metadata"]?["decision"] == "inHoldout")
      #expect(single.json["reason"] == "SPLIT")
      emulator.setDataFile(
        EvaluationFile.text(
          flags: [EvaluationFile.flag("a", variations: switches, rules: experiment)],
          more: consent))
      let refused = try await Evaluated(
        emulator, "a", context: #"{"targetingKey": "anna", "consent": false}"#)
      #expect(refused.json["reason"] == "DISABLED")
      #expect(refused.json["metadata"]?["decision"] == "blockedByConsent")
      #expect(refused.json["value"] == nil)
    }
  }

  @Test(
    "keys are decoded, slashes in them are left as they are",
    arguments: [
      ("a/b", "a/b"), ("a%2Fb", "a/b"), ("%C3%A9%20%22", "é \\\""), ("%3Cb%3E", "<b>"),
    ])
  func keys(_ path: String, _ key: String) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(
        EvaluationFile.text(flags: [EvaluationFile.flag(key, variations: [("on", "")])]))
      let result = try await Evaluated(emulator, path, context: Self.anna)
      #expect(result.status == 200)
      #expect(try result.json["key"] == JSONValue(parsing: "\"\(key)\""))
    }
  }

  @Test("what cannot be evaluated is refused")
  func refusals() async throws {
    try await withEmulator { emulator async throws in
      let nothing = try await Evaluated(emulator, "f", context: Self.anna)
      #expect(nothing.status == 500)
      #expect(nothing.json == ["errorDetails": "no data file is set"])
      emulator.setDataFile("[]")
      let unreadable = try await Evaluated(emulator, nil, context: Self.anna)
      #expect(unreadable.status == 500)
      let details = try #require(unreadable.json["errorDetails"]?.stringValue)
      #expect(details.hasPrefix("data file: the root must be a JSON object"))
      emulator.setDataFile(EvaluationFile.text(flags: []))
      let unknown = try await Evaluated(emulator, "f", context: Self.anna)
      #expect(unknown.status == 404)
      #expect(
        unknown.json == [
          "key": "f", "errorCode": "FLAG_NOT_FOUND", "errorDetails": #"no flag has the key "f""#,
        ])
      for (body, code, details) in [
        ("{", "PARSE_ERROR", "the body is not JSON: "),
        ("", "PARSE_ERROR", "the body is not JSON: "),
        ("[]", "INVALID_CONTEXT", "the body must be an object with the member context"),
        ("{}", "INVALID_CONTEXT", "the body must be an object with the member context"),
      ] {
        let bad = try await Evaluated(emulator, "f", body: body)
        #expect(bad.status == 400)
        #expect(bad.json["errorCode"] == .string(code))
        #expect(bad.json["errorDetails"]?.stringValue?.hasPrefix(details) == true)
      }
      let garbled = try await Evaluated(
        emulator, "f", body: "x", headers: ["Content-Encoding: gzip"])
      #expect(garbled.json["errorCode"] == "PARSE_ERROR")
      let malformed = try await Evaluated(emulator, "%zz", context: Self.anna)
      #expect(malformed.status == 400)
      #expect(malformed.json["errorCode"] == "PARSE_ERROR")
      let path = "/ofrep/v1/evaluate/flags"
      #expect(try await exchange(emulator.port, "GET", path).status == 405)
      #expect(try await exchange(emulator.port, "POST", path + "/", body: "{}").status == 404)
    }
  }

  @Test("the file of a site and an environment decides")
  func files() async throws {
    func file(_ variation: String) -> String {
      EvaluationFile.text(flags: [EvaluationFile.flag("f", variations: [(variation, "")])])
    }
    try await withEmulator { emulator async throws in
      func value(_ query: String = "") async throws -> JSONValue? {
        try await Evaluated(
          emulator, "f", body: #"{"context": \#(Self.anna)}"#, query: query
        ).json["value"]
      }
      emulator.setDataFile(file("only"), environment: "e", siteCode: "s")
      #expect(try await value() == "only")
      emulator.setDataFile(file("general"))
      #expect(try await value() == "general")
      #expect(try await value("?siteCode=s&environment=e") == "only")
      #expect(try await value("?siteCode=s") == "general")
      emulator.setDataFile(file("changed"))
      #expect(try await value() == "changed")
      emulator.removeDataFile()
      emulator.removeDataFile(environment: "e", siteCode: "s")
      #expect(try await value() == nil)
    }
  }

  @Test("all flags have a tag over the answer")
  func tags() async throws {
    let switches = [("off", ""), ("on", "")]
    func file(_ variation: String) -> String {
      EvaluationFile.text(flags: [
        EvaluationFile.flag("f", variations: switches, rules: EvaluationFile.delivery(variation))
      ])
    }
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file("on"))
      let first = try await Evaluated(emulator, nil, context: Self.anna)
      let tag = try #require(first.answer.header("ETag"))
      #expect(tag.count == 34)
      for known in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
        let wire = try await Wire.connect(emulator.port)
        try await wire.write(
          requestBytes(
            "POST", "/ofrep/v1/evaluate/flags", headers: ["If-None-Match: \(known)"],
            body: Array(#"{"context": \#(Self.anna)}"#.utf8)))
        let answer = try await wire.answer(hasBody: false)
        #expect(answer.status == 304)
        #expect(answer.header("ETag") == tag)
      }
      // Another visitor with the same answer has it already.
      let other = try await Evaluated(
        emulator, nil, context: #"{"targetingKey": "bob"}"#, headers: ["If-None-Match: \"x\""])
      #expect(other.status == 200)
      #expect(other.answer.header("ETag") == tag)
      emulator.setDataFile(file("off"))
      let changed = try await Evaluated(
        emulator, nil, context: Self.anna, headers: ["If-None-Match: \(tag)"])
      #expect(changed.status == 200)
      #expect(changed.answer.header("ETag") != tag)
    }
  }

  @Test("a token is asked for, as bearer or as API key")
  func token() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(
        EvaluationFile.text(flags: [EvaluationFile.flag("f", variations: [("on", "")])]))
      func status(_ headers: String...) async throws -> Int? {
        let path = "/ofrep/v1/evaluate/flags/f"
        return try await exchange(
          emulator.port, "POST", path, headers: headers, body: #"{"context": \#(Self.anna)}"#
        ).status
      }
      #expect(try await status() == 200)
      emulator.setEvaluationToken("secret")
      #expect(try await status() == 401)
      #expect(try await status("Authorization: Bearer secreT") == 401)
      #expect(try await status("Authorization: Bearer secret") == 200)
      #expect(try await status("X-API-Key: secret") == 200)
      #expect(try await status("X-API-Key: Bearer secret") == 401)
      let answer = try await exchange(
        emulator.port, "POST", "/_control/ofrep", body: #"{"token": ""}"#)
      #expect(answer.status == 200)
      #expect(try await status() == 200)
    }
  }

  @Test("more requests than the limit are told when to come again")
  func limit() async throws {
    let clock = ManualClock()
    let file = EvaluationFile.text(flags: [EvaluationFile.flag("f", variations: [("on", "")])])
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setDataFile(file)
      emulator.setEvaluationLimit(requests: 2, per: .seconds(10))
      func answer(_ key: String?) async throws -> (status: Int?, retryAfter: String?) {
        let answer = try await exchange(
          emulator.port, "POST", "/ofrep/v1/evaluate/flags" + (key.map { "/\($0)" } ?? ""),
          body: #"{"context": \#(Self.anna)}"#)
        return (answer.status, answer.header("Retry-After"))
      }
      #expect(try await answer("f").status == 200)
      clock.advance(by: .milliseconds(3_500))
      #expect(try await answer(nil).status == 200)
      #expect(try await answer("f") == (429, "7"))
      clock.advance(by: .milliseconds(6_499))
      #expect(try await answer(nil) == (429, "1"))
      clock.advance(by: .milliseconds(1))
      #expect(try await answer("f").status == 200)
      let control = try await exchange(
        emulator.port, "POST", "/_control/ofrep", body: #"{"requests": 0, "perSeconds": 60}"#)
      #expect(control.status == 200)
      #expect(try await answer("f") == (429, "60"))
      emulator.setEvaluationLimit(requests: nil)
      #expect(try await answer("f").status == 200)
    }
  }

  @Test("evaluations are recorded, and meet faults on their routes")
  func faultsAndJournal() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(
        EvaluationFile.text(flags: [EvaluationFile.flag("f", variations: [("on", "")])]))
      emulator.addFault(
        .status(429, headers: [HeaderField("Retry-After", "3")]), on: .bulkEvaluation)
      emulator.addFault(.status(503), on: .evaluation)
      let path = "/ofrep/v1/evaluate/flags"
      let body = #"{"context": \#(Self.anna)}"#
      let busy = try await exchange(emulator.port, "POST", path, body: body)
      #expect(busy.status == 429)
      #expect(busy.header("Retry-After") == "3")
      #expect(try await exchange(emulator.port, "POST", path + "/f", body: body).status == 503)
      #expect(try await exchange(emulator.port, "POST", path + "/f", body: body).status == 200)
      #expect(emulator.requests(.evaluation).map(\.status) == [503, 200])
      #expect(emulator.requests(.bulkEvaluation).map(\.status) == [429])
      #expect(emulator.requests(.evaluation).last?.text == body)
    }
  }
}
