// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

@Suite("Transport: streams", .timeLimit(.minutes(2)))
struct StreamTests {
  @Test("a stream hands out each piece when it has arrived")
  func pieces() async throws {
    let gates = (0..<3).map { _ in Gate() }
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\n\r\n")
      for (index, gate) in gates.enumerated() {
        gate.blockUntilOpen()
        connection.write("2\r\na\(index)\r\n")
      }
      connection.write("0\r\n\r\n")
    } _: { server, transport in
      let stream = try await transport.open(HTTPRequest(url: server.url(), timeout: nil))
      #expect(stream.status == 200)
      #expect(stream.headers["X"] == "y")
      var pieces: [String] = []
      gates[0].open()
      for try await piece in stream.body {
        pieces.append(String(decoding: piece, as: UTF8.self))
        if pieces.count < gates.count { gates[pieces.count].open() }
      }
      #expect(pieces == ["a0", "a1", "a2"])
    }
  }

  @Test("cancelling the task that reads ends the connection")
  func cancelled() async throws {
    let closed = Gate()
    let first = Gate()
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
      connection.waitForClose()
      closed.open()
    } _: { server, transport in
      let url = server.url()
      let task = Task { () -> HTTPError.Code? in
        do {
          let stream = try await transport.open(HTTPRequest(url: url, timeout: nil))
          for try await _ in stream.body { first.open() }
          return nil
        } catch {
          return (error as? HTTPError)?.code
        }
      }
      await first.waitUntilOpen()
      task.cancel()
      let code = await task.value
      // The standard library's stream may end instead of failing when its task is cancelled.
      #expect(code == nil || code == .cancelled)
      await closed.waitUntilOpen()
    }
  }

  @Test("leaving the loop and the stream ends the connection")
  func dropped() async throws {
    let closed = Gate()
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n\r\nabc")
      connection.waitForClose()
      closed.open()
    } _: { server, transport in
      try await Self.readOnePiece(transport, server.url())
      await closed.waitUntilOpen()
    }
  }

  private static func readOnePiece(_ transport: CurlTransport, _ url: String) async throws {
    let stream = try await transport.open(HTTPRequest(url: url, timeout: nil))
    for try await piece in stream.body {
      #expect(piece == Array("abc".utf8))
      break
    }
  }

  @Test("a stream keeps its transport alive")
  func keepsTransport() async throws {
    let released = Gate()
    let server = try #require(
      LoopbackServer { connection in
        connection.readRequest()
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        released.blockUntilOpen()
        connection.write("cd")
      })
    defer { server.stop() }
    let stream = try await CurlTransport(.direct).open(
      HTTPRequest(url: server.url(), timeout: nil))
    released.open()
    var text = ""
    for try await piece in stream.body { text += String(decoding: piece, as: UTF8.self) }
    #expect(text == "abcd")
  }

  @Test("a slow consumer slows the server down, and loses nothing")
  func backPressure() async throws {
    let pattern = (0..<(1 << 16)).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let total = 384 * pattern.count
    let progress = Progress()
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      for count in 1...(total / pattern.count) {
        guard connection.write(pattern) else { return }
        progress.record(count * pattern.count)
      }
    } _: { server, transport in
      let stream = try await transport.open(HTTPRequest(url: server.url(), timeout: nil))
      var received = 0
      var isRight = true
      var pieceSize = 0
      for try await piece in stream.body {
        for index in stride(from: 0, to: piece.count, by: 1021) {
          isRight = isRight && piece[index] == pattern[(received + index) % pattern.count]
        }
        received += piece.count
        pieceSize = max(pieceSize, piece.count)
      }
      #expect(received == total)
      #expect(isRight)
      #expect(progress.sent == total)
      #expect(pieceSize <= BodyPipe.capacity + (64 << 10))
    }
  }

  @Test("an encoded stream is decoded while it comes, also when it has to wait")
  func encoded() async throws {
    // More than the pipe holds, of what does not become smaller, and then of what does.
    var generator = SplitMix64(seed: 7)
    let noise = (0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let content = noise + [UInt8](repeating: 0, count: 10_000_000)
    let large = try Gzip.compress(content, level: .fastest, format: .zlib)
    try await withServer { connection in
      connection.serve { request in
        let body = request.line.contains("large") ? large : EncodedBodies.deflate
        connection.answer(headers: ["Content-Encoding: deflate"], body: body)
      }
    } _: { server, transport in
      var text: [UInt8] = []
      for try await piece in try await transport.open(HTTPRequest(url: server.url())).body {
        text += piece
      }
      #expect(String(decoding: text, as: UTF8.self) == EncodedBodies.text)
      var decoded: [UInt8] = []
      for try await piece in try await transport.open(HTTPRequest(url: server.url("/large"))).body {
        decoded += piece
      }
      let isRight = decoded == content
      #expect(isRight)
    }
  }

  @Test("a stream fails where it breaks, after what had arrived")
  func breaks() async throws {
    try await withServer { connection in
      guard let request = connection.readRequest() else { return }
      let length = request.line.contains("/long") ? 40 : 4
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabcd")
      if length == 40 { return }
      connection.serve { _ in }
    } _: { server, transport in
      var text = ""
      var code: HTTPError.Code?
      do {
        let stream = try await transport.open(HTTPRequest(url: server.url("/long")))
        for try await piece in stream.body { text += String(decoding: piece, as: UTF8.self) }
      } catch {
        code = (error as? HTTPError)?.code
      }
      #expect(text == "abcd")
      #expect(code == .connectionLost)
      let small = try await transport.open(HTTPRequest(url: server.url(), maximumBodySize: 3))
      code = nil
      do { for try await _ in small.body {} } catch { code = (error as? HTTPError)?.code }
      #expect(code == .bodyTooLarge)
    }
  }

  @Test("a stream follows redirects, and fails before its head as send does")
  func head() async throws {
    try await withServer { connection in
      guard let request = connection.readRequest() else { return }
      if request.line.contains("/gone") { return }
      if request.line.contains("/end") {
        _ = connection.answer(text: "end")
        return
      }
      connection.answer("302 Found", headers: ["Location: /end", "Connection: close"], text: "no")
    } _: { server, transport in
      var text: [UInt8] = []
      for try await piece in try await transport.open(HTTPRequest(url: server.url())).body {
        text += piece
      }
      #expect(text == Array("end".utf8))
      var code: HTTPError.Code?
      do { _ = try await transport.open(HTTPRequest(url: server.url("/gone"))) } catch {
        code = (error as? HTTPError)?.code
      }
      #expect(code == .connectionLost)
    }
  }
}
