// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

struct EnvironmentCase: Sendable, CustomTestStringConvertible {
  let variables: [String: String]
  let http: String?
  let https: String?
  let exceptions: String

  init(
    _ variables: [String: String], http: String? = nil, https: String? = nil,
    exceptions: String = ""
  ) {
    self.variables = variables
    self.http = http
    self.https = https
    self.exceptions = exceptions
  }

  var testDescription: String { variables.keys.sorted().joined(separator: " ") }
}

let environmentCases = [
  EnvironmentCase([:]),
  EnvironmentCase(["http_proxy": "a:1"], http: "a:1"),
  EnvironmentCase(["HTTP_PROXY": "a:1"]),
  EnvironmentCase(["https_proxy": "b:2", "HTTPS_PROXY": "c:3"], https: "b:2"),
  EnvironmentCase(["https_proxy": "", "HTTPS_PROXY": "c:3"], https: "c:3"),
  EnvironmentCase(["all_proxy": "d:4"], http: "d:4", https: "d:4"),
  EnvironmentCase(["ALL_PROXY": "d:4", "http_proxy": "a:1"], http: "a:1", https: "d:4"),
  EnvironmentCase(["NO_PROXY": "x, y", "http_proxy": "a:1"], http: "a:1", exceptions: "x, y"),
  EnvironmentCase(["NO_PROXY": "x", "no_proxy": "*"], exceptions: "*"),
]

@Suite("Transport: proxies", .timeLimit(.minutes(2)))
struct ProxyTests {
  @Test("the usual variables name the proxies", arguments: environmentCases)
  func environment(_ row: EnvironmentCase) {
    let proxy = HTTPProxy.environment { row.variables[$0] }
    #expect(proxy.http == row.http)
    #expect(proxy.https == row.https)
    #expect(proxy.exceptions == row.exceptions)
  }

  @Test("requests go through the proxy, explicit or of the environment", arguments: [true, false])
  func through(_ isExplicit: Bool) async throws {
    let proxy = try #require(
      LoopbackServer { connection in
        connection.serve { _ in connection.answer(text: "by proxy") }
      })
    defer { proxy.stop() }
    let origin = proxy.origin
    let setting =
      isExplicit ? HTTPProxy.fixed(origin) : .environment { $0 == "http_proxy" ? origin : nil }
    let transport = CurlTransport(CurlTransport.Configuration(proxy: setting))
    defer { transport.shutdown() }
    let response = try await transport.send(
      HTTPRequest(url: "http://nowhere.invalid/path?x=1", headers: ["X": "y"]))
    #expect(response.text == "by proxy")
    let request = try #require(proxy.requests.first)
    #expect(request.line == "GET http://nowhere.invalid/path?x=1 HTTP/1.1")
    #expect(request.values(of: "X") == ["y"])
  }

  @Test("exceptions are reached directly", arguments: [true, false])
  func exceptions(_ isExplicit: Bool) async throws {
    let proxy = try #require(LoopbackServer { _ in })
    defer { proxy.stop() }
    let origin = proxy.origin
    var configuration = CurlTransport.Configuration.direct
    configuration.proxy =
      isExplicit
      ? .fixed(origin, except: ["other.example", "127.0.0.1"])
      : .environment { ["all_proxy": origin, "no_proxy": "localhost,127.0.0.1"][$0] }
    try await withServer(configuration: configuration) { connection in
      connection.serve { _ in connection.answer(text: "direct") }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url()))
      #expect(response.text == "direct")
      #expect(proxy.connectionCount == 0)
    }
  }

  @Test("a tunnel is asked for without the request's headers; its refusal is no answer")
  func refusedTunnel() async throws {
    let proxy = try #require(
      LoopbackServer { connection in
        connection.serve { _ in connection.answer("403 Forbidden", text: "no") }
      })
    defer { proxy.stop() }
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .fixed(proxy.origin)))
    defer { transport.shutdown() }
    let error = await transport.failure(
      of: HTTPRequest(url: "https://nowhere.invalid/", headers: ["Authorization": "secret"]))
    #expect(error?.code == .connectFailed)
    #expect(proxy.requests.map(\.line) == ["CONNECT nowhere.invalid:443 HTTP/1.1"])
    #expect(proxy.requests.first?.values(of: "Authorization") == [])
  }
}
