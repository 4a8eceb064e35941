// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

let refusedRequests: [HTTPRequest] = [
  HTTPRequest(url: ""),
  HTTPRequest(url: "/path"),
  HTTPRequest(url: "127.0.0.1:80/path"),
  HTTPRequest(url: "ftp://127.0.0.1/"),
  HTTPRequest(url: "file:///etc/passwd"),
  HTTPRequest(url: "http://"),
  HTTPRequest(url: "http://127.0.0.1:99999/"),
  HTTPRequest(url: "http://user:word@127.0.0.1/"),
  HTTPRequest(url: "http://127.0.0.1/a b"),
  HTTPRequest(url: "http://127.0.0.1/\u{e9}"),
  HTTPRequest(url: "http://127.0.0.1/\r\nX: y"),
  HTTPRequest(url: "http://127.0.0.1/\0"),
  HTTPRequest(url: "http://127.0.0.1/", headers: ["A": "b\r\nC: d"]),
  HTTPRequest(url: "http://127.0.0.1/", headers: ["A": "b\0"]),
  HTTPRequest(url: "http://127.0.0.1/", headers: ["A:": "b"]),
  HTTPRequest(url: "http://127.0.0.1/", headers: ["": "b"]),
  HTTPRequest(url: "http://127.0.0.1/", headers: ["content-length": "4"]),
  HTTPRequest(url: "http://127.0.0.1/", headers: ["Transfer-Encoding": "chunked"]),
  HTTPRequest(url: "http://127.0.0.1/", body: [1]),
]

@Suite("Transport: requests", .timeLimit(.minutes(2)))
struct RequestTests {
  @Test(
    "requests that cannot be sent as they are fail before anything is sent",
    arguments: refusedRequests)
  func refused(_ request: HTTPRequest) async {
    let transport = CurlTransport(.direct)
    let error = await transport.failure(of: request)
    #expect(error?.code == .invalidRequest)
    await #expect(throws: HTTPError.self) { _ = try await transport.open(request) }
    let reported: HTTPError? = await withCheckedContinuation { continuation in
      transport.send(request, executor: AtOnce()) { result in
        if case .failure(let error) = result { continuation.resume(returning: error) }
      }
    }
    #expect(reported?.code == .invalidRequest)
  }

  @Test("the header closure adds what the request has not, per request")
  func headerClosure() async throws {
    var configuration = CurlTransport.Configuration.direct
    configuration.requestHeaders = { request in
      ["X-Path": String(request.url.suffix(2)), "X-Own": "closure", "Authorization": "Bearer c"]
    }
    try await withServer(configuration: configuration) { connection in
      connection.serve { _ in connection.answer() }
    } _: { server, transport in
      for path in ["/a", "/b"] {
        _ = try await transport.send(HTTPRequest(url: server.url(path), headers: ["x-own": "mine"]))
      }
      let requests = server.requests
      #expect(requests.map { $0.values(of: "X-Path") } == [["/a"], ["/b"]])
      #expect(requests.map { $0.values(of: "X-Own") } == [["mine"], ["mine"]])
      #expect(requests.map { $0.values(of: "Authorization") } == [["Bearer c"], ["Bearer c"]])
    }
  }

  @Test("the User-Agent is the configured one, or the request's own")
  func userAgent() async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer() }
    } _: { server, transport in
      _ = try await transport.send(HTTPRequest(url: server.url()))
      _ = try await transport.send(HTTPRequest(url: server.url(), headers: ["User-Agent": "own"]))
      let sent = server.requests.map { $0.values(of: "User-Agent") }
      #expect(sent == [["anole-tests/1.0"], ["own"]])
    }
  }

  @Test("a User-Agent has printable ASCII only, and is never empty or curl's")
  func userAgentText() {
    #expect(HTTPUserAgent("a\u{e9}b\r\nX: y\t1").description == "abX: y1")
    #expect(HTTPUserAgent("\u{1f98e}").description == HTTPUserAgent.standard().description)
    let standard = HTTPUserAgent.standard(name: "My App\u{e9}", version: "1.2 (3)").description
    #expect(standard.hasPrefix("My-App/1.2-3 ("))
    #expect(standard.hasSuffix(")"))
    let automatic = HTTPUserAgent.standard().description
    #expect(automatic.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    #expect(!automatic.hasPrefix("("))
    #expect(!automatic.lowercased().contains("curl"))
  }

  @Test("errors name the host, and neither path, query nor header")
  func errorText() async throws {
    try await withServer { connection in
      connection.readRequest()
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: server.url("/path?visitor=42"), headers: ["Authorization": "token"]))
      let text = try #require(error?.description)
      #expect(text.contains("127.0.0.1:\(server.port)"))
      for secret in ["path", "visitor", "42?", "token"] { #expect(!text.contains(secret)) }
    }
  }
}
