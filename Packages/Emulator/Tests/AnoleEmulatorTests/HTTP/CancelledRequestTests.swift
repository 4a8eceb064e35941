// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleNetworking
import AnoleNetworkingTesting
import Testing

@Suite("HTTP: cancellation", .timeLimit(.minutes(2)))
struct CancelledRequestTests {
  /// Cancels a request when the server says so, and expects that it ends as cancelled.
  private func cancel(
    _ request: HTTPRequest, _ transport: CurlTransport, when: () async throws -> Void
  ) async throws {
    let task = Task { await transport.failure(of: request) }
    try await when()
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test("before anything was sent")
  func beforeSending() async throws {
    try await withTransport { emulator, transport async throws in
      let request = emulator.dataFileRequest()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await transport.failure(of: request)
      }
      #expect(await task.value?.code == .cancelled)
      #expect(emulator.requests().isEmpty)
    }
  }

  @Test("while a request waits for a connection")
  func whileWaiting() async throws {
    var configuration = CurlTransport.Configuration.direct
    configuration.maximumConnectionsPerHost = 1
    try await withTransport(configuration: configuration) { emulator, transport async throws in
      emulator.addFault(.neverAnswer, on: .dataFile)
      let first = Task { await transport.failure(of: emulator.dataFileRequest()) }
      try await emulator.waitForHeldRequests(count: 1)
      try await cancel(emulator.trackingRequest("nonce=1"), transport) {}
      first.cancel()
      #expect(await first.value?.code == .cancelled)
      try await emulator.waitForHeldRequests(count: 0)
      #expect(emulator.requests().map(\.route) == [.dataFile])
    }
  }

  @Test("while a large body is on its way, of which the server reads the beginning")
  func whileSending() async throws {
    // The proxy takes the connection and reads nothing more than fits into its buffers.
    let proxy = try await StuckServer.start()
    let transport = CurlTransport(.direct)
    defer { transport.shutdown() }
    let request = HTTPRequest(
      method: .post, url: "http://127.0.0.1:\(proxy.port)/",
      body: [UInt8](repeating: 1, count: 32 << 20), timeout: nil)
    try await cancel(request, transport) { try await proxy.waitForFirstBytes() }
    try await proxy.waitForClose()
  }

  @Test("while the server is silent")
  func whileSilent() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.neverAnswer, on: .dataFile)
      try await cancel(emulator.dataFileRequest(), transport) {
        try await emulator.waitForHeldRequests(count: 1)
      }
      try await emulator.waitForHeldRequests(count: 0)
    }
  }

  @Test("in the middle of a head, and of a body", arguments: [true, false])
  func whileReading(_ isInHead: Bool) async throws {
    let clock = ManualClock()
    try await withTransport(Emulator(time: TimeSource(clock))) { emulator, transport async throws in
      emulator.addFault(
        isInHead
          ? .slowHead(bytes: 10, every: .seconds(1)) : .drip(bytes: 10, every: .seconds(1)),
        on: .dataFile)
      try await cancel(emulator.dataFileRequest(), transport) { await clock.untilSleeping() }
      let response = try await transport.send(emulator.dataFileRequest())
      #expect(response.text == Bodies.file)
    }
  }

  @Test("between redirects")
  func betweenRedirects() async throws {
    try await withTransport { emulator, transport async throws in
      emulator.addFault(.redirect(to: "/v3/next"), on: .dataFile)
      emulator.addFault(.neverAnswer, on: .dataFile)
      try await cancel(emulator.dataFileRequest(), transport) {
        try await emulator.waitForHeldRequests(count: 1)
      }
      try await emulator.waitForHeldRequests(count: 0)
    }
  }

  @Test("while a stream is open: the server learns of it")
  func stream() async throws {
    try await withTransport { emulator, transport async throws in
      let request = HTTPRequest(
        url: (emulator.baseURL ?? "") + "/sse?siteCode=tstsite001", timeout: nil)
      let task = Task { await transport.read(request) }
      try await emulator.waitForOpenStreams(count: 1)
      emulator.pushComment("hello")
      task.cancel()
      _ = await task.value
      try await emulator.waitForOpenStreams(count: 0)
    }
  }
}

/// Accepts one connection and reads only when told to.
private final class StuckServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let connection = Lock<Int32?>(nil)

  private init(listener: Int32, port: UInt16) {
    self.listener = listener
    self.port = port
  }

  static func start() async throws -> StuckServer {
    let (listener, port) = try bindOnLoopback(listens: true)
    return StuckServer(listener: listener, port: port)
  }

  func waitForFirstBytes() async throws {
    let descriptor = try await onThread { [listener] in
      let descriptor = acceptConnection(listener)
      var byte: UInt8 = 0
      guard descriptor >= 0, readBytes(descriptor, &byte, 1) == 1 else {
        throw WireError(message: "no connection arrives")
      }
      return descriptor
    }
    connection.withLock { $0 = descriptor }
  }

  func waitForClose() async throws {
    let descriptor = connection.withLock { $0 }
    try await onThread {
      guard let descriptor else { throw WireError(message: "there is no connection") }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while readBytes(descriptor, &buffer, buffer.count) > 0 {}
    }
  }

  deinit {
    closeDescriptor(listener)
    if let descriptor = connection.withLock({ $0 }) { closeDescriptor(descriptor) }
  }
}
