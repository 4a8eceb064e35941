// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import Testing

/// A question that cannot be answered.
struct RefusedQuestion: Sendable, CustomTestStringConvertible {
  let method: String
  let name: String
  let json: String
  let status: Int
  let words: String
  init(_ method: String, _ name: String, _ json: String, _ status: Int, _ words: String) {
    self.method = method
    self.name = name
    self.json = json
    self.status = status
    self.words = words
  }
  var testDescription: String { "\(name) \(json)" }
}

let refusedQuestions: [RefusedQuestion] = [
  RefusedQuestion("GET", "flags?environment=x", "", 404, "No data file"),
  RefusedQuestion("GET", "flags?colour=x", "", 400, "colour"),
  RefusedQuestion("POST", "flags", "{}", 405, "takes GET"),
  RefusedQuestion("POST", "explanation", "{}", 400, "targetingKey"),
  RefusedQuestion("POST", "explanation", #"{"context": {"targetingKey": ""}}"#, 400, "empty"),
  RefusedQuestion("POST", "explanation", #"{"context": []}"#, 400, "object"),
  RefusedQuestion(
    "POST", "explanation", #"{"flag": "x", "context": {"targetingKey": "v"}}"#, 404, #""x""#),
  RefusedQuestion(
    "POST", "explanation", #"{"context": {"targetingKey": "v", "device": "toaster"}}"#, 400,
    "context.device"),
  RefusedQuestion("POST", "simulation", "{}", 400, "flag is missing"),
  RefusedQuestion("POST", "simulation", #"{"flag": "x"}"#, 404, #""x""#),
  RefusedQuestion("POST", "simulation", #"{"flag": "first", "visitors": 0}"#, 400, "1000000"),
  RefusedQuestion("POST", "simulation", #"{"flag": "first", "visitors": 2e6}"#, 400, "1000000"),
  RefusedQuestion("POST", "simulation", #"{"flag": "first", "context": 1}"#, 400, "object"),
  RefusedQuestion("GET", "feed?after=-1", "", 400, "integer"),
  RefusedQuestion("GET", "feed?revision=x&streams=0", "", 400, "integer"),
]

@Suite("Control page: routes")
struct PageRouteTests {
  @Test("the list of flags shows rules and shares, files and remote flags; ids are texts")
  func flags() async throws {
    try await withEmulator { emulator async throws in
      var list = try await control(emulator, "GET", "flags")
      #expect(list["files"] == [])
      #expect(list["flags"] == nil)
      emulator.setDataFile(oddDataFile, lastModified: "d", environment: "e")
      list = try await control(emulator, "GET", "flags")
      #expect(list["file"] == ["siteCode": nil, "environment": "e"])
      #expect(list["lastModified"] == "d")
      let flags = try #require(list["flags"]?.arrayValue)
      #expect(flags.map { $0["key"] } == ["first", "no switch", "twin", "twin"])
      #expect(flags[0]["enabled"] == true)
      #expect(
        flags[0]["rules"]?[0]?.text()
          == #"{"id":"11","type":"EXPERIMENTATION","experimentId":"111","segmentId":null,"#
          + #""exposition":1.0,"split":[{"variation":"off","variationId":"1111","share":0.5},"#
          + #"{"variation":"on","variationId":"1112","share":0.5}]}"#)
      emulator.setDataFile("[]", environment: "e")
      list = try await control(emulator, "GET", "flags?environment=e")
      #expect(list["error"]?.stringValue?.hasSuffix(".") == true)
    }
  }

  @Test("questions that have no answer get a sentence", arguments: refusedQuestions)
  func refused(_ row: RefusedQuestion) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(oddDataFile)
      let (status, json) = try await controlRequest(emulator, row.method, row.name, row.json)
      #expect(status == row.status, "\(json)")
      let sentence = try #require(json["error"]?.stringValue)
      #expect(sentence.hasSuffix(".") && sentence.contains(row.words), "\(sentence)")
    }
  }

  @Test("without a data file that can be used nothing is decided")
  func noFile() async throws {
    try await withEmulator { emulator async throws in
      let question = #"{"flag": "first", "context": {"targetingKey": "v"}}"#
      for name in ["explanation", "simulation"] {
        let (status, _) = try await controlRequest(emulator, "POST", name, question)
        #expect(status == 404)
      }
      emulator.setDataFile("nothing")
      for name in ["explanation", "simulation"] {
        let (status, _) = try await controlRequest(emulator, "POST", name, question)
        #expect(status == 400)
      }
    }
  }

  @Test(
    "an explanation tells the steps and what the visitor gets of every flag, by the data of the context"
  )
  func explanation() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(oddDataFile)
      let answer = try await control(
        emulator, "POST", "explanation",
        #"{"flag": "first", "context": {"targetingKey": "anna", "colour": "red"}}"#)
      let trace = try #require(answer["explanation"])
      #expect(trace["flag"] == "first")
      #expect(trace["visitor"] == "anna")
      #expect(trace["rules"]?[0]?["admission"]?["input"] == "anna11")
      let variation = try #require(trace["outcome"]?["variation"])
      let decisions = try #require(answer["decisions"]?.arrayValue)
      #expect(decisions.map { $0["flag"] } == ["first", "no switch", "twin"])
      #expect(decisions[0]["variation"] == variation)
      #expect(decisions[1]["variation"] == .null)
      #expect(answer["remarks"]?[0]?.stringValue?.contains("context.colour") == true)

      try emulator.setSplit([1, 0], ofRule: 11, inFlag: "first")
      let moved = try await control(
        emulator, "POST", "explanation",
        #"{"flag": "first", "context": {"targetingKey": "anna"}}"#)
      #expect(moved["explanation"]?["outcome"]?["variation"] == "off")
      let forced = try await control(
        emulator, "POST", "explanation",
        #"{"flag":"first","context":{"targetingKey":"anna","forcedVariations":{"111":"on"}}}"#)
      #expect(forced["explanation"]?["outcome"]?["variation"] == "on")
    }
  }

  @Test("simulated traffic has the shares that the rules promise, and those of a change at once")
  func simulation() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(oddDataFile)
      var result = try await control(
        emulator, "POST", "simulation", #"{"flag": "first", "visitors": 2000}"#)
      #expect(result["visitors"] == 2000)
      #expect(result["verdict"] == "holds")
      let rows = try #require(result["outcomes"]?.arrayValue)
      #expect(rows.map { $0["variation"] } == ["off", "on"])
      #expect(rows.map { $0["expectedShare"] } == [0.5, 0.5])
      #expect(rows.compactMap { $0["count"]?.integerValue }.reduce(0, +) == 2000)
      try emulator.setSplit([0, 1], ofRule: 11, inFlag: "first")
      result = try await control(
        emulator, "POST", "simulation", #"{"flag": "first", "prefix": "x"}"#)
      #expect(result["outcomes"]?[0]?["variation"] == "on")
      #expect(result["outcomes"]?[0]?["count"] == 10_000)
      let forced = try await control(
        emulator, "POST", "simulation",
        #"{"flag":"first","visitors":10,"context":{"forcedVariations":{"111":"off"},"targetingKey":7}}"#
      )
      #expect(forced["outcomes"]?[0]?["variation"] == "off")
      #expect(forced["outcomes"]?[0]?["count"] == 10)
    }
  }

  @Test("the feed tells what has arrived, decoded, with findings; and only what is new")
  func feed() async throws {
    try await withEmulator { emulator async throws in
      let line = "nonce=0123456789ABCDEF&eventType=experiment&id=1&variationId=2&visitorCode=a%20b"
      let target = "/visit/events?siteCode=s"
      _ = try await exchange(emulator.port, "POST", target, body: line)
      let first = try await control(emulator, "GET", "feed")
      #expect(first["sequence"] == 1)
      #expect(first["count"] == 1)
      #expect(first["streams"] == 0)
      let request = try #require(first["requests"]?[0])
      #expect(request["route"] == "tracking")
      #expect(request["path"] == "/visit/events")
      #expect(request["query"] == [["siteCode", "s"]])
      #expect(request["events"]?[0]?[4] == ["visitorCode", "a b"])
      #expect(request["findings"] == [])
      _ = try await exchange(emulator.port, "POST", target, body: line)
      _ = try await exchange(
        emulator.port, "POST", "/json/1.3/postEvent",
        body: #"{"request": {"application": "A", "hwid": "h", "userId": "u", "#
          + #""event": "PW_FeatureFlagImpression", "attributes": "#
          + #"{"flag_key": "k", "rule_id": "r", "enabled": true}}}"#)
      let second = try await control(emulator, "GET", "feed?after=1")
      #expect(second["requests"]?.arrayValue?.count == 2)
      #expect(second["requests"]?[0]?["findings"]?[0]?["kind"] == "duplicateNonce")
      #expect(
        second["requests"]?[1]?["impression"]
          == [
            "application": "A", "device": "h", "user": "u", "key": "k", "rule": "r",
            "enabled": true,
          ])
    }
  }

  @Test("the feed has bounds: requests, events of one, and characters of a text")
  func bounds() async throws {
    try await withEmulator { emulator async throws in
      for _ in 1...205 { _ = try await exchange(emulator.port, "GET", "/nothing") }
      var feed = try await control(emulator, "GET", "feed")
      #expect(feed["requests"]?.arrayValue?.count == 200)
      #expect(feed["skipped"] == 5)
      #expect(feed["requests"]?[0]?["sequence"] == 6)
      let lines =
        Array(repeating: "eventType=activity", count: 300) + [
          "x=" + String(repeating: "ä", count: 20_000)
        ]
      for body in [lines.joined(separator: "\n"), lines.last ?? ""] {
        _ = try await exchange(emulator.port, "POST", "/visit/events?siteCode=s", body: body)
      }
      feed = try await control(emulator, "GET", "feed?after=205")
      #expect(feed["requests"]?[0]?["events"]?.arrayValue?.count == 200)
      #expect(feed["requests"]?[0]?["skippedEvents"] == 101)
      let text = try #require(feed["requests"]?[1]?["events"]?[0]?[0]?[1]?.stringValue)
      #expect(text.hasPrefix("ää") && text.hasSuffix("… (20000 characters)") && text.count < 17_000)
    }
  }

  @Test(
    "a reader of the feed waits for news: a request, a stream, a change; or in the end for nothing")
  func waiting() async throws {
    let clock = ManualClock()
    let emulator = Emulator(time: TimeSource(clock))
    try await withEmulator(emulator) { emulator async throws in
      emulator.setDataFile(oddDataFile)
      func wait(_ news: () async throws -> Void) async throws -> JSONValue {
        let known = try await control(emulator, "GET", "feed")
        let query = ["after": "sequence", "revision": "revision", "streams": "streams"]
          .map { "\($0.key)=\(known[$0.value] ?? .null)" }.joined(separator: "&")
        let wire = try await Wire.connect(emulator.port)
        try await wire.write(requestBytes("GET", "/_control/feed?\(query)"))
        await clock.untilSleeping()
        try await news()
        return try JSONValue(parsing: try await wire.answer().body)
      }
      let request = try await wait { _ = try await exchange(emulator.port, "GET", "/v3/s") }
      #expect(request["requests"]?.arrayValue?.count == 1)
      let change = try await wait { _ = try emulator.setFlag("first", isEnabled: false) }
      #expect(change["requests"] == [])
      #expect(change["revision"] != request["revision"])
      let nothing = try await wait { clock.advance(by: .seconds(25)) }
      #expect(nothing["revision"] == change["revision"])
      #expect(nothing["requests"] == [])
      let reset = try await wait { emulator.reset() }
      #expect(reset["revision"] != nothing["revision"])
    }
  }

  @Test("a reader who goes away or outlives the emulator leaves nothing behind")
  func leaving() async throws {
    let clock = TellingClock()
    let emulator = Emulator(time: TimeSource(clock))
    try emulator.start()
    let target = "/_control/feed?after=0&revision=0&streams=0"
    var ends = clock.ends.makeAsyncIterator()
    var first: Wire? = try await Wire.connect(emulator.port)
    try await first?.write(requestBytes("GET", target))
    await clock.base.untilSleeping()
    first = nil
    await ends.next()
    #expect(clock.base.sleeperCount == 0)
    let second = try await Wire.connect(emulator.port)
    try await second.write(requestBytes("GET", target))
    await clock.base.untilSleeping()
    emulator.stop()
    #expect(try await second.readToEnd().isEmpty)
    await ends.next()
    #expect(clock.base.sleeperCount == 0)
  }
}

/// A manual clock that tells when a sleep is over.
private struct TellingClock: Clock {
  let base = ManualClock()
  let ends: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (ends, continuation) = AsyncStream.makeStream() }

  var now: ManualClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    defer { continuation.yield() }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
