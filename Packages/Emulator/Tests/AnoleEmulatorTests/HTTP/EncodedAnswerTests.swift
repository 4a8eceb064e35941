// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import Testing

@Suite("HTTP: encoded answers", .timeLimit(.minutes(2)))
struct EncodedAnswerTests {
  @Test("gzip and both forms of deflate are decoded", arguments: Fault.ContentEncoding.allCases)
  func decoded(_ encoding: Fault.ContentEncoding) async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.encoded(encoding), on: .dataFile, times: 2)
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
      let name = encoding == .gzip ? "gzip" : "deflate"
      #expect(response.headers["Content-Encoding"] == name)
      #expect(await transport.read(emulator.dataFileRequest()).bytes == response.body)
      #expect(emulator.requests().allSatisfy { $0.header("Accept-Encoding") == "gzip, deflate" })
    }
  }

  @Test("an encoded body that comes slowly is decoded", arguments: Fault.ContentEncoding.allCases)
  func slow(_ encoding: Fault.ContentEncoding) async throws {
    try await withTransport { emulator, transport async throws in
      var changes = Fault.Changes()
      changes.encoding = encoding
      changes.drip = Fault.Drip(bytes: 1, interval: .zero)
      emulator.addFault(Fault(.answer(changes)), on: .dataFile)
      #expect(await transport.read(emulator.dataFileRequest()).bytes == Array(Bodies.file.utf8))
    }
  }

  @Test(
    "an encoded body that ends early in a complete message is malformed",
    arguments: Fault.ContentEncoding.allCases)
  func truncated(_ encoding: Fault.ContentEncoding) async throws {
    try await withTransport { emulator, transport async throws in
      var changes = Fault.Changes()
      changes.encoding = encoding
      changes.cutAfter = 9
      changes.announcedLength = 9
      emulator.addFault(Fault(.answer(changes)), on: .dataFile, times: 2)
      let error = await transport.failure(of: emulator.dataFileRequest())
      #expect(error?.code == .malformedAnswer)
      #expect(error?.message.contains("ends after 9 bytes") == true)
      #expect(await transport.read(emulator.dataFileRequest()).error == error)
    }
  }

  @Test("a body that is not what its encoding says is malformed")
  func wrongEncoding() async throws {
    try await withTransport { emulator, transport async throws in
      var changes = Fault.Changes()
      changes.headers = [HeaderField("Content-Encoding", "gzip")]
      emulator.addFault(Fault(.answer(changes)), on: .dataFile)
      #expect(await transport.failure(of: emulator.dataFileRequest())?.code == .malformedAnswer)
      changes.headers = [HeaderField("Content-Encoding", "br")]
      emulator.addFault(Fault(.answer(changes)), on: .dataFile)
      let error = await transport.failure(of: emulator.dataFileRequest())
      #expect(error?.code == .malformedAnswer)
      #expect(error?.message.contains("br") == true)
    }
  }

  @Test("a decompression bomb stops at the limit", arguments: Fault.ContentEncoding.allCases)
  func bomb(_ encoding: Fault.ContentEncoding) async throws {
    try await withTransport { emulator, transport async throws in
      // 100 MB in 100 to 500 KB; the default limit is 64 MiB.
      emulator.addFault(.bomb(size: 100_000_000, encoding: encoding), on: .dataFile, times: nil)
      #expect(await transport.failure(of: emulator.dataFileRequest())?.code == .bodyTooLarge)
      var request = emulator.dataFileRequest()
      request.maximumBodySize = 1_000_000
      let (bytes, error) = await transport.read(request)
      #expect(bytes.count <= 1_000_000)
      #expect(error?.code == .bodyTooLarge)
    }
  }
}
