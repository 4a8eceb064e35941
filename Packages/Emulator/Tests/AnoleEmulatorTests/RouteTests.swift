// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import Testing

@Suite("Routes")
struct RouteTests {
  @Test("the data file is served as it was set, with its Last-Modified")
  func dataFile() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(#"{"a" : 1}"#, lastModified: "Mon, 24 Nov 2025 16:00:00 GMT")
      let answer = try await exchange(emulator.port, "GET", "/v3/tstsite001?ts=1764000123456")
      #expect(answer.status == 200)
      #expect(answer.text == #"{"a" : 1}"#)
      #expect(answer.header("Last-Modified") == "Mon, 24 Nov 2025 16:00:00 GMT")
      #expect(answer.header("Content-Type") == "application/json")
    }
  }

  @Test("the same Last-Modified text is answered with 304, another with the file")
  func notModified() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile("{}", lastModified: "any text")
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(
        requestBytes("GET", "/v3/s", headers: ["If-Modified-Since: any text"]))
      let same = try await wire.answer(hasBody: false)
      #expect(same.status == 304)
      #expect(same.header("Content-Length") == "2")
      #expect(same.head.split(separator: "Content-Length").count == 2, "told once")
      try await wire.write(requestBytes("GET", "/v3/s", headers: ["If-Modified-Since: other"]))
      #expect(try await wire.answer().status == 200)
    }
  }

  @Test("an entity tag decides before the date")
  func entityTag() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile("{}", lastModified: "d", entityTag: #""one""#)
      func status(_ headers: String...) async throws -> Int? {
        try await exchange(emulator.port, "GET", "/v3/s", headers: headers + ["Connection: close"])
          .status
      }
      #expect(try await status(#"If-None-Match: "zero", "one""#) == 304)
      #expect(try await status("If-None-Match: *") == 304)
      #expect(try await status(#"If-None-Match: "two""#, "If-Modified-Since: d") == 200)
      #expect(try await status("If-Modified-Since: d") == 304)
    }
  }

  @Test("the closest file for site code and environment is served")
  func environments() async throws {
    try await withEmulator { emulator async throws in
      func body(_ target: String) async throws -> String {
        try await exchange(emulator.port, "GET", target).text
      }
      #expect(try await exchange(emulator.port, "GET", "/v3/a").status == 404)
      emulator.setDataFile("general")
      emulator.setDataFile("staging", environment: "sta ging")
      emulator.setDataFile("of a", siteCode: "a")
      emulator.setDataFile("staging of a", environment: "sta ging", siteCode: "a")
      #expect(try await body("/v3/b") == "general")
      #expect(try await body("/v3/b?environment=sta%20ging") == "staging")
      #expect(try await body("/v3/b?environment=other") == "general")
      #expect(try await body("/v3/a") == "of a")
      #expect(try await body("/v3/a?environment=sta%20ging&ts=1") == "staging of a")
      #expect(try await body("/v3/a?environment=other") == "of a")
      emulator.removeDataFile(environment: "sta ging", siteCode: "a")
      #expect(try await body("/v3/a?environment=sta%20ging") == "staging")
    }
  }

  @Test("remote data and warehouse audiences are served by key")
  func remoteData() async throws {
    try await withEmulator { emulator async throws in
      emulator.setRemoteData("[1, 2]", forKey: "a key/é")
      emulator.setWarehouseAudiences(["big spender", "x"], forKey: "w")
      func get(_ target: String) async throws -> WireAnswer {
        try await exchange(emulator.port, "GET", target)
      }
      #expect(try await get("/map/map?siteCode=s&key=a%20key%2F%C3%A9").text == "[1, 2]")
      #expect(
        try await get("/map/map?siteCode=s&key=w").text
          == #"{"warehouseAudiences":{"big spender":true,"x":true}}"#)
      #expect(try await get("/map/map?siteCode=s&key=none").status == 404)
      #expect(try await get("/map/map?siteCode=s").status == 400)
      #expect(try await get("/map/map?key=w").status == 400)
      emulator.setRemoteData(nil, forKey: "w")
      #expect(try await get("/map/map?siteCode=s&key=w").status == 404)
    }
  }

  @Test("visitor data is served by visitor code or mapping value")
  func visitorData() async throws {
    try await withEmulator { emulator async throws in
      emulator.setVisitorData(#"{"currentVisit":{}}"#, forVisitor: "v 1")
      func get(_ query: String) async throws -> WireAnswer {
        try await exchange(emulator.port, "GET", "/visit/visitor?siteCode=s\(query)")
      }
      #expect(try await get("&visitorCode=v%201&version=0").text == #"{"currentVisit":{}}"#)
      #expect(try await get("&mappingValue=v%201").text == #"{"currentVisit":{}}"#)
      #expect(try await get("&visitorCode=other").text == "{}")
      #expect(try await get("").status == 400)
    }
  }

  @Test("what the platform does not have is refused with a sentence")
  func refusals() async throws {
    try await withEmulator { emulator async throws in
      let unknown = try await exchange(emulator.port, "GET", "/nothing?x=1")
      #expect(unknown.status == 404)
      #expect(unknown.text.hasSuffix(".\n"))
      #expect(try await exchange(emulator.port, "GET", "/v3/").status == 404)
      #expect(try await exchange(emulator.port, "GET", "/v3/a/b").status == 404)
      let method = try await exchange(emulator.port, "POST", "/v3/a")
      #expect(method.status == 405)
      #expect(method.header("Allow") == "GET")
      #expect(try await exchange(emulator.port, "GET", "/visit/events?siteCode=s").status == 405)
      #expect(try await exchange(emulator.port, "GET", "/sse").status == 400)
      #expect(emulator.requests(.unknown).count == 3)
    }
  }

  @Test("a token is issued for known credentials only, and lives as long as told")
  func tokens() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setCredentials(["client-ü": "s3cr:et"])
      emulator.setTokenLifetime(seconds: 90)
      emulator.requireToken(true)
      func token(_ basic: String, body: String = "grant_type=client_credentials") async throws
        -> WireAnswer
      {
        try await exchange(
          emulator.port, "POST", "/oauth/token?siteCode=s",
          headers: ["Authorization: Basic \(basic)"], body: body)
      }
      func remote(_ headers: String...) async throws -> Int? {
        try await exchange(
          emulator.port, "GET", "/map/map?siteCode=s&key=k", headers: headers
        ).status
      }
      emulator.setRemoteData("1", forKey: "k")
      let good = "Y2xpZW50LcO8OnMzY3I6ZXQ="
      let answer = try await token(good)
      #expect(
        answer.text
          == #"{"access_token":"emulator-token-1","expires_in":90,"token_type":"bearer"}"#)
      #expect(try await token("Y2xpZW50OnNlY3JldA==").status == 401)
      #expect(try await token("?").status == 401)
      #expect(try await token(good, body: "grant_type=password").status == 400)
      #expect(try await remote() == 401)
      #expect(try await remote("Authorization: Bearer emulator-token-1") == 200)
      #expect(try await remote("Authorization: Bearer emulator-token-2") == 401)
      clock.advance(by: .seconds(90))
      #expect(try await remote("Authorization: Bearer emulator-token-1") == 401)
      emulator.acceptToken("T")
      #expect(try await remote("Authorization: Bearer T") == 200)
      emulator.revokeTokens()
      #expect(try await remote("Authorization: Bearer T") == 401)
      emulator.requireToken(false)
      #expect(try await remote() == 200)
      #expect(try await remote("Authorization: Bearer T") == 401)
      #expect(try await exchange(emulator.port, "GET", "/v3/a").status == 404)
    }
  }
}
