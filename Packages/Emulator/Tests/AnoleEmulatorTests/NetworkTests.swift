// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import Testing

private let file = #"{"flags":[]}"#

@Suite("A bad network", .timeLimit(.minutes(1)))
struct NetworkTests {
  /// The statuses of many requests, one after the other.
  private func statuses(
    seed: UInt64, count: Int, _ prepare: (Emulator) -> Void
  ) async throws -> [Int?] {
    let emulator = Emulator(seed: seed)
    emulator.setDataFile(file)
    prepare(emulator)
    try emulator.start()
    defer { emulator.stop() }
    let wire = try await Wire.connect(emulator.port)
    var statuses: [Int?] = []
    for _ in 0..<count {
      try await wire.write(requestBytes("GET", "/v3/s"))
      statuses.append(try await wire.answer().status)
    }
    #expect(emulator.requests().map(\.status) == statuses)
    #expect(emulator.requests().map(\.isFaulted) == statuses.map { $0 != 200 })
    return statuses
  }

  @Test("a fault by chance hits its share of the requests, the same ones with the same seed")
  func chance() async throws {
    let first = try await statuses(seed: 7, count: 1_000) {
      $0.addFault(.status(503), on: .dataFile, chance: 0.2)
    }
    // Five standard deviations around 200.
    #expect((137...263).contains(first.count { $0 == 503 }))
    #expect(Set(first) == [200, 503])
    let second = try await statuses(seed: 7, count: 1_000) {
      $0.addFault(.status(503), on: nil, chance: 0.2)
    }
    #expect(first == second)
    let other = try await statuses(seed: 8, count: 1_000) {
      $0.addFault(.status(503), on: .dataFile, chance: 0.2)
    }
    #expect(first != other)
  }

  @Test("chances are drawn one by one; never and always are what they say")
  func severalChances() async throws {
    let statuses = try await statuses(seed: 1, count: 1_000) {
      $0.addFault(.status(500), on: .dataFile, chance: 0)
      $0.addFault(.status(503), on: .dataFile, chance: 0.5)
      $0.addFault(.status(404), on: .tracking, chance: 1)
      $0.addFault(.status(429), on: .dataFile, chance: 1)
    }
    #expect(Set(statuses) == [503, 429])
    #expect((421...579).contains(statuses.count { $0 == 503 }))
  }

  @Test("a fault that waits comes before those by chance; all are cleared")
  func order() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      func status() async throws -> Int? {
        try await exchange(emulator.port, "GET", "/v3/s").status
      }
      emulator.addFault(.status(503), on: nil, chance: 1)
      emulator.addFault(.status(502), on: .dataFile, chance: 1)
      emulator.addFault(.status(500), on: .dataFile)
      #expect(try await status() == 500)
      #expect(try await status() == 503)
      emulator.clearFaults(on: .dataFile)
      #expect(try await status() == 503)
      emulator.clearFaults()
      #expect(try await status() == 200)
    }
  }

  @Test("a connection is closed before reading, by chance")
  func closing() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.closeBeforeReading, on: .dataFile, chance: 1)
      #expect(try await exchangeToEnd(emulator.port, "GET", "/v3/s") == "")
      #expect(try await exchange(emulator.port, "GET", "/nothing").status == 404)
      let request = try #require(emulator.requests(.dataFile).first)
      #expect(request.isFaulted && request.status == nil)
    }
  }

  @Test("every request of a route takes as long as it is told")
  func latency() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setDataFile(file)
      emulator.setLatency(.milliseconds(300) ... .milliseconds(300), on: .dataFile)
      emulator.addFault(.delay(.milliseconds(100)), on: .dataFile)
      for wait in [400, 300] {
        let wire = try await Wire.connect(emulator.port)
        try await wire.write(requestBytes("GET", "/v3/s"))
        await clock.untilSleeping()
        try await emulator.waitForHeldRequests(count: 1)
        clock.advance(by: .milliseconds(wait - 1))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await wire.answer().text == file)
      }
      #expect(emulator.requests().map(\.isFaulted) == [true, false])
      #expect(try await exchange(emulator.port, "GET", "/nothing").status == 404)
      emulator.setLatency(nil, on: .dataFile)
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 200)
    }
  }

  @Test("latencies are spread over their range, for routes without a range of their own")
  func latencyRange() async throws {
    let clock = ManualClock()
    let emulator = Emulator(time: TimeSource(clock), seed: 3)
    try await withEmulator(emulator) { emulator async throws in
      emulator.setDataFile(file)
      emulator.setLatency(.zero ... .zero, on: .unknown)
      emulator.setLatency(.milliseconds(200) ... .milliseconds(800))
      let wires = try await withThrowingTaskGroup { group in
        for _ in 0..<60 {
          group.addTask {
            let wire = try await Wire.connect(emulator.port)
            try await wire.write(requestBytes("GET", "/v3/s"))
            return wire
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      await clock.untilSleeping(count: 60)
      #expect(try await exchange(emulator.port, "GET", "/nothing").status == 404)
      clock.advance(by: .milliseconds(199))
      #expect(clock.sleeperCount == 60)
      clock.advance(by: .milliseconds(301))
      // Half of them, give or take five standard deviations.
      #expect((11...49).contains(clock.sleeperCount))
      clock.advance(by: .milliseconds(300))
      #expect(clock.sleeperCount == 0)
      for wire in wires { #expect(try await wire.answer().status == 200) }
    }
  }

  @Test("streams are dropped when they have lived long enough")
  func streamLifetime() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      let (old, _) = try await openStream(emulator)
      emulator.setStreamLifetime(.seconds(30))
      let (wire, _) = try await openStream(emulator)
      await clock.untilSleeping()
      clock.advance(by: .seconds(29))
      emulator.pushComment("still here")
      #expect(try await wire.read(through: "\n\n").hasSuffix(": still here\n\n"))
      clock.advance(by: .seconds(1))
      // Without the chunk that would be the end of the body.
      #expect(String(decoding: try await wire.readToEnd(), as: UTF8.self) == "\r\n")
      try await emulator.waitForOpenStreams(count: 1)
      emulator.pushComment("old")
      #expect(try await old.read(through: "old\n\n").hasSuffix(": old\n\n"))
    }
  }

  @Test("a client that leaves earlier ends the wait for its stream")
  func streamLeft() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setStreamLifetime(.seconds(30))
      var stream: Wire? = try await openStream(emulator).0
      await clock.untilSleeping()
      _ = stream
      stream = nil
      try await emulator.waitForOpenStreams(count: 0)
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("a platform whose clock is wrong says so in dates and updates")
  func skew() async throws {
    let wall = ManualWallClock(milliseconds: 1_764_000_000_000)
    try await withEmulator(Emulator(wallClock: wall.clock)) { emulator async throws in
      emulator.setDataFile(file, lastModified: "Mon, 24 Nov 2025 16:00:00 GMT")
      emulator.setDataFile(file, lastModified: "yesterday", environment: "text")
      emulator.setClockSkew(.seconds(-3_600))
      let answer = try await exchange(emulator.port, "GET", "/v3/s")
      #expect(answer.header("Date") == "Mon, 24 Nov 2025 15:00:00 GMT")
      #expect(answer.header("Last-Modified") == "Mon, 24 Nov 2025 15:00:00 GMT")
      #expect(answer.head.split(separator: "Date: ").count == 2)
      func status(_ known: String, _ query: String = "") async throws -> Int? {
        let wire = try await Wire.connect(emulator.port)
        try await wire.write(
          requestBytes("GET", "/v3/s" + query, headers: ["If-Modified-Since: \(known)"]))
        return try await wire.answer(hasBody: false).status
      }
      #expect(try await status("Mon, 24 Nov 2025 15:00:00 GMT") == 304)
      #expect(try await status("Mon, 24 Nov 2025 16:00:00 GMT") == 200)
      #expect(try await status("yesterday", "?environment=text") == 304)
      emulator.addFault(.status(503), on: .dataFile)
      let failed = try await exchange(emulator.port, "GET", "/v3/s")
      #expect(failed.header("Date") == "Mon, 24 Nov 2025 15:00:00 GMT")
      let (stream, _) = try await openStream(emulator)
      emulator.pushConfigurationUpdate(timestamp: 1_764_000_000_000)
      #expect(try await stream.read(through: "\n\n").contains(#"{"ts": 1763996400000}"#))
      _ = try await exchange(
        emulator.port, "POST", "/_control/stream", body: #"{"ts": 1764000000000}"#)
      #expect(try await stream.read(through: "\n\n").contains(#"{"ts": 1763996400000}"#))
      emulator.pushEvent(name: "configuration-update-event", data: #"{"ts": 5}"#)
      #expect(try await stream.read(through: "\n\n").contains(#"{"ts": 5}"#))
      emulator.setClockSkew(.zero)
      let right = try await exchange(emulator.port, "GET", "/v3/s")
      #expect(right.header("Last-Modified") == "Mon, 24 Nov 2025 16:00:00 GMT")
    }
  }

  @Test("flags are evaluated at the platform's time")
  func skewedEvaluation() async throws {
    let hour: Int64 = 3_600_000
    let wall = ManualWallClock(milliseconds: 25 * hour)
    let today = #"""
      {"targetingType": "SAME_DAY_VISITS", "isInclude": true, "matchType": "EQUAL", "visitCount": 2}
      """#
    try await withEmulator(Emulator(wallClock: wall.clock)) { emulator async throws in
      emulator.setDataFile(EvaluationFile.probe(today))
      let context = #"{"targetingKey": "a", "previousVisits": [\#(23 * hour)]}"#
      let right = try await Evaluated(emulator, "probe", context: context)
      #expect(right.json["value"] == false)
      emulator.setClockSkew(.seconds(-3_600))
      let late = try await Evaluated(emulator, "probe", context: context)
      #expect(late.json["value"] == false)
      emulator.setClockSkew(.seconds(-3_601))
      let earlier = try await Evaluated(emulator, "probe", context: context)
      #expect(earlier.json["value"] == true)
    }
  }

  @Test("the control endpoint sets all this too")
  func control() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setDataFile(file, lastModified: "Mon, 24 Nov 2025 16:00:00 GMT")
      func post(_ name: String, _ body: String) async throws -> (Int?, String) {
        let answer = try await exchange(emulator.port, "POST", "/_control/\(name)", body: body)
        return (answer.status, answer.text)
      }
      #expect(try await post("faults", #"{"chance": 1, "status": 503}"#).0 == 200)
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 503)
      #expect(try await exchange(emulator.port, "GET", "/nothing").status == 503)
      _ = try await exchange(emulator.port, "DELETE", "/_control/faults")
      #expect(
        try await post("network", #"{"clockSkewMs": 1000, "streamLifetimeMs": 5000}"#).0 == 200)
      let answer = try await exchange(emulator.port, "GET", "/v3/s")
      #expect(answer.header("Last-Modified") == "Mon, 24 Nov 2025 16:00:01 GMT")
      let (stream, _) = try await openStream(emulator)
      await clock.untilSleeping()
      clock.advance(by: .seconds(5))
      _ = try await stream.readToEnd()
      #expect(
        try await post(
          "network", #"{"route": "config", "latencyMs": 100, "maximumLatencyMs": 100}"#
        ).0 == 200)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      await clock.untilSleeping()
      clock.advance(by: .milliseconds(100))
      #expect(try await wire.answer().status == 200)
      #expect(try await post("network", #"{"route": "config", "latencyMs": 0}"#).0 == 200)
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 200)
      for (name, body, error) in [
        (
          "network", "{}",
          "There is nothing to set: give latencyMs, streamLifetimeMs or clockSkewMs."
        ),
        (
          "network", #"{"latencyMs": 5, "maximumLatencyMs": 4}"#,
          "maximumLatencyMs must not be less than latencyMs."
        ),
        (
          "faults", #"{"chance": 1.5, "status": 503}"#,
          "chance must be from 0 to 1, and without times."
        ),
        (
          "faults", #"{"chance": 0.5, "times": 1, "status": 503}"#,
          "chance must be from 0 to 1, and without times."
        ),
        ("faults", #"{"status": 503}"#, "route is missing."),
      ] {
        let (status, text) = try await post(name, body)
        #expect(status == 400)
        #expect(try JSONValue(parsing: text) == ["error": .string(error)])
      }
    }
  }
}
