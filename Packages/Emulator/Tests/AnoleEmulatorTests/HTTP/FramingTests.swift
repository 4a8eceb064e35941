// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import Testing

@Suite("HTTP: framing", .timeLimit(.minutes(2)))
struct FramingTests {
  private func error(_ fault: Fault) async throws -> HTTPError.Code? {
    var code: HTTPError.Code?
    try await withTransport { emulator, transport async throws in
      emulator.addFault(fault, on: .dataFile, times: nil)
      code = await transport.failure(of: emulator.dataFileRequest())?.code
    }
    return code
  }

  @Test("a truncated body is a lost connection, at every byte")
  func truncated() async throws {
    try await withTransport { emulator, transport async throws in
      for count in 0..<Bodies.file.utf8.count {
        emulator.addFault(.cut(afterBytes: count), on: .dataFile, times: 2)
        let error = await transport.failure(of: emulator.dataFileRequest())
        #expect(error?.code == .connectionLost)
        let (bytes, streamError) = await transport.read(emulator.dataFileRequest())
        #expect(bytes == Array(Bodies.file.utf8.prefix(count)))
        #expect(streamError?.code == .connectionLost)
      }
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
    }
  }

  @Test("a Content-Length that is too large is a lost connection")
  func lengthTooLarge() async throws {
    #expect(try await error(.announcedLength(1_000)) == .connectionLost)
  }

  @Test("what comes beyond a Content-Length that is too small belongs to no answer")
  func lengthTooSmall() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.announcedLength(3), on: .dataFile)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == String(Bodies.file.prefix(3)))
      let next = try await transport.send(emulator.dataFileRequest())
      #expect(next.text == Bodies.file)
    }
  }

  @Test("chunks are joined, and trailers do not become headers")
  func trailers() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(
        .trailers([HeaderField("ETag", "\"late\""), HeaderField("Last-Modified", "never")]),
        on: .dataFile)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
      #expect(response.headers["ETag"] == nil)
      #expect(response.headers["Last-Modified"] == Bodies.date)
    }
  }

  @Test("chunks that end in the middle are a lost connection")
  func cutChunk() async throws {
    var changes = Fault.Changes()
    changes.trailers = [HeaderField("X", "y")]
    changes.cutAfter = 5
    #expect(try await error(Fault(.answer(changes))) == .connectionLost)
  }

  @Test("interim answers are passed over", arguments: [[100], [103], [100, 103, 103], [199]])
  func interim(_ statuses: [Int]) async throws {
    try await withTransport { emulator, transport async throws in
      var changes = Fault.Changes()
      changes.interim = statuses
      emulator.addFault(Fault(.answer(changes)), on: .dataFile)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.status == 200)
      #expect(response.text == Bodies.file)
    }
  }

  @Test("304 has no body, and its length is not waited for")
  func notModified() async throws {
    try await withTransport { emulator, transport async throws in
      var request = emulator.dataFileRequest()
      request.headers["If-Modified-Since"] = Bodies.date
      for _ in 0..<2 {
        let response = try await transport.send(request)
        #expect(response.status == 304)
        #expect(response.body.isEmpty)
      }
      emulator.addFault(
        .raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n"), on: .dataFile)
      let response = try await transport.send(request)
      #expect(response.status == 304)
      #expect(response.body.isEmpty)
    }
  }

  @Test("a connection that is closed without an answer is lost, also after a second try")
  func noAnswer() async throws {
    #expect(try await error(.closeAfterReading) == .connectionLost)
    #expect(try await error(.closeBeforeReading) == .connectionLost)
  }

  @Test("what is not HTTP is malformed", arguments: ["220 mail.example ESMTP\r\n", "\r\n\r\n"])
  func notHTTP(_ text: String) async throws {
    #expect(try await error(.raw(text)) == .malformedAnswer)
  }

  @Test("a kept connection that the server closed between requests is replaced")
  func keptConnectionClosed() async throws {
    try await withTransport { emulator, transport async throws in
      for index in 0..<20 {
        emulator.addFault(.closeAfterAnswer, on: .dataFile)
        let response = try await transport.send(emulator.dataFileRequest())
        #expect(response.text == Bodies.file)
        let sent = try await transport.send(emulator.trackingRequest("nonce=\(index)"))
        #expect(sent.status == 204)
      }
      // Nothing was sent twice.
      #expect(emulator.requests().count == 40)
    }
  }

  @Test("a header of 1 MB is refused")
  func largeHeader() async throws {
    #expect(try await error(.largeHead(bytes: 1 << 20)) == .malformedAnswer)
  }

  @Test("a head of 60 KB, in one field or in many, is read")
  func middlingHeader() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.largeHead(bytes: 60_000), on: .dataFile)
      let one = try await transport.send(emulator.dataFileRequest())
      #expect(one.headers["X-Large"]?.utf8.count == 60_000)
      let fields = (0..<60).map { HeaderField("X-\($0)", String(repeating: "y", count: 1_000)) }
      emulator.addFault(.status(200, headers: fields), on: .dataFile)
      let many = try await transport.send(emulator.dataFileRequest())
      #expect(many.headers["X-59"]?.utf8.count == 1_000)
    }
  }

  @Test("a body of the limit passes, one byte more fails while it is read")
  func largeBody() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.setDataFile(String(repeating: "x", count: 300_000), siteCode: "tstsite001")
      var request = emulator.dataFileRequest()
      request.maximumBodySize = 300_000
      #expect(try await transport.send(request).body.count == 300_000)
      request.maximumBodySize -= 1
      #expect(await transport.failure(of: request)?.code == .bodyTooLarge)
      let (bytes, error) = await transport.read(request)
      #expect(bytes.count < 300_000)
      #expect(error?.code == .bodyTooLarge)
    }
  }
}
