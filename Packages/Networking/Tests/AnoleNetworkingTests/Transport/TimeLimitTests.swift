// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Glibc
import Testing

@testable import AnoleNetworking

enum HangingPlace: CaseIterable, Sendable {
  case beforeHead, insideHead, insideBody, insideRedirect
}

@Suite("Transport: time limits", .timeLimit(.minutes(2)))
struct TimeLimitTests {
  @Test("an attempt ends at its limit wherever the server hangs", arguments: HangingPlace.allCases)
  func attempt(_ place: HangingPlace) async throws {
    try await withServer { connection in
      guard let request = connection.readRequest() else { return }
      switch place {
      case .beforeHead: break
      case .insideHead: connection.write("HTTP/1.1 200 OK\r\nX: ")
      case .insideBody: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
      case .insideRedirect:
        if request.line.contains("/start") {
          connection.answer("302 Found", headers: ["Location: /hang"])
          connection.readRequest()
        }
      }
      connection.waitForClose()
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: server.url("/start"), timeout: .milliseconds(40)))
      #expect(error?.code == .timedOut)
    }
  }

  @Test("limits of zero and less have passed", arguments: [0, -5])
  func passed(_ milliseconds: Int) async throws {
    try await withServer { connection in
      connection.waitForClose()
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: server.url(), timeout: .milliseconds(milliseconds)))
      #expect(error?.code == .timedOut)
    }
  }

  @Test("limits beyond all clocks do no harm", arguments: [Duration.seconds(Int64.max), nil])
  func endless(_ limit: Duration?) async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer(text: "x") }
    } _: { server, transport in
      let response = try await transport.send(
        HTTPRequest(url: server.url(), timeout: limit, connectTimeout: limit))
      #expect(response.text == "x")
    }
  }

  @Test("connecting ends at its own limit, and is free for the next address")
  func connecting() async throws {
    // Nobody accepts, and the backlog is full: the kernel leaves further connections without answer.
    let server = try #require(LoopbackServer(backlog: 0, accepts: false) { _ in })
    defer { server.stop() }
    let fillers = (0..<8).compactMap { _ in Self.connect(to: server.port) }
    defer { for filler in fillers { close(filler) } }
    let transport = CurlTransport(.direct)
    defer { transport.shutdown() }
    let error = await transport.failure(
      of: HTTPRequest(url: server.url(), timeout: nil, connectTimeout: .milliseconds(50)))
    #expect(error?.code == .timedOut)
    #expect(error?.message.contains("connecting") == true)
    let second = await transport.failure(
      of: HTTPRequest(url: server.url(), timeout: .milliseconds(50)))
    #expect(second?.code == .timedOut)
  }

  @Test("the limit for connecting does not count once the connection stands")
  func connectedInTime() async throws {
    try await withServer { connection in
      connection.serve { request in
        if request.line.contains("/slow") { connection.waitForClose() } else { connection.answer() }
      }
    } _: { server, transport in
      // The second request ends by its own limit, 40 times that for connecting.
      let first = await transport.failure(
        of: HTTPRequest(url: server.url(), connectTimeout: .seconds(1)))
      #expect(first == nil)
      let error = await transport.failure(
        of: HTTPRequest(
          url: server.url("/slow"), timeout: .milliseconds(200), connectTimeout: .milliseconds(100))
      )
      #expect(error?.message.contains("attempt") == true)
    }
  }

  /// Starts a connection without waiting for it.
  private static func connect(to port: Int) -> Int32? {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }
}
