// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import AnoleNetworkingTesting
import Testing

/// What the emulator does over plain connections, over TLS.
@Suite("Over TLS", .timeLimit(.minutes(2)), .enabled(if: CertificateFolder.isAvailable))
struct SecureTests {
  private func withSecureTransport(
    _ emulator: Emulator = Emulator(),
    _ body: (Emulator, CurlTransport) async throws -> Void
  ) async throws {
    let folder = try await CertificateFolder.make(.right)
    defer { folder.remove() }
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = folder.authority
    let identity = try folder.identity
    try await withTransport(emulator, identity: identity, configuration: configuration, body)
  }

  @Test("requests, large bodies in both directions and a stream work")
  func works() async throws {
    try await withSecureTransport { emulator, transport async throws in
      let large = String(repeating: "0123456789abcdef", count: 500_000)
      emulator.setDataFile(large, siteCode: "large")
      for _ in 0..<3 {
        #expect(try await transport.send(emulator.dataFileRequest()).text == Bodies.file)
      }
      let request = HTTPRequest(url: (emulator.baseURL ?? "") + "/v3/large", timeout: nil)
      let isEqual = try await transport.send(request).text == large
      #expect(isEqual)
      let sent = try await transport.send(emulator.trackingRequest(large))
      #expect(sent.status == 204)
      #expect(emulator.requests(.tracking).first?.body.count == large.utf8.count)
      let url = (emulator.baseURL ?? "") + "/sse?siteCode=s"
      let stream = try await transport.open(HTTPRequest(url: url, timeout: nil))
      try await emulator.waitForOpenStreams(count: 1)
      emulator.pushStreamBytes(Array("data: x\n\n".utf8))
      emulator.closeStreams()
      var bytes: [UInt8] = []
      for try await piece in stream.body { bytes += piece }
      #expect(bytes == Array("data: x\n\n".utf8))
    }
  }

  @Test("answers written by hand are encrypted too, also when the socket is full")
  func handWritten() async throws {
    try await withSecureTransport { emulator, transport async throws in
      let large = String(repeating: "0123456789abcdef", count: 500_000)
      emulator.setDataFile(large)
      emulator.addFault(.trailers([HeaderField("X", "y")]), on: .dataFile)
      let isEqual = try await transport.send(emulator.dataFileRequest()).text == large
      #expect(isEqual)
      emulator.addFault(.interim(103), on: .dataFile)
      let stream = await transport.read(emulator.dataFileRequest())
      #expect(stream.error == nil)
      #expect(stream.bytes.count == large.utf8.count)
      emulator.addFault(.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), on: .dataFile)
      #expect(try await transport.send(emulator.dataFileRequest()).text == "ok")
    }
  }

  @Test("cut bodies, closed connections and silence are what they are without TLS")
  func faults() async throws {
    try await withSecureTransport { emulator, transport async throws in
      emulator.addFault(.cut(afterBytes: 5), on: .dataFile)
      #expect(await transport.failure(of: emulator.dataFileRequest())?.code == .connectionLost)
      emulator.addFault(.closeAfterReading, on: .dataFile, times: 2)
      #expect(await transport.failure(of: emulator.dataFileRequest())?.code == .connectionLost)
      emulator.clearFaults()
      emulator.addFault(.closeAfterAnswer, on: .dataFile)
      #expect(try await transport.send(emulator.dataFileRequest()).text == Bodies.file)
      #expect(try await transport.send(emulator.dataFileRequest()).text == Bodies.file)
      emulator.addFault(.neverAnswer, on: .dataFile)
      let task = Task { await transport.failure(of: emulator.dataFileRequest()) }
      try await emulator.waitForHeldRequests(count: 1)
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      try await emulator.waitForHeldRequests(count: 0)
    }
  }

  @Test("texts that are no certificate are a clear error, and leave nothing behind")
  func malformed() async throws {
    let folder = try await CertificateFolder.make(.right)
    defer { folder.remove() }
    let right = try folder.identity
    let wrong = [
      ServerIdentity(certificate: "", privateKey: ""),
      ServerIdentity(certificate: "not PEM", privateKey: right.privateKey),
      ServerIdentity(certificate: right.certificate, privateKey: "not PEM"),
    ]
    let emulator = Emulator()
    for identity in wrong {
      let error = #expect(throws: EmulatorError.self) { try emulator.start(identity: identity) }
      #expect(error?.code == .system)
      #expect(error?.message.contains("certificate") == true)
      #expect(!emulator.isRunning)
    }
    try emulator.start(identity: right)
    emulator.stop()
  }
}
