// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import Testing

private let file = #"{"flags":[]}"#

@Suite("Faults")
struct FaultTests {
  private func get(_ emulator: Emulator, _ headers: String...) async throws -> WireAnswer {
    try await exchange(emulator.port, "GET", "/v3/s", headers: headers)
  }

  private func getToEnd(_ emulator: Emulator) async throws -> String {
    try await exchangeToEnd(emulator.port, "GET", "/v3/s")
  }

  @Test("a status with its headers, for as many requests as told")
  func status() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(
        .status(503, headers: [HeaderField("Retry-After", "7")]), on: .dataFile, times: 2)
      emulator.addFault(.status(500), on: .dataFile)
      let first = try await get(emulator)
      #expect(first.status == 503)
      #expect(first.header("Retry-After") == "7")
      #expect(try await get(emulator).status == 503)
      #expect(try await exchange(emulator.port, "GET", "/nothing").status == 404)
      #expect(try await get(emulator).status == 500)
      #expect(try await get(emulator).status == 200)
    }
  }

  @Test("a fault without number lasts until it is cleared")
  func untilCleared() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.status(502), on: .dataFile, times: nil)
      for _ in 0..<5 { #expect(try await get(emulator).status == 502) }
      emulator.clearFaults(on: .tracking)
      #expect(try await get(emulator).status == 502)
      emulator.clearFaults(on: .dataFile)
      #expect(try await get(emulator).status == 200)
    }
  }

  @Test("a delayed answer comes when the time is over, and the connection lives on")
  func delay() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.delay(.seconds(5)), on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      await clock.untilSleeping()
      try await emulator.waitForHeldRequests(count: 1)
      clock.advance(by: .seconds(4))
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .seconds(1))
      #expect(try await wire.answer().text == file)
      try await emulator.waitForHeldRequests(count: 0)
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.answer().text == file)
    }
  }

  @Test("a client that leaves during a delay ends it")
  func delayLeft() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.addFault(.delay(.seconds(5)), on: .dataFile)
      var wire: Wire? = try await Wire.connect(emulator.port)
      try await wire?.write(requestBytes("GET", "/v3/s"))
      await clock.untilSleeping()
      wire = nil
      try await emulator.waitForHeldRequests(count: 0)
    }
  }

  @Test("a cut body ends early although its length was announced", arguments: [0, 1, 5, 11])
  func cut(count: Int) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.cut(afterBytes: count), on: .dataFile)
      let answer = try await getToEnd(emulator)
      #expect(answer.contains("Content-Length: 12\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n\(file.prefix(count))"))
    }
  }

  @Test("a large body is cut at the byte")
  func cutLarge() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(String(repeating: "x", count: 1_000_000))
      emulator.addFault(.cut(afterBytes: 654_321), on: .dataFile)
      let answer = try await getToEnd(emulator)
      #expect(answer.hasSuffix("\r\n\r\n" + String(repeating: "x", count: 654_321)))
      #expect(try await get(emulator).body.count == 1_000_000)
    }
  }

  @Test("no answer, until the client leaves")
  func neverAnswer() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.neverAnswer, on: .dataFile)
      var wire: Wire? = try await Wire.connect(emulator.port)
      try await wire?.write(requestBytes("GET", "/v3/s"))
      try await emulator.waitForRequests(count: 1)
      try await emulator.waitForHeldRequests(count: 1)
      wire = nil
      try await emulator.waitForHeldRequests(count: 0)
      #expect(emulator.requests().map(\.status) == [nil])
    }
  }

  @Test("no answer, until the emulator stops")
  func neverAnswerStopped() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.neverAnswer, on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      try await emulator.waitForHeldRequests(count: 1)
      emulator.stop()
      #expect(try await wire.readToEnd().isEmpty)
    }
  }

  @Test("the connection is closed before the body is read")
  func closeBeforeReading() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.closeBeforeReading, on: .tracking)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(
        "POST /visit/events?siteCode=s HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
      #expect(try await wire.readToEnd().isEmpty)
      let request = try #require(emulator.requests().first)
      #expect(!request.isComplete)
      #expect(request.isFaulted)
      #expect(
        try await exchange(emulator.port, "POST", "/visit/events?siteCode=s").status == 204)
    }
  }

  @Test("the connection is closed after the request was read")
  func closeAfterReading() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.closeAfterReading, on: .tracking)
      let answer = try await exchangeToEnd(
        emulator.port, "POST", "/visit/events?siteCode=s", body: "nonce=1")
      #expect(answer.isEmpty)
      #expect(emulator.requests().first?.isComplete == true)
      #expect(emulator.requests().first?.text == "nonce=1")
      #expect(emulator.acceptedEvents.isEmpty)
    }
  }

  @Test("more is announced than is sent")
  func tooLong() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.announcedLength(100), on: .dataFile)
      let answer = try await getToEnd(emulator)
      #expect(answer.contains("Content-Length: 100\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n\(file)"))
    }
  }

  @Test("less is announced than is sent")
  func tooShort() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.announcedLength(3), on: .dataFile)
      let answer = try await getToEnd(emulator)
      #expect(answer.contains("Content-Length: 3\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n\(file)"))
    }
  }

  @Test("another content type, another body, an HTML page")
  func contents() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file, lastModified: "d")
      emulator.addFault(.contentType("text/plain"), on: .dataFile)
      emulator.addFault(.body(Array("[]".utf8)), on: .dataFile)
      emulator.addFault(.html(), on: .dataFile)
      emulator.addFault(.html(status: 200), on: .dataFile)
      let type = try await get(emulator)
      #expect(type.header("Content-Type") == "text/plain")
      #expect(type.header("Last-Modified") == "d")
      #expect(type.text == file)
      let body = try await get(emulator)
      #expect(body.text == "[]")
      #expect(body.header("Content-Type") == "application/json")
      let page = try await get(emulator)
      #expect(page.status == 502)
      #expect(page.header("Content-Type") == "text/html")
      #expect(page.text.hasPrefix("<!DOCTYPE html>"))
      #expect(try await get(emulator).status == 200)
    }
  }

  @Test("a slow body comes a few bytes at a time, and the connection lives on")
  func drip() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.drip(bytes: 5, every: .milliseconds(10)), on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.read(through: "\r\n\r\n").contains("Content-Length: 12"))
      #expect(try await wire.read(5) == Array(file.utf8.prefix(5)))
      for piece in [5..<10, 10..<12] {
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(10))
        #expect(try await wire.read(piece.count) == Array(Array(file.utf8)[piece]))
      }
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.answer().text == file)
    }
  }

  @Test("raw bytes are written as they are, and then the connection is closed")
  func raw() async throws {
    try await withEmulator { emulator async throws in
      let text =
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n"
      emulator.addFault(.raw(text), on: .dataFile)
      #expect(try await getToEnd(emulator) == text)
    }
  }

  @Test("raw bytes may be more than the socket takes at once")
  func rawLarge() async throws {
    try await withEmulator { emulator async throws in
      let text = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 8 << 20) + "\r\n\r\n"
      emulator.addFault(.raw(text), on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      try await emulator.waitForRequests(count: 1)
      let bytes = try await wire.readToEnd()
      #expect(bytes.count == text.utf8.count)
      #expect(bytes.elementsEqual(text.utf8))
    }
  }

  @Test("raw bytes may be slow")
  func rawDrip() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      let drip = Fault.Drip(bytes: 4, interval: .seconds(1))
      emulator.addFault(Fault(.raw(Array("HTTP/1.1".utf8), drip: drip)), on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.read(4) == Array("HTTP".utf8))
      await clock.untilSleeping()
      clock.advance(by: .seconds(1))
      #expect(try await wire.readToEnd() == Array("/1.1".utf8))
    }
  }

  @Test("the connection is closed after a complete answer, without announcement")
  func closeAfterAnswer() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.closeAfterAnswer, on: .dataFile)
      let answer = try await getToEnd(emulator)
      #expect(answer.hasSuffix("\r\n\r\n\(file)"))
      #expect(!answer.contains("Connection: close"))
    }
  }

  @Test("several changes in one fault")
  func combined() async throws {
    try await withEmulator { emulator async throws in
      var changes = Fault.Changes()
      changes.status = 429
      changes.headers = [HeaderField("Retry-After", "Mon, 24 Nov 2025 16:00:00 GMT")]
      changes.body = Array("slow down".utf8)
      changes.contentType = "text/plain"
      changes.cutAfter = 4
      emulator.addFault(Fault(.answer(changes), delay: .milliseconds(1)), on: .tracking)
      let answer = try await exchangeToEnd(
        emulator.port, "POST", "/visit/events?siteCode=s")
      #expect(answer.hasPrefix("HTTP/1.1 429 "))
      #expect(answer.contains("Retry-After: Mon, 24 Nov 2025 16:00:00 GMT\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nslow"))
    }
  }

  @Test("a stream can be refused, cut and slow too")
  func streams() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.status(500), on: .stream)
      emulator.addFault(.cut(afterBytes: 10), on: .stream)
      let refused = try await exchange(emulator.port, "GET", "/sse?siteCode=s")
      #expect(refused.status == 500)
      #expect(emulator.openStreams == 0)
      let (wire, _) = try await openStream(emulator)
      emulator.pushStreamBytes(Array("0123456789abcdef".utf8))
      let text = String(decoding: try await wire.readToEnd(), as: UTF8.self)
      #expect(text.contains("0123456789"))
      #expect(!text.contains("a\r\n0\r\n"))
      try await emulator.waitForOpenStreams(count: 0)
    }
  }

  @Test("connections are refused before anything is read")
  func refuseConnections() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.refuseConnections(times: 2)
      for _ in 0..<2 {
        let wire = try await Wire.connect(emulator.port)
        #expect(try await wire.readToEnd().isEmpty)
      }
      #expect(try await get(emulator).status == 200)
      emulator.refuseConnections(times: nil)
      #expect(try await Wire.connect(emulator.port).readToEnd().isEmpty)
      emulator.refuseConnections(times: 0)
      #expect(try await get(emulator).status == 200)
      #expect(emulator.requests().count == 2)
    }
  }
}
