// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import Testing

private let file = #"{"flags":[]}"#

/// What libmicrohttpd cannot send, byte by byte.
@Suite("Answers written by hand")
struct HandWrittenTests {
  private func answer(
    _ emulator: Emulator, target: String = "/v3/s", headers: [String] = [],
    _ change: (inout Fault.Changes) -> Void
  ) async throws -> String {
    var changes = Fault.Changes()
    change(&changes)
    emulator.addFault(Fault(.answer(changes)), on: .dataFile)
    return try await exchangeToEnd(emulator.port, "GET", target, headers: headers)
  }

  @Test("interim answers come first")
  func interim() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      let text = try await answer(emulator) { $0.interim = [100, 103] }
      #expect(
        text
          == "HTTP/1.1 100 Scripted\r\n\r\nHTTP/1.1 103 Scripted\r\n\r\nHTTP/1.1 200 Scripted\r\n"
          + "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n\(file)")
    }
  }

  @Test("trailers follow the one chunk of the body, also of an empty or a cut one")
  func trailers() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      let fields = [HeaderField("X", "1"), HeaderField("Y", "2")]
      let head = "Transfer-Encoding: chunked\r\n\r\n"
      let whole = try await answer(emulator) { $0.trailers = fields }
      #expect(whole.hasSuffix("\(head)c\r\n\(file)\r\n0\r\nX: 1\r\nY: 2\r\n\r\n"))
      let empty = try await answer(emulator) {
        $0.trailers = fields
        $0.body = []
      }
      #expect(empty.hasSuffix("\(head)0\r\nX: 1\r\nY: 2\r\n\r\n"))
      let cut = try await answer(emulator) {
        $0.trailers = fields
        $0.cutAfter = 3
      }
      #expect(cut.hasSuffix("\(head)c\r\n\(file.prefix(3))"))
      #expect([whole, empty, cut].allSatisfy { !$0.contains("Content-Length") })
    }
  }

  @Test("an answer without body has no framing", arguments: [204, 304])
  func noBody(_ status: Int) async throws {
    try await withEmulator { emulator async throws in
      let text = try await answer(emulator) {
        $0.status = status
        $0.interim = [103]
        $0.encoding = .gzip
        $0.trailers = [HeaderField("X", "1")]
      }
      #expect(text == "HTTP/1.1 103 Scripted\r\n\r\nHTTP/1.1 \(status) Scripted\r\n\r\n")
    }
  }

  @Test("a slow head waits after each of its pieces")
  func slowHead() async throws {
    let clock = ManualClock()
    try await withEmulator(Emulator(time: TimeSource(clock))) { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.slowHead(bytes: 8, every: .seconds(1)), on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.read(8) == Array("HTTP/1.1".utf8))
      await clock.untilSleeping()
      clock.advance(by: .seconds(1))
      #expect(try await wire.read(8) == Array(" 200 Scr".utf8))
    }
  }

  @Test("a field of 1 MB is sent")
  func large() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.largeHead(bytes: 1 << 20), on: .dataFile)
      let text = try await exchangeToEnd(emulator.port, "GET", "/v3/s")
      #expect(text.contains("X-Large: " + String(repeating: "x", count: 1 << 20) + "\r\n"))
      #expect(text.hasSuffix("Content-Length: 12\r\n\r\n\(file)"))
    }
  }

  @Test(
    "a body is compressed as named, and keeps the connection",
    arguments: Fault.ContentEncoding.allCases)
  func encoded(_ encoding: Fault.ContentEncoding) async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file)
      emulator.addFault(.encoded(encoding), on: .dataFile)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write(requestBytes("GET", "/v3/s"))
      let answer = try await wire.answer()
      #expect(answer.header("Content-Encoding") == (encoding == .gzip ? "gzip" : "deflate"))
      let format: CompressionFormat =
        switch encoding {
        case .gzip: .gzip
        case .deflate: .zlib
        case .rawDeflate: .rawDeflate
        }
      #expect(try Gzip.decompress(answer.body, format: format) == Array(file.utf8))
      try await wire.write(requestBytes("GET", "/v3/s"))
      #expect(try await wire.answer().text == file)
    }
  }

  @Test(
    "a bomb is small on the wire and has the size that was asked for", arguments: [0, 1, 5_000_001])
  func bomb(_ size: Int) async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.bomb(size: size), on: .dataFile)
      let answer = try await exchange(emulator.port, "GET", "/v3/s")
      #expect(answer.header("Content-Encoding") == "gzip")
      #expect(answer.body.count < 100 + size / 150)
      let limits = DecompressionLimits(maximumRatio: 2_000)
      #expect(try Gzip.decompress(answer.body, limits: limits).count == size)
    }
  }

  @Test("a target with scheme and host is that of its path, as the standard asks of servers")
  func absoluteTarget() async throws {
    try await withEmulator { emulator async throws in
      emulator.setDataFile(file, environment: "e")
      for target in ["http://a.example/v3/s?environment=e", "https://[::1]:8/v3/s?environment=e"] {
        #expect(try await exchange(emulator.port, "GET", target).text == file)
      }
      #expect(try await exchange(emulator.port, "GET", "http://a.example").status == 404)
      #expect(try await exchange(emulator.port, "GET", "http://a.example?x=/v3/s").status == 404)
      #expect(emulator.requests().map(\.route) == [.dataFile, .dataFile, .unknown, .unknown])
    }
  }
}
