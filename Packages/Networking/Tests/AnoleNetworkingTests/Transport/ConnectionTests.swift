// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleNetworkingTesting
import Glibc
import Testing

@testable import AnoleNetworking

@Suite("Transport: connections", .timeLimit(.minutes(2)))
struct ConnectionTests {
  @Test("many requests in a row use one connection")
  func reuse() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer(text: "x") }
    } _: { server, transport in
      for index in 0..<50 {
        _ = try await transport.send(
          HTTPRequest(
            method: index % 2 == 0 ? .get : .post, url: server.url("/\(index)"),
            body: index % 2 == 0 ? nil : [7]))
      }
      #expect(server.connectionCount == 1)
      #expect(server.requests.count == 50)
    }
  }

  @Test("a kept connection that the server closed is replaced, for GET and POST")
  func closedBetween() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.answer(text: "once")
    } _: { server, transport in
      for index in 0..<6 {
        let response = try await transport.send(
          HTTPRequest(
            method: index % 2 == 0 ? .get : .post, url: server.url(),
            body: index % 2 == 0 ? nil : [1, 2]))
        #expect(response.text == "once")
      }
      #expect(server.connectionCount == 6)
      #expect(server.requests.count == 6)
    }
  }

  @Test("a kept connection that dies under a request is replaced, however often")
  func diesUnderRequest() async throws {
    try await withServer { connection in
      connection.readRequest()
      connection.answer(text: "first")
      connection.readRequest()
    } _: { server, transport in
      for _ in 0..<40 {
        let response = try await transport.send(HTTPRequest(url: server.url()))
        #expect(response.text == "first")
      }
      #expect(server.connectionCount == 40)
      #expect(server.requests.count == 79)
    }
  }

  @Test("IPv6 addresses are reached")
  func ipv6() async throws {
    try await withServer(family: .v6) { connection in
      connection.serve { _ in connection.answer(text: "six") }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "six")
      #expect(server.requests.first?.values(of: "Host") == ["[::1]:\(server.port)"])
    }
  }

  @Test("a port where nobody listens refuses")
  func refused() async throws {
    let server = try #require(LoopbackServer { _ in })
    let port = server.port
    server.stop()
    let transport = CurlTransport(.direct)
    let error = await transport.failure(of: HTTPRequest(url: "http://127.0.0.1:\(port)/"))
    // The listener is shut down but not closed until `server` is released: refused all the same.
    #expect(error?.code == .connectFailed)
    withExtendedLifetime(server) {}
  }

  @Test("a name without address does not resolve")
  func unknownHost() async {
    // Labels have 63 characters at most: the resolver knows without asking anybody.
    let name = String(repeating: "a", count: 64)
    let transport = CurlTransport(.direct)
    let error = await transport.failure(of: HTTPRequest(url: "http://\(name).invalid/"))
    #expect(error?.code == .resolveFailed)
  }

  @Test("100 requests at once share at most 4 connections")
  func limitPerHost() async throws {
    try await withServer { connection in
      connection.serve { request in
        connection.answer(text: String(request.line.split(separator: " ")[1]))
      }
    } _: { server, transport in
      let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<100 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(url: server.url("/\(index)")))
            return response.text == "/\(index)"
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(answers == 100)
      #expect((1...4).contains(server.connectionCount))
    }
  }

  @Test("a request that waits for a connection meets its time limit there")
  func limitWhileWaiting() async throws {
    let answer = Gate()
    var configuration = CurlTransport.Configuration.direct
    configuration.maximumConnectionsPerHost = 1
    let sending = Gate()
    try await withServer(
      configuration: configuration, probe: StageProbe(at: .sending) { sending.open() }
    ) { connection in
      connection.serve { _ in
        answer.blockUntilOpen()
        connection.answer(text: "late")
      }
    } _: { server, transport in
      async let first = transport.send(HTTPRequest(url: server.url(), timeout: nil))
      await sending.waitUntilOpen()
      let error = await transport.failure(
        of: HTTPRequest(url: server.url(), timeout: .milliseconds(30)))
      #expect(error?.code == .timedOut)
      answer.open()
      let text = try await first.text
      #expect(text == "late")
      #expect(server.requests.count == 1)
    }
  }

  @Test("children of the process do not inherit connections")
  func closeOnExec() async throws {
    let answer = Gate()
    let arrived = Gate()
    try await withServer { connection in
      connection.readRequest()
      arrived.open()
      answer.blockUntilOpen()
      connection.answer()
    } _: { server, transport in
      async let response = transport.send(HTTPRequest(url: server.url()))
      await arrived.waitUntilOpen()
      let flags = ProcessState.descriptors(connectedTo: server.port).map { fcntl($0, F_GETFD) }
      answer.open()
      _ = try await response
      #expect(flags == [FD_CLOEXEC])
    }
  }
}
