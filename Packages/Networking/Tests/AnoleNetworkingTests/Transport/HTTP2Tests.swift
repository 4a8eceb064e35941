// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

/// Opens a gate when a number of threads have arrived, and lets each of them through then.
private final class Barrier: Sendable {
  private let left: Lock<Int>
  private let gate = Gate()

  init(_ count: Int) { left = Lock(count) }

  func arrive() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { gate.open() }
    gate.blockUntilOpen()
  }
}

extension LoopbackConnection {
  /// Answers with the protocol and the number of the connection on which the request came.
  fileprivate func answerWithPlace(of request: LoopbackRequest) {
    answer(text: Place(request).text)
  }
}

/// By which protocol and on which connection a request came.
private struct Place: Hashable {
  let version: String
  let connection: String

  init(_ request: LoopbackRequest) {
    version = request.values(of: "X-Protocol").first ?? ""
    connection = request.values(of: "X-Connection").first ?? ""
  }

  var text: String { "\(version) \(connection)" }
}

@Suite(
  "Transport: HTTP/2", .timeLimit(.minutes(2)),
  .enabled(if: HTTP2Server.isAvailable, "nginx is the server, openssl makes the certificate"))
struct HTTP2Tests {
  @Test("HTTP/2 is used over TLS where the server offers it", arguments: [true, false])
  func negotiated(_ offersHTTP2: Bool) async throws {
    try await withHTTP2Server(offersHTTP2: offersHTTP2) { connection in
      connection.serve { connection.answerWithPlace(of: $0) }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.origin + "/a?b=c"))
      #expect(response.status == 200)
      #expect(response.text.hasPrefix(offersHTTP2 ? "HTTP/2.0 " : "HTTP/1.1 "))
      #expect(response.headers["Content-Length"] == "\(response.body.count)")
      #expect(server.upstream.requests.map(\.line) == ["GET /a?b=c HTTP/1.1"])
    }
  }

  @Test("requests at once share one connection, from the first one on")
  func multiplexed() async throws {
    let count = CurlTransport.Configuration.defaultConnectionsPerHost
    let barrier = Barrier(count)
    try await withHTTP2Server { connection in
      connection.serve { request in
        // None is answered before all are under way.
        barrier.arrive()
        connection.answerWithPlace(of: request)
      }
    } _: { server, transport in
      let texts = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<count {
          group.addTask { try await transport.send(HTTPRequest(url: server.origin)).text }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(texts.count == count)
      #expect(Set(texts).count == 1)
      #expect(texts.first?.hasPrefix("HTTP/2.0 ") == true)
    }
  }

  @Test("requests at once over HTTP/1.1 have a connection each")
  func notMultiplexed() async throws {
    let count = CurlTransport.Configuration.defaultConnectionsPerHost
    let barrier = Barrier(count)
    try await withHTTP2Server(offersHTTP2: false) { connection in
      connection.serve { request in
        barrier.arrive()
        connection.answerWithPlace(of: request)
      }
    } _: { server, transport in
      let texts = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<count {
          group.addTask { try await transport.send(HTTPRequest(url: server.origin)).text }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(texts).count == count)
    }
  }

  @Test("many requests, in a row and at once, stay on one connection and none is forgotten")
  func many() async throws {
    try await withHTTP2Server { connection in
      connection.serve { connection.answerWithPlace(of: $0) }
    } _: { server, transport in
      var places: Set<String> = []
      for _ in 0..<100 {
        places.insert(try await transport.send(HTTPRequest(url: server.origin)).text)
      }
      places.formUnion(
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 0..<400 {
            group.addTask {
              try await transport.send(HTTPRequest(url: server.origin, timeout: nil)).text
            }
          }
          return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        })
      #expect(places.count == 1)
      #expect(server.upstream.requests.count == 500)
    }
  }

  /// libcurl 7.88 forgets now and then to hand on what one transfer has read for another: of bursts like
  /// these one in some thousand stood still until the time limit.
  @Test("answers that arrive together all arrive, burst after burst", arguments: [false, true])
  func bursts(_ cancelsSome: Bool) async throws {
    try await withHTTP2Server(requestsPerConnection: 997) { _ in
    } _: { server, transport in
      for round in 0..<LoadTests.count / 5 {
        let codes = await withTaskGroup(of: HTTPError.Code?.self) { group in
          for index in 0..<10 {
            group.addTask {
              let task = Task {
                await transport.failure(
                  of: HTTPRequest(url: server.origin + "/empty", timeout: .seconds(60)))?.code
              }
              if cancelsSome, (index + round).isMultiple(of: 7) { task.cancel() }
              return await task.value
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == nil || $0 == .cancelled })
      }
    }
  }

  @Test("cancelling a request resets its stream and no other")
  func cancelled() async throws {
    let (keptIsHeld, otherIsHeld, reset, answer) = (Gate(), Gate(), Gate(), Gate())
    try await withHTTP2Server { connection in
      connection.serve { request in
        switch request.line {
        case let line where line.contains("/kept"):
          keptIsHeld.open()
          answer.blockUntilOpen()
          connection.answerWithPlace(of: request)
        case let line where line.contains("/cancelled"):
          otherIsHeld.open()
          connection.waitForClose()
          reset.open()
        default: connection.answerWithPlace(of: request)
        }
      }
    } _: { server, transport in
      let before = try await transport.send(HTTPRequest(url: server.origin)).text
      async let kept = transport.send(HTTPRequest(url: server.origin + "/kept", timeout: nil))
      let task = Task {
        await transport.failure(of: HTTPRequest(url: server.origin + "/cancelled", timeout: nil))
      }
      await keptIsHeld.waitUntilOpen()
      await otherIsHeld.waitUntilOpen()
      task.cancel()
      let error = await task.value
      await reset.waitUntilOpen()
      answer.open()
      let other = try await kept.text
      let after = try await transport.send(HTTPRequest(url: server.origin)).text
      #expect(error?.code == .cancelled)
      #expect(other == before)
      #expect(after == before)
    }
  }

  @Test("breaking off the only request of a connection tells the server at once")
  func cancelledAlone() async throws {
    let (held, reset) = (Gate(), Gate())
    try await withHTTP2Server { connection in
      connection.serve { request in
        guard request.line.contains("/cancelled") else {
          return connection.answerWithPlace(of: request)
        }
        held.open()
        connection.waitForClose()
        reset.open()
      }
    } _: { server, transport in
      let task = Task {
        await transport.failure(of: HTTPRequest(url: server.origin + "/cancelled", timeout: nil))
      }
      await held.waitUntilOpen()
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      await reset.waitUntilOpen()
      let after = try await transport.send(HTTPRequest(url: server.origin)).text
      #expect(after.hasPrefix("HTTP/2.0 "))
    }
  }

  @Test(
    "an answer that is given up ends its stream at once, alone or beside others",
    arguments: [true, false])
  func givenUp(_ isAlone: Bool) async throws {
    let (held, answer, reset) = (Gate(), Gate(), Gate())
    try await withHTTP2Server { connection in
      connection.serve { request in
        guard request.line.contains("/endless") else {
          held.open()
          answer.blockUntilOpen()
          return connection.answerWithPlace(of: request)
        }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n0123456789")
        connection.waitForClose()
        reset.open()
      }
    } _: { server, transport in
      let other = Task {
        try await transport.send(HTTPRequest(url: server.origin, timeout: nil)).text
      }
      await held.waitUntilOpen()
      if isAlone {
        answer.open()
        _ = try await other.value
      }
      let error = await transport.failure(
        of: HTTPRequest(url: server.origin + "/endless", timeout: nil, maximumBodySize: 5))
      #expect(error?.code == .bodyTooLarge)
      await reset.waitUntilOpen()
      answer.open()
      let text = try await other.value
      #expect(text.hasPrefix("HTTP/2.0 "))
    }
  }

  @Test("a stream hands out what has arrived, and leaving it resets its stream alone")
  func stream() async throws {
    let (next, left, held, answer) = (Gate(), Gate(), Gate(), Gate())
    try await withHTTP2Server { connection in
      connection.serve { request in
        guard request.line.contains("/stream") else {
          if request.line.contains("/held") {
            held.open()
            answer.blockUntilOpen()
          }
          return connection.answerWithPlace(of: request)
        }
        connection.write(
          "HTTP/1.1 200 OK\r\nX-Place: \(Place(request).text)\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3\r\none\r\n")
        next.blockUntilOpen()
        connection.write("3\r\ntwo\r\n")
        connection.waitForClose()
        left.open()
      }
    } _: { server, transport in
      async let other = transport.send(HTTPRequest(url: server.origin + "/held", timeout: nil))
      await held.waitUntilOpen()
      let request = HTTPRequest(url: server.origin + "/stream", timeout: nil)
      let place = try await Self.readTwo(request, transport) {
        let during = try await transport.send(HTTPRequest(url: server.origin)).text
        next.open()
        return during
      }
      await left.waitUntilOpen()
      answer.open()
      let after = try await other.text
      #expect(after == place)
    }
  }

  /// Reads two pieces of a stream, then leaves it; returns where it was.
  private static func readTwo(
    _ request: HTTPRequest, _ transport: CurlTransport, between: () async throws -> String
  ) async throws -> String {
    let stream = try await transport.open(request)
    let place = try #require(stream.headers["X-Place"])
    #expect(place.hasPrefix("HTTP/2.0 "))
    var pieces: [String] = []
    for try await piece in stream.body {
      pieces.append(String(decoding: piece, as: UTF8.self))
      if pieces.count == 2 { break }
      #expect(try await between() == place)
    }
    #expect(pieces == ["one", "two"])
    return place
  }

  @Test("a large body goes both ways, and a slow reader slows the server down")
  func large() async throws {
    let size = 8 << 20
    try await withHTTP2Server { connection in
      connection.serve { request in connection.answer(body: request.body) }
    } _: { server, transport in
      var generator = SplitMix64(seed: 3)
      let body = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let request = HTTPRequest(method: .post, url: server.origin, body: body, timeout: nil)
      let isEqual = try await transport.send(request).body == body
      #expect(isEqual)
      var received: [UInt8] = []
      for try await piece in try await transport.open(request).body {
        #expect(piece.count <= BodyPipe.capacity + (64 << 10))
        received += piece
      }
      let isEqualStream = received == body
      #expect(isEqualStream)
    }
  }

  @Test("a connection that the server closes in order is replaced")
  func replaced() async throws {
    try await withHTTP2Server(requestsPerConnection: 3) { connection in
      connection.serve { connection.answerWithPlace(of: $0) }
    } _: { server, transport in
      var places: Set<String> = []
      for _ in 0..<9 {
        places.insert(
          try await transport.send(
            HTTPRequest(method: .post, url: server.origin, body: [1], timeout: nil)
          ).text)
      }
      #expect(places.count == 3)
      #expect(server.upstream.requests.count == 9)
    }
  }

  @Test("a server that dies loses all its streams")
  func killed() async throws {
    let count = CurlTransport.Configuration.defaultConnectionsPerHost
    let held = Barrier(count + 1)
    let script: LoopbackServer.Script = { connection in
      guard connection.readRequest() != nil else { return }
      held.arrive()
      connection.waitForClose()
    }
    let server = try HTTP2Server(script)
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = server.authority
    let transport = CurlTransport(configuration)
    let codes = await withTaskGroup(of: HTTPError.Code?.self) { group in
      for _ in 0..<count {
        group.addTask {
          await transport.failure(of: HTTPRequest(url: server.origin, timeout: nil))?.code
        }
      }
      await withCheckedContinuation { continuation in
        BlockingThread.start {
          held.arrive()
          server.kill()
          continuation.resume()
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: .connectionLost, count: count))
    transport.shutdown()
    server.removeFiles()
  }
}
