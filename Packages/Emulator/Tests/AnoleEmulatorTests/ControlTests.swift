// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import Testing

@Suite("Control endpoint")
struct ControlTests {
  /// One control request; the answer must be JSON.
  private func control(
    _ emulator: Emulator, _ method: String, _ name: String, _ json: String = "",
    headers: [String] = []
  ) async throws -> (status: Int?, json: JSONValue) {
    let answer = try await exchange(
      emulator.port, method, "/_control/\(name)", headers: headers, body: json)
    #expect(answer.header("Content-Type") == "application/json")
    return (answer.status, try JSONValue(parsing: answer.body))
  }

  private func post(
    _ emulator: Emulator, _ name: String, _ json: String
  ) async throws -> JSONValue {
    let (status, value) = try await control(emulator, "POST", name, json)
    #expect(status == 200, "\(value)")
    return value
  }

  @Test("data files are set and removed")
  func dataFiles() async throws {
    try await withEmulator { emulator async throws in
      _ = try await post(
        emulator, "data-file",
        #"{"json": {"b": 1.50, "a": "é"}, "lastModified": "d", "environment": "e"}"#)
      let answer = try await exchange(emulator.port, "GET", "/v3/s?environment=e")
      #expect(answer.text == #"{"b":1.5,"a":"é"}"#)
      #expect(answer.header("Last-Modified") == "d")
      _ = try await post(emulator, "data-file", #"{"text": "{ not JSON", "siteCode": "s"}"#)
      #expect(try await exchange(emulator.port, "GET", "/v3/s").text == "{ not JSON")
      _ = try await post(emulator, "data-file", #"{"base64": "AP8="}"#)
      #expect(try await exchange(emulator.port, "GET", "/v3/t").body == [0, 255])
      _ = try await control(emulator, "DELETE", "data-file?environment=e")
      #expect(try await exchange(emulator.port, "GET", "/v3/t?environment=e").body == [0, 255])
      _ = try await control(emulator, "DELETE", "data-file")
      #expect(try await exchange(emulator.port, "GET", "/v3/t").status == 404)
    }
  }

  @Test("events are pushed, streams are closed")
  func streams() async throws {
    try await withEmulator { emulator async throws in
      let (wire, _) = try await openStream(emulator)
      #expect(try await post(emulator, "stream", #"{"ts": 17}"#)["streams"] == 1)
      #expect(try await wire.read(through: "\n\n").hasSuffix("data: {\"ts\": 17}\n\n"))
      _ = try await post(emulator, "stream", #"{"event": "e", "data": "d"}"#)
      #expect(try await wire.read(through: "\n\n").hasSuffix("event: e\ndata: d\n\n"))
      _ = try await post(emulator, "stream", #"{"comment": "c"}"#)
      _ = try await post(emulator, "stream", #"{"text": "raw", "siteCode": "s"}"#)
      #expect(try await wire.read(through: "raw\r\n").contains(": c\n\n"))
      let (_, closed) = try await control(emulator, "DELETE", "stream")
      #expect(closed == ["streams": 1])
      #expect(try await wire.read(through: "\r\n\r\n") == "0\r\n\r\n")
    }
  }

  @Test("remote data, audiences, visitor data and tokens are set")
  func data() async throws {
    try await withEmulator { emulator async throws in
      _ = try await post(emulator, "remote-data", #"{"key": "k", "json": [1]}"#)
      _ = try await post(emulator, "warehouse", #"{"key": "w", "audiences": ["x"]}"#)
      _ = try await post(emulator, "visitor-data", #"{"visitor": "v", "json": {"kcs": {}}}"#)
      func get(_ target: String, _ headers: String...) async throws -> WireAnswer {
        try await exchange(emulator.port, "GET", target, headers: headers)
      }
      #expect(try await get("/map/map?siteCode=s&key=k").text == "[1]")
      #expect(
        try await get("/map/map?siteCode=s&key=w").text == #"{"warehouseAudiences":{"x":true}}"#)
      #expect(
        try await get("/visit/visitor?siteCode=s&visitorCode=v").text == #"{"kcs":{}}"#)
      _ = try await post(
        emulator, "tokens",
        #"{"required":true,"lifetimeSeconds":60,"credentials":{"a":"b"},"accept":["T"]}"#)
      #expect(try await get("/map/map?siteCode=s&key=k").status == 401)
      #expect(try await get("/map/map?siteCode=s&key=k", "Authorization: Bearer T").status == 200)
      let token = try await exchange(
        emulator.port, "POST", "/oauth/token?siteCode=s", headers: ["Authorization: Basic YTpi"],
        body: "grant_type=client_credentials")
      #expect(try JSONValue(parsing: token.body)["expires_in"] == 60)
      _ = try await post(emulator, "tokens", #"{"revoke":true}"#)
      #expect(try await get("/map/map?siteCode=s&key=k", "Authorization: Bearer T").status == 401)
    }
  }

  @Test("every fault can be set; control requests are neither harmed nor recorded")
  func faults() async throws {
    try await withEmulator { emulator async throws in
      _ = try await post(emulator, "data-file", #"{"text": "0123456789"}"#)
      func get() async throws -> String { try await exchangeToEnd(emulator.port, "GET", "/v3/s") }
      func fault(_ json: String) async throws {
        let pending = try await post(emulator, "faults", json)
        #expect(pending == ["pending": 1])
      }
      try await fault(
        #"{"route":"config","times":1,"status":503,"headers":{"Retry-After":"1"},"cutAfter":3}"#)
      let cut = try await get()
      #expect(cut.contains("Retry-After: 1\r\n"))
      #expect(cut.hasSuffix("\r\n\r\nThe"))
      try await fault(#"{"route":"config","times":1,"behaviour":"closeAfterReading"}"#)
      #expect(try await get().isEmpty)
      try await fault(#"{"route":"config","times":1,"behaviour":"closeBeforeReading"}"#)
      #expect(try await get().isEmpty)
      try await fault(#"{"route":"config","times":1,"announcedLength":99}"#)
      #expect(try await get().contains("Content-Length: 99\r\n"))
      try await fault(#"{"route":"config","times":1,"raw":"HTTP/1.1 204 No\r\n\r\n"}"#)
      #expect(try await get() == "HTTP/1.1 204 No\r\n\r\n")
      try await fault(#"{"route":"config","times":1,"html":true,"closeAfterAnswer":true}"#)
      #expect(try await get().contains("Content-Type: text/html\r\n"))
      try await fault(
        #"{"route":"config","times":1,"delayMs":1,"dripBytes":4,"dripMs":1,"closeAfterAnswer":true}"#
      )
      #expect(try await get().hasSuffix("\r\n\r\n0123456789"))
      try await fault(
        #"{"route":"config","times":1,"json":[],"contentType":"a/b","closeAfterAnswer":true}"#)
      let body = try await get()
      #expect(body.contains("Content-Type: a/b\r\n"))
      #expect(body.hasSuffix("\r\n\r\n[]"))
      try await fault(
        #"{"route":"config","times":1,"interim":103,"trailers":{"X":"y"},"slowHead":true}"#)
      let slow = try await get()
      #expect(slow.hasPrefix("HTTP/1.1 103 "))
      #expect(slow.hasSuffix("\r\n\r\na\r\n0123456789\r\n0\r\nX: y\r\n\r\n"))
      try await fault(
        #"{"route":"config","times":1,"encoding":"rawDeflate","closeAfterAnswer":true}"#)
      #expect(try await get().contains("Content-Encoding: deflate\r\n"))
      try await fault(#"{"route":"config","times":1,"bombMegabytes":1,"closeAfterAnswer":true}"#)
      #expect(try await get().contains("Content-Encoding: gzip\r\n"))
      #expect(
        try await post(emulator, "faults", #"{"route":"config","status":500}"#)
          == ["pending": -1])
      _ = try await control(emulator, "DELETE", "faults?route=config")
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 200)
      _ = try await post(emulator, "faults", #"{"route":"unknown","status":500}"#)
      #expect(try await control(emulator, "GET", "state").status == 200)
      #expect(emulator.requests().count == 12)
      _ = try await post(emulator, "connections", #"{"refuse": 1}"#)
      #expect(try await get().isEmpty)
      _ = try await post(emulator, "reset", "")
      #expect(emulator.requests().isEmpty)
    }
  }

  @Test("the journal is read and cleared")
  func journal() async throws {
    try await withEmulator { emulator async throws in
      _ = try await exchange(emulator.port, "GET", "/v3/s?a=%20")
      _ = try await exchange(
        emulator.port, "POST", "/visit/events?siteCode=s", body: "nonce=1&eventType=page&a=b")
      let all = try await control(emulator, "GET", "journal").json
      #expect(all["count"] == 2)
      #expect(all["requests"]?[0]?["target"] == "/v3/s?a=%20")
      #expect(all["requests"]?[0]?["headers"]?[0] == ["Host", "127.0.0.1"])
      let events = try await control(emulator, "GET", "journal?route=tracking&after=1").json
      #expect(events["count"] == 1)
      let request = try #require(events["requests"]?[0])
      #expect(request["text"] == "nonce=1&eventType=page&a=b")
      #expect(request["events"]?[0]?["a"] == "b")
      #expect(request["findings"]?[0]?["kind"] == "malformedNonce")
      #expect(request["status"] == 204)
      _ = try await control(emulator, "DELETE", "journal")
      #expect(emulator.requests().isEmpty)
      #expect(try await control(emulator, "GET", "state").json["requests"]?["tracking"] == 0)
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let method: String
    let name: String
    let body: String
    let status: Int

    init(_ method: String, _ name: String, _ body: String, _ status: Int = 400) {
      self.method = method
      self.name = name
      self.body = body
      self.status = status
    }

    var testDescription: String { "\(method) \(name) \(body)" }
  }

  static let mistakes: [Mistake] = [
    Mistake("POST", "data-file", #"{"json": "#),
    Mistake("POST", "data-file", "[]"),
    Mistake("POST", "data-file", ""),
    Mistake("POST", "data-file", #"{"jsn": 1}"#),
    Mistake("POST", "data-file", #"{"text": 1}"#),
    Mistake("POST", "data-file", #"{"base64": "?"}"#),
    Mistake("POST", "data-file", #"{"text": "", "lastModified": "a\r\nb: c"}"#),
    Mistake("POST", "stream", "{}"),
    Mistake("POST", "stream", #"{"ts": "x"}"#),
    Mistake("POST", "remote-data", #"{"json": 1}"#),
    Mistake("POST", "warehouse", #"{"key": "k"}"#),
    Mistake("POST", "warehouse", #"{"key": "k", "audiences": [1]}"#),
    Mistake("POST", "tokens", #"{"required": "yes"}"#),
    Mistake("POST", "tokens", #"{"credentials": {"a": 1}}"#),
    Mistake("POST", "faults", #"{"status": 500}"#),
    Mistake("POST", "faults", #"{"route": "x", "status": 500}"#),
    Mistake("POST", "faults", #"{"route": "config", "status": 100}"#),
    Mistake("POST", "faults", #"{"route": "config", "status": 500, "times": 0}"#),
    Mistake("POST", "faults", #"{"route": "config", "behaviour": "explode"}"#),
    Mistake("POST", "faults", #"{"route": "config", "headers": {"a b": "c"}}"#),
    Mistake("POST", "faults", #"{"route": "config", "contentType": "\n"}"#),
    Mistake("POST", "faults", #"{"route": "config", "dripBytes": 0}"#),
    Mistake("POST", "faults", #"{"route": "config", "encoding": "br"}"#),
    Mistake("POST", "faults", #"{"route": "config", "interim": 200}"#),
    Mistake("POST", "faults", #"{"route": "config", "trailers": {"a b": "c"}}"#),
    Mistake("POST", "faults", #"{"route": "config", "bombMegabytes": 1000}"#),
    Mistake("POST", "connections", "{}"),
    Mistake("GET", "journal?route=x", ""),
    Mistake("GET", "journal?after=-1", ""),
    Mistake("GET", "nothing", "", 404),
    Mistake("PUT", "reset", "", 405),
  ]

  @Test("mistakes are answered with a sentence", arguments: mistakes)
  func mistake(_ row: Mistake) async throws {
    try await withEmulator { emulator async throws in
      let (status, json) = try await control(emulator, row.method, row.name, row.body)
      #expect(status == row.status)
      let sentence = try #require(json["error"]?.stringValue)
      #expect(sentence.hasSuffix("."))
    }
  }

  @Test("pages of other sites and other host names have no control")
  func foreign() async throws {
    try await withEmulator { emulator async throws in
      let (status, _) = try await control(
        emulator, "POST", "reset", headers: ["Origin: https://evil.example"])
      #expect(status == 403)
      let (local, _) = try await control(
        emulator, "POST", "reset", headers: ["Origin: http://localhost:8080"])
      #expect(local == 200)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write("GET /_control/state HTTP/1.1\r\nHost: evil.example\r\n\r\n")
      #expect(try await wire.answer().status == 403)
    }
  }
}
