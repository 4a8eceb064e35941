// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

/// Counts what the whole process holds, so that it must not meet other tests: each run compares the
/// descriptors and threads that are its own.
@Suite("Transport: load", .timeLimit(.minutes(5)), .serialized)
struct LoadTests {
  /// 1,000; with `ANOLE_LONG_TESTS=1` in the environment 10,000.
  static let count = HTTPProxy.environmentVariable("ANOLE_LONG_TESTS") == "1" ? 10_000 : 1_000

  @Test("a long row of requests keeps one connection")
  func requests() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer(text: "ok") }
    } _: { server, transport in
      for index in 0..<Self.count {
        let response = try await transport.send(HTTPRequest(url: server.url("/\(index)")))
        #expect(response.status == 200)
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test("a long row of connections, streams and cancellations leaves no descriptor behind")
  func connections() async throws {
    try await withServer { connection in
      guard let request = connection.readRequest() else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      if request.line.contains("/hang") { return connection.waitForClose() }
      connection.write("cd")
    } _: { server, transport in
      for index in 0..<Self.count {
        switch index % 3 {
        case 0: _ = try await transport.send(HTTPRequest(url: server.url()))
        case 1:
          try await Self.leave(try await transport.open(HTTPRequest(url: server.url("/hang"))))
        default:
          let task = Task { await transport.failure(of: HTTPRequest(url: server.url("/hang"))) }
          task.cancel()
          #expect(await task.value?.code == .cancelled)
        }
      }
      #expect(
        ProcessState.connections(to: server.port)
          <= CurlTransport.Configuration.defaultConnectionsPerHost)
    }
  }

  private static func leave(_ stream: HTTPStream) async throws {
    for try await _ in stream.body { return }
  }

  @Test("transports that come and go leave neither thread nor descriptor behind")
  func transports() async throws {
    let server = try #require(
      LoopbackServer { connection in connection.serve { _ in connection.answer(text: "ok") } })
    defer { server.stop() }
    for _ in 0..<(Self.count / 10) {
      let transport = CurlTransport(.direct)
      _ = try await transport.send(HTTPRequest(url: server.url()))
      transport.shutdown()
    }
    // Transports of other tests run meanwhile: fewer than a tenth of ours.
    #expect(ProcessState.connections(to: server.port) == 0)
    #expect(ProcessState.threadNames.filter { $0 == "anole-curl" }.count < Self.count / 10)
  }
}
