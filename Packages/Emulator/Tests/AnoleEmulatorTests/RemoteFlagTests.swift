// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import Testing

@Suite("Remote flags")
struct RemoteFlagTests {
  private static let rules = #"""
    {"flags": [
      {"key": "new_checkout", "enabled": false, "properties": {"color": "grey", "max_items": 5},
       "rules": [
         {"id": "r_1a2b3c4d", "users": ["user-42"], "properties": {"color": "green"}},
         {"id": "r_device", "devices": ["HW-2"], "enabled": false},
         {"id": "r_all", "users": [], "enabled": true}]},
      {"key": "no_rule", "enabled": true},
      {"key": "killed", "enabled": true, "killed": true, "properties": {"a": 1},
       "rules": [{"id": "r_k", "properties": {"a": 2}}]},
      {"key": "archived", "enabled": true, "archived": true}]}
    """#

  private func message(
    user: String? = nil, device: String = "HW-1", application: String = "A1B2C-D3E4F",
    _ more: String = ""
  ) -> String {
    let user = user.map { #", "userId": "\#($0)""# } ?? ""
    return #"{"request": {"application": "\#(application)", "hwid": "\#(device)"\#(user)\#(more)}}"#
  }

  private func post(
    _ emulator: Emulator, _ method: String, _ body: String, headers: [String] = []
  ) async throws -> (status: Int?, json: JSONValue) {
    let answer = try await exchange(
      emulator.port, "POST", "/json/1.3/\(method)", headers: headers, body: body)
    return (answer.status, try JSONValue(parsing: answer.body))
  }

  private func flags(_ emulator: Emulator, _ body: String) async throws -> [JSONValue] {
    let (status, json) = try await post(emulator, "getFeatureFlags", body)
    #expect(status == 200)
    #expect(json["status_code"] == 200)
    return try #require(json["response"]?["flags"]?.arrayValue)
  }

  @Test("the first rule that admits the user or the device decides; killed and archived flags")
  func rules() async throws {
    try await withEmulator { emulator async throws in
      try emulator.setRemoteFlags(Self.rules)
      let answer = try await flags(emulator, message(user: "user-42"))
      #expect(answer.map { $0["key"] } == ["new_checkout", "no_rule", "killed"])
      #expect(
        answer.first == [
          "key": "new_checkout", "enabled": true, "rule_id": "r_1a2b3c4d",
          "properties": ["max_items": 5, "color": "green"],
        ])
      #expect(
        answer[1] == ["key": "no_rule", "enabled": true, "rule_id": "default", "properties": [:]])
      #expect(
        answer[2] == ["key": "killed", "enabled": false, "rule_id": "", "properties": ["a": 1]])
      let other = try await flags(emulator, message(device: "HW-2"))
      #expect(other.first?["rule_id"] == "r_device")
      #expect(other.first?["enabled"] == false)
      let everybody = try await flags(emulator, message(user: "User-42"))
      #expect(everybody.first?["rule_id"] == "r_all")
    }
  }

  @Test("a plan without flags, a partial answer, an application of its own")
  func answers() async throws {
    try await withEmulator { emulator async throws in
      #expect(try await flags(emulator, message()) == [])
      try emulator.setRemoteFlags(#"{"plan": false, "flags": [{"key": "a"}]}"#)
      try emulator.setRemoteFlags(
        #"{"partial": true, "flags": [{"key": "b"}]}"#, application: "X")
      #expect(try await flags(emulator, message()) == [])
      let (_, own) = try await post(emulator, "getFeatureFlags", message(application: "X"))
      #expect(own["response"]?["partial"] == true)
      #expect(own["response"]?["flags"]?[0]?["key"] == "b")
      emulator.removeRemoteFlags(application: "X")
      #expect(try await flags(emulator, message(application: "X")) == [])
    }
  }

  @Test("the device API token is asked for once it is set")
  func token() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDeviceAPIToken("secret")
      let refused = try await post(emulator, "getFeatureFlags", message())
      #expect(refused.status == 401)
      #expect(refused.json["status_code"] == 401)
      let good = try await post(
        emulator, "getFeatureFlags", message(), headers: ["Authorization: Token secret"])
      #expect(good.status == 200)
    }
  }

  @Test("registrations are answered, events need a name and attributes")
  func otherMethods() async throws {
    try await withEmulator { emulator async throws in
      for method in ["registerUser", "registerDevice"] {
        let answer = try await post(emulator, method, message())
        #expect(answer.json == ["status_code": 200, "status_message": "OK", "response": nil])
      }
      #expect(try await post(emulator, "postEvent", message()).status == 400)
      let event = message(#", "event": "opened", "attributes": {}"#)
      #expect(try await post(emulator, "postEvent", event).status == 200)
      #expect(emulator.impressions == [])
      #expect(emulator.requests(.registerUser).count == 1)
    }
  }

  @Test("impressions are read from accepted events only")
  func impressions() async throws {
    try await withEmulator { emulator async throws in
      let attributes = #"{"flag_key": "new_checkout", "rule_id": "", "enabled": true}"#
      let event = message(
        user: "user-42", #", "event": "PW_FeatureFlagImpression", "attributes": \#(attributes)"#)
      emulator.addFault(.status(500), on: .postEvent)
      for _ in 1...2 {
        _ = try await exchange(emulator.port, "POST", "/json/1.3/postEvent", body: event)
      }
      let impression = try #require(emulator.impressions.first)
      #expect(emulator.impressions.count == 1)
      #expect(impression.user == "user-42")
      #expect(impression.device == "HW-1")
      #expect(impression.application == "A1B2C-D3E4F")
      #expect(impression.key == "new_checkout")
      #expect(impression.ruleID.isEmpty && impression.isEnabled)
    }
  }

  @Test(
    "a body that is no message is refused in the envelope",
    arguments: [
      "", "x", "[]", #"{"request": []}"#, #"{"request": {"application": "A"}}"#,
      #"{"request": {"application": "", "hwid": "H"}}"#, #"{"request": {"hwid": 1}}"#,
    ])
  func malformed(_ body: String) async throws {
    try await withEmulator { emulator async throws in
      let answer = try await post(emulator, "getFeatureFlags", body)
      #expect(answer.status == 400)
      #expect(answer.json["status_code"] == 400)
      #expect(answer.json["response"]?.isNull == true)
    }
  }

  @Test("only POST, only the known methods")
  func methods() async throws {
    try await withEmulator { emulator async throws in
      #expect(
        try await exchange(emulator.port, "GET", "/json/1.3/getFeatureFlags").status == 405)
      #expect(
        try await exchange(emulator.port, "POST", "/json/1.3/getTags", body: "{}").status == 404)
    }
  }

  @Test(
    "mistakes in rules are named with their place, and the rules before stay",
    arguments: [
      ("{", "remote flags: not valid JSON"),
      ("[]", "remote flags: the document is not an object"),
      (#"{"flag": []}"#, #"remote flags: the document has no member "flag"; there are: plan"#),
      (#"{"plan": 1}"#, "remote flags: the document.plan is not true or false"),
      (#"{"flags": {}}"#, "remote flags: the document.flags is not a list"),
      (#"{"flags": [1]}"#, "remote flags: flags[0] is not an object"),
      (#"{"flags": [{}]}"#, "remote flags: flags[0].key is missing or no string"),
      (#"{"flags": [{"key": ""}]}"#, "remote flags: flags[0].key is empty"),
      (#"{"flags": [{"key": "a", "properties": []}]}"#, "flags[0].properties is not an object"),
      (#"{"flags": [{"key": "a", "rules": [{"id": 1}]}]}"#, "flags[0].rules[0].id is missing"),
      (
        #"{"flags": [{"key": "a", "rules": [{"id": "r", "users": [1]}]}]}"#,
        "flags[0].rules[0].users is not a list of strings"
      ),
    ])
  func mistakes(_ json: String, _ message: String) async throws {
    try await withEmulator { emulator async throws in
      try emulator.setRemoteFlags(#"{"flags": [{"key": "kept"}]}"#)
      let error = #expect(throws: RemoteFlagRulesError.self) { try emulator.setRemoteFlags(json) }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
      #expect(try await flags(emulator, self.message()).first?["key"] == "kept")
    }
  }

  @Test("the control endpoint sets and removes them, and says what is wrong")
  func control() async throws {
    try await withEmulator { emulator async throws in
      func control(_ method: String, _ body: String) async throws -> WireAnswer {
        try await exchange(emulator.port, method, "/_control/remote-flags", body: body)
      }
      #expect(try await control("POST", #"{"json": {"flags": [{"key": "a"}]}}"#).status == 200)
      #expect(try await flags(emulator, message()).count == 1)
      #expect(try await control("POST", #"{"token": "t"}"#).status == 200)
      #expect(try await post(emulator, "getFeatureFlags", message()).status == 401)
      #expect(try await control("POST", #"{"token": ""}"#).status == 200)
      #expect(try await control("DELETE", "").status == 200)
      #expect(try await flags(emulator, message()) == [])
      #expect(try await control("POST", "{}").status == 400)
      let refused = try await control("POST", #"{"json": {"flags": [{"key": 1}]}}"#)
      #expect(refused.status == 400)
      #expect(refused.text.contains("flags[0].key is missing or no string"))
    }
  }
}
