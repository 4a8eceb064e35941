// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworking
import AnoleTesting
import Testing
import kameleoonClient

@Suite("The scripted transport")
struct ScriptedTransportTests {
  private func request(_ path: String) -> HTTPRequest {
    HTTPRequest(url: "https://example.com\(path)")
  }

  @Test("answers come in order, each to the first request that fits its place")
  func order() async throws {
    let transport = ScriptedTransport()
    transport.enqueue(.status(201), for: "/a")
    transport.enqueue(.json("[]", headers: ["ETag": "x"]))
    transport.enqueue(.failure(HTTPError(code: .timedOut, message: "late")), for: "/a")
    let second = try await transport.send(request("/b"))
    #expect(second.status == 200 && second.body == Array("[]".utf8))
    #expect(second.headers["content-type"] == "application/json" && second.headers["etag"] == "x")
    #expect(try await transport.send(request("/a")).status == 201)
    await #expect(throws: HTTPError(code: .timedOut, message: "late")) {
      try await transport.send(request("/a?b"))
    }
    await #expect(
      throws: HTTPError(
        code: .other, message: "the script has no answer for GET https://example.com/a")
    ) {
      try await transport.send(request("/a?secret"))
    }
    #expect(transport.requests.map(\.url).map { $0.suffix(2) } == ["/b", "/a", "?b", "et"])
    #expect(transport.requests(to: "/a").count == 3)
  }

  @Test("standing answers serve what is not queued, the newest first")
  func standing() async throws {
    let transport = ScriptedTransport()
    transport.always { _ in .status(404) }
    transport.always(for: "/a") { .status($0.method == .get ? 200 : 204) }
    transport.enqueue(.status(500), for: "/a")
    #expect(try await transport.send(request("/a")).status == 500)
    #expect(try await transport.send(request("/a")).status == 200)
    #expect(try await transport.send(request("/b")).status == 404)
  }

  @Test("a request that hangs ends by cancellation")
  func hanging() async {
    let transport = ScriptedTransport(.hanging)
    let request = request("/a")
    let task = Task { try await transport.send(request) }
    await transport.untilRequests(1)
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("waiting for requests counts those of the place, and ends with the task")
  func waiting() async throws {
    let transport = ScriptedTransport()
    transport.always { _ in .status(200) }
    async let waiting: Void = transport.untilRequests(2, to: "/a")
    for path in ["/a", "/b", "/a"] { _ = try await transport.send(request(path)) }
    await waiting
    let task = Task { await transport.untilRequests(9) }
    task.cancel()
    await task.value
    #expect(transport.requests.count == 3)
  }

  @Test("a stream hands out what the test sends, and knows when it is closed")
  func streams() async throws {
    let stream = ScriptedStream()
    let transport = ScriptedTransport(.stream(stream), .json("{}"), .status(204))
    stream.send("data: 1\n\n")
    let answer = try await transport.open(request("/sse"))
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/event-stream")
    var iterator = answer.body.makeAsyncIterator()
    #expect(try await iterator.next() == Array("data: 1\n\n".utf8))
    #expect(!stream.isClosed)
    stream.end()
    #expect(try await iterator.next() == nil)
    #expect(stream.isClosed)
    var pieces: [[UInt8]] = []
    for try await piece in try await transport.open(request("/b")).body { pieces.append(piece) }
    #expect(pieces == [Array("{}".utf8)])
    for try await _ in try await transport.open(request("/c")).body {
      Issue.record("an answer without body has no piece")
    }
  }

  @Test("a stream may fail; asked for as a whole answer it is an error of the script")
  func streamFailures() async throws {
    let stream = ScriptedStream()
    let transport = ScriptedTransport(.stream(stream), .stream(ScriptedStream()))
    let body = try await transport.open(request("/sse")).body
    stream.fail(HTTPError(code: .connectionLost, message: "gone"))
    await #expect(throws: HTTPError(code: .connectionLost, message: "gone")) {
      for try await _ in body {}
    }
    await #expect(throws: HTTPError.self) { try await transport.send(request("/a")) }
  }
}

@Suite("The life that a test leads")
struct ManualLifecycleTests {
  @Test("changes are reported in order, repetitions are not, and not after the observation")
  func changes() {
    let lifecycle = ManualLifecycle()
    final class Box: Sendable {
      let events = Lock<[AppLifecycleEvent]>([])
    }
    let box = Box()
    do {
      let observation = lifecycle.observe { event in box.events.withLock { $0.append(event) } }
      lifecycle.becomeActive()
      lifecycle.enterBackground()
      lifecycle.enterBackground()
      lifecycle.becomeActive()
      withExtendedLifetime(observation) { #expect(lifecycle.observerCount == 1) }
    }
    #expect(lifecycle.observerCount == 0)
    lifecycle.enterBackground()
    #expect(!lifecycle.isActive)
    #expect(box.events.withLock { $0 } == [.didEnterBackground, .didBecomeActive])
  }
}
