// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import AnoleNetworkingTesting
import Foundation
import Testing

@Suite("Functions that answer", .timeLimit(.minutes(1)))
struct ForwardingTests {
  @Test("a function answers for its route, another for all others, the platform for none")
  func routes() async throws {
    try await withEmulator { emulator async throws in
      emulator.setResponder(on: .tracking) { request in
        ForwardedAnswer(
          status: 202, fields: [HeaderField("X-Seen", "\(request.method) \(request.target)")],
          body: .bytes(request.body + Array("!".utf8)))
      }
      emulator.setResponder { _ in
        ForwardedAnswer(status: 418, body: .bytes(Array("teapot".utf8)))
      }
      let path = "/visit/events?siteCode=s"
      let answer = try await exchange(emulator.port, "POST", path, body: "abc")
      #expect(answer.status == 202)
      #expect(answer.header("X-Seen") == "POST \(path)")
      #expect(answer.text == "abc!")
      let other = try await exchange(emulator.port, "PATCH", "/any/thing?x=1")
      #expect(other.status == 418)
      #expect(other.text == "teapot")
      #expect(emulator.requests().map(\.status) == [202, 418])
      #expect(emulator.requests().map(\.route) == [.tracking, .unknown])
      #expect(try await exchange(emulator.port, "GET", "/_control/state").status == 200)
      emulator.setResponder(nil)
      emulator.setResponder(on: .tracking, nil)
      #expect(try await exchange(emulator.port, "GET", "/any/thing").status == 404)
    }
  }

  @Test("what concerns the other connection stays there; no status of a server is 502")
  func fields() async throws {
    try await withEmulator { emulator async throws in
      emulator.setResponder(on: .dataFile) { _ in
        ForwardedAnswer(
          status: 200,
          fields: [
            HeaderField("Content-Length", "99"), HeaderField("Transfer-Encoding", "chunked"),
            HeaderField("Connection", "close"), HeaderField("ETag", "\"1\""),
          ], body: .bytes(Array("{}".utf8)))
      }
      let wire = try await Wire.connect(emulator.port)
      for _ in 0..<2 {
        try await wire.write(requestBytes("GET", "/v3/s"))
        let answer = try await wire.answer()
        #expect(answer.text == "{}")
        #expect(answer.header("ETag") == "\"1\"")
        #expect(answer.header("Transfer-Encoding") == nil)
      }
      emulator.setResponder(on: .dataFile) { _ in ForwardedAnswer(status: 7) }
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 502)
      emulator.setResponder(on: .dataFile) { _ in
        ForwardedAnswer(status: 304, body: .bytes(Array("none".utf8)))
      }
      let text = try await exchangeToEnd(
        emulator.port, "GET", "/v3/s", headers: ["Connection: close"])
      #expect(text.hasPrefix("HTTP/1.1 304 "))
      #expect(text.hasSuffix("\r\n\r\n"))
    }
  }

  @Test("a request waits for its function, and counts as kept waiting")
  func waiting() async throws {
    let (answers, give) = AsyncStream<Int>.makeStream()
    try await withEmulator { emulator async throws in
      emulator.setResponder(on: .dataFile) { _ in
        for await status in answers { return ForwardedAnswer(status: status) }
        return ForwardedAnswer(status: 500)
      }
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      try await emulator.waitForHeldRequests(count: 1)
      #expect(emulator.requests().isEmpty)
      #expect(try await exchange(emulator.port, "GET", "/nothing").status == 404)
      give.yield(201)
      #expect(try await wire.answer().status == 201)
      try await emulator.waitForHeldRequests(count: 0)
      #expect(emulator.requests(.dataFile).map(\.status) == [201])
    }
  }

  @Test("a client that leaves, and the emulator that stops, cancel the function")
  func cancellation() async throws {
    let cancelled = Lock(0)
    let (ends, end) = AsyncStream<Void>.makeStream()
    let emulator = Emulator()
    emulator.setResponder(on: .dataFile) { _ in
      await withTaskCancellationHandler {
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
      } onCancel: {
        cancelled.withLock { $0 += 1 }
        end.yield()
      }
      return ForwardedAnswer(status: 200)
    }
    var next = ends.makeAsyncIterator()
    try emulator.start()
    var wire: Wire? = try await Wire.connect(emulator.port)
    try await wire?.write(requestBytes("GET", "/v3/s"))
    try await emulator.waitForHeldRequests(count: 1)
    wire = nil
    await next.next()
    try await emulator.waitForHeldRequests(count: 0)
    let other = try await Wire.connect(emulator.port)
    try await other.write(requestBytes("GET", "/v3/s"))
    try await emulator.waitForHeldRequests(count: 1)
    emulator.stop()
    await next.next()
    #expect(try await other.readToEnd().isEmpty)
    #expect(cancelled.withLock { $0 } == 2)
    #expect(emulator.requests().map(\.status) == [nil, nil])
  }

  @Test("faults and latencies are applied to what a function says; some leave it unasked")
  func faults() async throws {
    let asked = Lock(0)
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setResponder(on: .dataFile) { _ in
        asked.withLock { $0 += 1 }
        return ForwardedAnswer(status: 200, body: .bytes(Array("0123456789".utf8)))
      }
      emulator.addFault(.status(503), on: .dataFile)
      #expect(try await exchange(emulator.port, "GET", "/v3/s").status == 503)
      #expect(asked.withLock { $0 } == 0)
      emulator.addFault(.cut(afterBytes: 4), on: .dataFile)
      #expect(try await exchangeToEnd(emulator.port, "GET", "/v3/s").hasSuffix("\r\n\r\n0123"))
      emulator.setLatency(.seconds(1) ... .seconds(1))
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      await clock.untilSleeping()
      #expect(asked.withLock { $0 } == 2)
      clock.advance(by: .seconds(1))
      #expect(try await wire.answer().text == "0123456789")
      #expect(emulator.requests().map(\.isFaulted) == [true, true, false])
    }
  }

  @Test("a body in pieces arrives piece by piece, and ends with them")
  func pieces() async throws {
    let (pieces, give) = AsyncStream<[UInt8]>.makeStream()
    try await withEmulator { emulator async throws in
      emulator.setResponder(on: .stream) { _ in
        ForwardedAnswer(
          status: 200, fields: [HeaderField("Content-Type", "text/event-stream")],
          body: .pieces(pieces))
      }
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/sse?siteCode=s"))
      #expect(try await wire.read(through: "\r\n\r\n").contains("text/event-stream"))
      try await emulator.waitForOpenStreams(count: 1)
      give.yield(Array(": one\n\n".utf8))
      #expect(try await wire.read(through: ": one\n\n\r\n").hasPrefix("7\r\n"))
      give.yield(Array(": two\n\n".utf8))
      #expect(try await wire.read(through: ": two\n\n\r\n").hasPrefix("7\r\n"))
      give.finish()
      #expect(try await wire.read(through: "0\r\n\r\n") == "0\r\n\r\n")
      try await emulator.waitForOpenStreams(count: 0)
    }
  }

  @Test("a client that leaves a body in pieces ends its sequence")
  func piecesLeft() async throws {
    let (pieces, give) = AsyncStream<[UInt8]>.makeStream()
    let (ends, end) = AsyncStream<Void>.makeStream()
    give.onTermination = { _ in end.finish() }
    try await withEmulator { emulator async throws in
      emulator.setResponder(on: .stream) { _ in
        ForwardedAnswer(status: 200, body: .pieces(pieces))
      }
      var wire: Wire? = try await Wire.connect(emulator.port)
      try await wire?.write(requestBytes("GET", "/sse?siteCode=s"))
      _ = try await wire?.read(through: "\r\n\r\n")
      try await emulator.waitForOpenStreams(count: 1)
      wire = nil
      for await _ in ends {}
      try await emulator.waitForOpenStreams(count: 0)
    }
  }

  @Test("a recording proxy over an HTTP client")
  func proxy() async throws {
    let platform = Emulator()
    platform.setDataFile(#"{"featureFlags": []}"#, lastModified: "d")
    try platform.start()
    defer { platform.stop() }
    let upstream = try #require(platform.baseURL)
    let transport = CurlTransport()
    let recorded = Lock<[(String, Int)]>([])
    try await withEmulator { proxy async throws in
      proxy.setResponder { request in
        do {
          let response = try await transport.send(
            HTTPRequest(method: .get, url: upstream + request.target))
          recorded.withLock { $0.append((request.target, response.status)) }
          return ForwardedAnswer(
            status: response.status,
            fields: response.headers.fields.map { HeaderField($0.name, $0.value) },
            body: .bytes(response.body))
        } catch {
          return ForwardedAnswer(status: 502)
        }
      }
      let answer = try await exchange(proxy.port, "GET", "/v3/s?ts=1")
      #expect(answer.status == 200)
      #expect(answer.text == #"{"featureFlags": []}"#)
      #expect(answer.header("Last-Modified") == "d")
      #expect(try await exchange(proxy.port, "GET", "/nothing").status == 404)
    }
    #expect(recorded.withLock { $0.map(\.0) } == ["/v3/s?ts=1", "/nothing"])
    #expect(recorded.withLock { $0.map(\.1) } == [200, 404])
    #expect(platform.requests().count == 2)
  }
}
