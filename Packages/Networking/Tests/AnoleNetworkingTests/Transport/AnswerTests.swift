// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

@Suite("Transport: answers", .timeLimit(.minutes(2)))
struct AnswerTests {
  @Test("an answer has status, headers in their order and body")
  func ok() async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer(headers: ["X-One: 1", "x-two:  b  ", "X-One: 2"], text: "hello")
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url("/a?b=%20c")))
      #expect(response.status == 200)
      #expect(response.text == "hello")
      #expect(response.headers.values(of: "x-one") == ["1", "2"])
      #expect(response.headers["X-TWO"] == "b")
      #expect(server.requests.map(\.line) == ["GET /a?b=%20c HTTP/1.1"])
    }
  }

  @Test("a GET on the wire has exactly these bytes")
  func exactGet() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer() }
    } _: { server, transport in
      _ = try await transport.send(
        HTTPRequest(url: server.url("/x/../y"), headers: ["X-A": "1", "X-Empty": ""]))
      let expected =
        "GET /x/../y HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nUser-Agent: anole-tests/1.0\r\n"
        + "Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nX-A: 1\r\nX-Empty:\r\n\r\n"
      #expect(server.requests.map { String(decoding: $0.raw, as: UTF8.self) } == [expected])
    }
  }

  @Test("a POST sends its body, length and type, and neither Expect nor a type of libcurl's choice")
  func exactPost() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer("204 No Content") }
    } _: { server, transport in
      let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let response = try await transport.send(
        HTTPRequest(
          method: .post, url: server.url("/p"), headers: ["Content-Type": "*/*"], body: body))
      _ = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: [0, 1]))
      _ = try await transport.send(HTTPRequest(method: .post, url: server.url()))
      _ = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.status == 204)
      let requests = server.requests
      #expect(requests.map(\.body) == [body, [0, 1], [], []])
      #expect(requests.map { $0.values(of: "Content-Type") } == [["*/*"], [], [], []])
      #expect(requests.map { $0.values(of: "Content-Length") } == [["300000"], ["2"], ["0"], []])
      #expect(requests.allSatisfy { $0.values(of: "Expect").isEmpty })
    }
  }

  @Test("headers that come byte by byte are read")
  func slowHeaders() async throws {
    try await withServer { connection in
      connection.readRequest()
      for byte in Array("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nok".utf8) {
        connection.write([byte])
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "ok")
      #expect(response.headers["A"] == "b")
    }
  }

  @Test("a body that stops and goes on is read")
  func slowBody() async throws {
    let reading = Gate()
    try await withServer(probe: StageProbe(at: .reading) { reading.open() }) { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      reading.blockUntilOpen()
      connection.write("cd")
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "abcd")
    }
  }

  @Test("a body shorter than its length is a lost connection")
  func truncatedBody() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .connectionLost)
    }
  }

  @Test("bytes beyond the length are not part of the body, and not of the next answer")
  func longerBody() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 500 No\r\n\r\n")
      connection.serve { _ in connection.answer(text: "second") }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "ab")
      let second = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(second == nil)
    }
  }

  @Test("a length that is no number is not trusted")
  func wrongLength() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nabc")
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .malformedAnswer)
    }
  }

  @Test("a body without length ends with the connection")
  func closeDelimited() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.0 200 OK\r\n\r\nold style")
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "old style")
    }
  }

  @Test("chunks are joined, and trailers do not become headers")
  func chunkedWithTrailers() async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.write(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            + "3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX-Sum: 1\r\nSet-Cookie: a=b\r\n\r\n")
      }
    } _: { server, transport in
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequest(url: server.url()))
        #expect(response.text == "abc0123456789")
        #expect(response.headers["X-Sum"] == nil)
        #expect(response.headers["Set-Cookie"] == nil)
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test("chunks that end in the middle are a lost connection")
  func truncatedChunks() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc")
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .connectionLost)
    }
  }

  @Test("informational answers before the answer are passed over")
  func informational() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write(
        "HTTP/1.1 100 Continue\r\nX-A: no\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nX-B: yes\r\nContent-Length: 1\r\n\r\n!")
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.status == 200)
      #expect(response.headers.fields.map(\.name) == ["X-B", "Content-Length"])
      #expect(response.text == "!")
    }
  }

  @Test("304 and 204 have no body, whatever length they name", arguments: ["304 Same", "204 None"])
  func noBody(_ status: String) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.write("HTTP/1.1 \(status)\r\nLast-Modified: then\r\nContent-Length: 99\r\n\r\n")
      }
    } _: { server, transport in
      for _ in 0..<2 {
        let response = try await transport.send(HTTPRequest(url: server.url()))
        #expect(response.status == Int(status.prefix(3)))
        #expect(response.body.isEmpty)
        #expect(response.headers["Last-Modified"] == "then")
      }
    }
  }

  @Test("an error status is an answer", arguments: [400, 401, 403, 404, 429, 500, 503])
  func errorStatus(_ status: Int) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer("\(status) Bad", headers: ["Retry-After: 7"], text: "why")
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(method: .post, url: server.url()))
      #expect(response.status == status)
      #expect(response.text == "why")
      #expect(response.headers["Retry-After"] == "7")
    }
  }

  @Test("an empty answer is an answer")
  func emptyBody() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer(headers: ["Content-Encoding: gzip"]) }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.body.isEmpty)
    }
  }

  @Test("what is not HTTP is malformed", arguments: ["SSH-2.0-x\r\n", "HTTP/1.1 999 Odd\r\n\r\n"])
  func notHTTP(_ bytes: String) async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write(bytes)
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .malformedAnswer)
    }
  }

  @Test("a connection closed without an answer is lost, and not asked a third time")
  func noAnswer() async throws {
    try await withServer { connection in
      connection.readRequest()
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .connectionLost)
      #expect(server.requests.count == 1)
    }
  }

  @Test("a header of 1 MB is refused, in one line or many", arguments: [1, 64])
  func hugeHeader(_ lines: Int) async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n")
      let value = String(repeating: "a", count: (1 << 20) / lines)
      for index in 0..<lines where !connection.write("X-\(index): \(value)\r\n") { return }
      connection.write("Content-Length: 0\r\n\r\n")
      connection.waitForClose()
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .malformedAnswer)
    }
  }

  @Test("a body of exactly the limit passes, one byte more fails", arguments: [true, false])
  func bodyLimit(_ isChunked: Bool) async throws {
    try await withServer { connection in
      connection.serve { request in
        let body = [UInt8](repeating: 65, count: request.line.contains("big") ? 100_001 : 100_000)
        if isChunked {
          connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
          connection.write(Array("\(String(body.count, radix: 16))\r\n".utf8) + body)
          connection.write("\r\n0\r\n\r\n")
        } else {
          connection.answer(body: body)
        }
      }
    } _: { server, transport in
      var request = HTTPRequest(url: server.url("/fits"), maximumBodySize: 100_000)
      let response = try await transport.send(request)
      #expect(response.body.count == 100_000)
      request.url = server.url("/big")
      #expect(await transport.failure(of: request)?.code == .bodyTooLarge)
    }
  }
}
