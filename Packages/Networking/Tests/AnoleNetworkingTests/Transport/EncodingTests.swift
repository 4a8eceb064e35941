// SPDX-License-Identifier: Apache-2.0

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

  @Test("what does not decode is malformed", arguments: brokenCases)
  func broken(_ row: EncodedCase) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer(headers: ["Content-Encoding: \(row.encoding)"], body: row.body)
      }
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .malformedAnswer)
    }
  }

  @Test("a decompression bomb stops at the limit of the decoded size")
  func bomb() async throws {
    let bomb = EncodedBodies.bomb(copies: 400_000)
    try await withServer { connection in
      connection.serve { _ in connection.answer(headers: ["Content-Encoding: deflate"], body: bomb)
      }
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: server.url(), maximumBodySize: 1 << 20))
      #expect(error?.code == .bodyTooLarge)
    }
  }
}
