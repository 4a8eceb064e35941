// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

struct EncodedCase: Sendable, CustomTestStringConvertible {
  let encoding: String
  let body: [UInt8]
  var testDescription: String { "\(encoding), \(body.count) bytes" }
}

let encodedCases = [
  EncodedCase(encoding: "gzip", body: EncodedBodies.gzip),
  EncodedCase(encoding: "x-gzip", body: EncodedBodies.gzip),
  EncodedCase(encoding: "deflate", body: EncodedBodies.deflate),
  EncodedCase(encoding: "deflate", body: EncodedBodies.rawDeflate),
  EncodedCase(encoding: "identity", body: Array(EncodedBodies.text.utf8)),
]

let brokenCases = [
  EncodedCase(encoding: "gzip", body: Array("not gzip at all".utf8)),
  EncodedCase(
    encoding: "gzip", body: EncodedBodies.gzip.dropLast(8) + [0, 0, 0, 0, 25, 0, 0, 0]),
  EncodedCase(encoding: "deflate", body: [0x78, 0x9c, 0xff, 0xff, 0xff]),
  EncodedCase(encoding: "rot13", body: [1, 2, 3]),
  EncodedCase(encoding: "gzip, gzip", body: EncodedBodies.gzip),
  EncodedCase(encoding: "gzip", body: EncodedBodies.gzip + [0]),
  EncodedCase(encoding: "gzip", body: EncodedBodies.gzip + Array("garbage".utf8)),
  EncodedCase(encoding: "deflate", body: EncodedBodies.deflate + [0]),
  EncodedCase(encoding: "deflate", body: EncodedBodies.rawDeflate + [0]),
]

let formatCases = [
  EncodedCase(encoding: "gzip", body: EncodedBodies.gzip),
  EncodedCase(encoding: "deflate", body: EncodedBodies.deflate),
  EncodedCase(encoding: "deflate", body: EncodedBodies.rawDeflate),
]

@Suite("Transport: encoded bodies", .timeLimit(.minutes(2)))
struct EncodingTests {
  @Test("encoded answers arrive decoded", arguments: encodedCases)
  func decodes(_ row: EncodedCase) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer(headers: ["Content-Encoding: \(row.encoding)"], body: row.body)
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == EncodedBodies.text)
    }
  }

  @Test("an encoded answer that comes byte by byte in chunks arrives decoded")
  func decodesBytes() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
      for byte in EncodedBodies.gzip { connection.write(Array("1\r\n".utf8) + [byte, 13, 10]) }
      connection.write("0\r\n\r\n")
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == EncodedBodies.text)
    }
  }

  @Test("what does not decode is malformed, whole or as a stream", arguments: brokenCases)
  func broken(_ row: EncodedCase) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer(headers: ["Content-Encoding: \(row.encoding)"], body: row.body)
      }
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .malformedAnswer)
      #expect(error?.message.hasPrefix("\(server.origin): ") == true)
      #expect(await transport.streamFailure(of: HTTPRequest(url: server.url())) == error)
    }
  }

  @Test(
    "a body that ends early inside a complete message is malformed, at every byte",
    arguments: formatCases)
  func truncated(_ row: EncodedCase) async throws {
    try await withServer { connection in
      connection.serve { request in
        // The path says how much of the body is sent, and how.
        let parts = request.line.split(separator: " ")[1].split(separator: "/")
        let body = Array(row.body.prefix(Int(parts[1]) ?? 0))
        let encoding = "Content-Encoding: \(row.encoding)"
        guard parts[0] == "chunked" else {
          connection.answer(headers: [encoding], body: body)
          return
        }
        connection.write("HTTP/1.1 200 OK\r\n\(encoding)\r\nTransfer-Encoding: chunked\r\n\r\n")
        let size = String(body.count, radix: 16)
        connection.write(Array("\(size)\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))
      }
    } _: { server, transport in
      for count in 1..<row.body.count {
        for framing in ["length", "chunked"] {
          let request = HTTPRequest(url: server.url("/\(framing)/\(count)"))
          let error = await transport.failure(of: request)
          #expect(error?.code == .malformedAnswer)
          #expect(error?.message.contains("ends after \(count) byte") == true)
          #expect(await transport.streamFailure(of: request) == error)
        }
      }
      let whole = HTTPRequest(url: server.url("/chunked/\(row.body.count)"))
      let response = try await transport.send(whole)
      #expect(response.text == EncodedBodies.text)
      // Every message was complete: its end is no reason to give up the connection.
      #expect(server.connectionCount == 1)
    }
  }

  @Test("members of gzip in a row are one body")
  func members() async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer(
          headers: ["Content-Encoding: gzip"], body: EncodedBodies.gzip + EncodedBodies.gzip)
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == EncodedBodies.text + EncodedBodies.text)
    }
  }

  @Test(
    "an answer without body may name any encoding",
    arguments: ["200 OK", "204 No Content", "304 Not Modified"], ["gzip", "deflate", "br"])
  func noBody(_ status: String, _ encoding: String) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.write(
          "HTTP/1.1 \(status)\r\nContent-Encoding: \(encoding)\r\n"
            + (status.hasPrefix("200") ? "Content-Length: 0\r\n\r\n" : "\r\n"))
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(status.hasPrefix("\(response.status)"))
      #expect(response.body.isEmpty)
      let stream = try await transport.open(HTTPRequest(url: server.url()))
      for try await _ in stream.body { Issue.record("there is no body") }
      #expect(server.connectionCount == 1)
    }
  }

  @Test("the body of a redirect is never decoded")
  func redirect() async throws {
    try await withServer { connection in
      connection.serve { request in
        if request.line.contains("/end") {
          _ = connection.answer(text: "ok")
          return
        }
        connection.answer(
          "302 Found", headers: ["Location: /end", "Content-Encoding: br"], text: "no br")
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "ok")
    }
  }

  @Test("encodings are offered, unless the request says which it wants")
  func offers() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer() }
    } _: { server, transport in
      _ = try await transport.send(HTTPRequest(url: server.url()))
      _ = try await transport.send(
        HTTPRequest(url: server.url(), headers: ["accept-encoding": "identity"]))
      let offers = server.requests.map { $0.values(of: "Accept-Encoding") }
      #expect(offers == [["gzip, deflate"], ["identity"]])
    }
  }

  @Test("a decompression bomb stops at the limit of the decoded size")
  func bomb() async throws {
    let bomb = EncodedBodies.bomb(copies: 400_000)
    try await withServer { connection in
      connection.serve { _ in connection.answer(headers: ["Content-Encoding: deflate"], body: bomb)
      }
    } _: { server, transport in
      let request = HTTPRequest(url: server.url(), maximumBodySize: 1 << 20)
      let error = await transport.failure(of: request)
      #expect(error?.code == .bodyTooLarge)
      var size = 0
      #expect(await transport.streamFailure(of: request) { size += $0.count } == error)
      #expect(size <= 1 << 20)
    }
  }

  @Test("a bomb in a stream is blown up only as far as it is read")
  func bombInStream() async throws {
    // 100 MB in 0.6 MB: what lies in the pipe is the small form.
    let bomb = EncodedBodies.bomb(copies: 400_000)
    let written = Progress()
    try await withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(bomb.count)\r\n\r\n")
      if connection.write(bomb) { written.record(bomb.count) }
      connection.waitForClose()
    } _: { server, transport in
      let stream = try await transport.open(
        HTTPRequest(url: server.url(), maximumBodySize: .max))
      var size = 0
      for try await piece in stream.body {
        #expect(piece.count <= 64 << 10)
        size += piece.count
        if size >= 4 << 20 { break }
      }
      #expect(size < 5 << 20)
    }
  }
}
