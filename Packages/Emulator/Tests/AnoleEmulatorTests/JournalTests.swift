// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import Testing

@Suite("Journal")
struct JournalTests {
  @Test("a request is recorded as it came")
  func exact() async throws {
    try await withEmulator { emulator async throws in
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(
        "POST /visit/events?siteCode=s&a=%2F%2f+%C3%A9&&b HTTP/1.1\r\nHost: h\r\nx-a: 1\r\n"
          + "X-A:  two words\r\naccept: */*\r\nContent-Length: 3\r\n\r\n\u{0}\r\n")
      _ = try await wire.answer()
      let request = try #require(try await emulator.waitForRequests(count: 1).first)
      #expect(request.sequence == 1)
      #expect(request.route == .tracking)
      #expect(request.method == "POST")
      #expect(request.version == "HTTP/1.1")
      #expect(request.target == "/visit/events?siteCode=s&a=%2F%2f+%C3%A9&&b")
      #expect(request.path == "/visit/events")
      #expect(request.query == "siteCode=s&a=%2F%2f+%C3%A9&&b")
      #expect(
        request.parameters == [
          Parameter(name: "siteCode", value: "s"), Parameter(name: "a", value: "//+é"),
          Parameter(name: "b", value: ""),
        ])
      #expect(
        request.fields.map(\.description) == [
          "Host: h", "x-a: 1", "X-A: two words", "accept: */*", "Content-Length: 3",
        ])
      #expect(request.header("ACCEPT") == "*/*")
      #expect(request.body == [0, 13, 10])
      #expect(request.status == 204)
    }
  }

  @Test("waiting ends when the requests are there, per route")
  func waiting() async throws {
    try await withEmulator { emulator async throws in
      async let events = emulator.waitForRequests(count: 2, route: .tracking)
      async let all = emulator.waitForRequests(count: 3)
      for target in ["/v3/s", "/visit/events?siteCode=s", "/visit/events?siteCode=s"] {
        let method = target.hasPrefix("/v3") ? "GET" : "POST"
        _ = try await exchange(emulator.port, method, target)
      }
      #expect(try await events.count == 2)
      #expect(try await all.count == 3)
      #expect(try await emulator.waitForRequests(count: 1, route: .dataFile).count == 1)
      #expect(emulator.requests(after: 2).map(\.sequence) == [3])
      emulator.clearJournal()
      #expect(emulator.requests().isEmpty)
      _ = try await exchange(emulator.port, "GET", "/v3/s")
      #expect(try await emulator.waitForRequests(count: 1).map(\.sequence) == [4])
    }
  }

  @Test("waiting ends with an error when it is cancelled or nothing runs")
  func waitingEnds() async throws {
    let emulator = Emulator()
    let error = await #expect(throws: EmulatorError.self) {
      try await emulator.waitForRequests(count: 1)
    }
    #expect(error?.code == .notRunning)
    try await withEmulator(emulator) { emulator async throws in
      let task = Task { try await emulator.waitForRequests(count: 1) }
      task.cancel()
      let error = await #expect(throws: EmulatorError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }
  }

  @Test("a request that the client breaks off is recorded as incomplete", arguments: 1...20)
  func brokenOff(_ attempt: Int) async throws {
    try await withEmulator { emulator async throws in
      var wire: Wire? = try await Wire.connect(emulator.port)
      // The end of input may come alone or together with the last bytes.
      try await wire?.write(
        "POST /visit/events?siteCode=s HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc")
      wire = nil
      let request = try #require(try await emulator.waitForRequests(count: 1).first)
      #expect(!request.isComplete)
      #expect(request.status == nil)
      #expect(request.body == Array("abc".utf8))
      #expect(request.tracking == nil)
    }
  }

  @Test("resetting forgets everything and ends the streams")
  func reset() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile("{}")
      emulator.addFault(.status(500), on: .dataFile, times: nil)
      let (wire, _) = try await openStream(emulator)
      emulator.reset()
      #expect(try await wire.read(through: "\r\n\r\n") == "0\r\n\r\n")
      #expect(emulator.requests().isEmpty)
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 404)
    }
  }

  @Test("a wait for what comes after a number ends with it, also when the journal was cleared")
  func waitingAfter() async throws {
    try await withEmulator { emulator async throws in
      for _ in 1...2 { _ = try await exchange(emulator.port, "GET", "/a") }
      #expect(try await emulator.waitForRequests(after: 0).map(\.sequence) == [1, 2])
      #expect(try await emulator.waitForRequests(after: 1).map(\.sequence) == [2])
      emulator.clearJournal()
      let waiting = Task { try await emulator.waitForRequests(after: 2).map(\.target) }
      _ = try await exchange(emulator.port, "GET", "/b")
      #expect(try await waiting.value == ["/b"])
    }
  }
}
