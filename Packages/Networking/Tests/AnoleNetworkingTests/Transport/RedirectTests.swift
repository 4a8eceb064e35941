// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

@testable import AnoleNetworking

struct RedirectCase: Sendable, CustomTestStringConvertible {
  let status: Int
  let method: HTTPRequest.Method
  let keeps: Bool
  var testDescription: String { "\(status) after \(method.rawValue)" }
}

let redirectCases = [301, 302, 303, 307, 308].flatMap { status in
  [
    RedirectCase(status: status, method: .get, keeps: true),
    RedirectCase(status: status, method: .post, keeps: status == 307 || status == 308),
  ]
}

let refusedLocations = [
  "ftp://127.0.0.1/file", "file:///etc/passwd", "gopher://127.0.0.1/", "http://", "http://a b/",
  "javascript:alert(1)",
]

@Suite("Transport: redirects", .timeLimit(.minutes(2)))
struct RedirectTests {
  @Test("307 and 308 keep method and body, the others go on with GET", arguments: redirectCases)
  func methods(_ row: RedirectCase) async throws {
    try await withServer { connection in
      connection.serve { request in
        if request.line.contains("/start") {
          connection.answer(
            "\(row.status) Elsewhere", headers: ["Location: ../end?x=1#part"], text: "moved")
        } else {
          connection.answer(text: "arrived")
        }
      }
    } _: { server, transport in
      let body = row.method == .post ? Array("data".utf8) : nil
      let response = try await transport.send(
        HTTPRequest(
          method: row.method, url: server.url("/a/b/start"),
          headers: ["Authorization": "Bearer t", "Content-Type": "text/plain", "X-Kept": "1"],
          body: body))
      #expect(response.status == 200)
      #expect(response.text == "arrived")
      let last = try #require(server.requests.last)
      #expect(last.line == "\(row.keeps ? row.method.rawValue : "GET") /a/end?x=1 HTTP/1.1")
      #expect(last.bodyText == (row.keeps && row.method == .post ? "data" : ""))
      #expect(last.values(of: "Authorization") == ["Bearer t"])
      #expect(last.values(of: "X-Kept") == ["1"])
      #expect(last.values(of: "Content-Type") == (row.keeps ? ["text/plain"] : []))
      #expect(server.connectionCount == 1)
    }
  }

  @Test(
    "a request may refuse redirects: the answer that leads elsewhere is the result",
    arguments: redirectCases)
  func refused(_ row: RedirectCase) async throws {
    try await withServer { connection in
      connection.serve { _ in
        connection.answer("\(row.status) Elsewhere", headers: ["Location: /end"], text: "moved")
      }
    } _: { server, transport in
      let body = row.method == .post ? Array("data".utf8) : nil
      let request = HTTPRequest(
        method: row.method, url: server.url("/start"), body: body, followsRedirects: false)
      let response = try await transport.send(request)
      #expect((response.status, response.text) == (row.status, "moved"))
      #expect(response.headers["Location"] == "/end")
      let stream = try await transport.open(request)
      #expect(stream.status == row.status)
      #expect(server.requests.map(\.line).allSatisfy { $0.contains(" /start ") })
    }
  }

  @Test("another port receives no credentials, and returning does not bring them back")
  func credentials() async throws {
    let other = try #require(
      LoopbackServer { connection in
        connection.serve { request in
          let target = request.line.split(separator: " ")[1].dropFirst()
          connection.answer("307 Back", headers: ["Location: http://127.0.0.1:\(target)/end"])
        }
      })
    defer { other.stop() }
    try await withServer { connection in
      connection.serve { request in
        if request.line.contains("/end") {
          _ = connection.answer(text: "end")
          return
        }
        connection.answer(
          "307 Away", headers: ["Location: \(other.origin)/\(request.values(of: "X-Port")[0])"])
      }
    } _: { server, transport in
      let headers: HTTPHeaders = [
        "authorization": "Basic c2VjcmV0", "Cookie": "a=b", "Proxy-Authorization": "x",
        "X-Port": "\(server.port)", "Host": "front.example",
      ]
      let response = try await transport.send(
        HTTPRequest(method: .post, url: server.url("/start"), headers: headers, body: [1]))
      #expect(response.text == "end")
      let seen = server.requests + other.requests
      let names = ["Authorization", "Cookie", "Proxy-Authorization"]
      let credentials = seen.map { request in names.flatMap { request.values(of: $0) }.count }
      #expect(credentials == [3, 0, 0])
      #expect(
        server.requests.map { $0.values(of: "Host") } == [
          ["front.example"], ["127.0.0.1:\(server.port)"],
        ])
      #expect(seen.map(\.body) == [[1], [1], [1]])
    }
  }

  @Test("another name of the same host receives no credentials")
  func otherName() async throws {
    try await withServer { connection in
      connection.serve { request in
        if request.line.contains("/end") {
          _ = connection.answer()
          return
        }
        let port = request.values(of: "Host")[0].split(separator: ":")[1]
        connection.answer("302 Found", headers: ["Location: //localhost:\(port)/end"])
      }
    } _: { server, transport in
      _ = try await transport.send(
        HTTPRequest(url: server.url(), headers: ["Authorization": "Bearer t"]))
      #expect(server.requests.map { $0.values(of: "Authorization").count } == [1, 0])
    }
  }

  @Test("user and password of a Location are not used")
  func userInLocation() async throws {
    try await withServer { connection in
      connection.serve { request in
        if request.line.contains("/end") {
          _ = connection.answer()
          return
        }
        let host = request.values(of: "Host")[0]
        connection.answer("302 Found", headers: ["Location: http://user:word@\(host)/end"])
      }
    } _: { server, transport in
      _ = try await transport.send(HTTPRequest(url: server.url()))
      #expect(server.requests.last?.values(of: "Authorization") == [])
    }
  }

  @Test("8 redirects are followed, a loop ends at the ninth")
  func limit() async throws {
    try await withServer { connection in
      connection.serve { request in
        let left = Int(request.line.split(separator: " ")[1].dropFirst()) ?? 0
        if left == 0 {
          _ = connection.answer(text: "done")
          return
        }
        connection.answer("302 Found", headers: ["Location: /\(left - 1)"])
      }
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url("/8")))
      #expect(response.text == "done")
      #expect(server.requests.count == 9)
      let error = await transport.failure(of: HTTPRequest(url: server.url("/9000")))
      #expect(error?.code == .tooManyRedirects)
      #expect(server.requests.count == 18)
    }
  }

  @Test("redirects to what is not http are refused", arguments: refusedLocations)
  func refused(_ location: String) async throws {
    try await withServer { connection in
      connection.serve { _ in connection.answer("302 Found", headers: ["Location: \(location)"]) }
    } _: { server, transport in
      let error = await transport.failure(of: HTTPRequest(url: server.url()))
      #expect(error?.code == .malformedAnswer)
      #expect(server.requests.count == 1)
    }
  }

  @Test("other 3xx statuses, and redirects without Location, are answers")
  func notFollowed() async throws {
    try await withServer { connection in
      connection.serve { request in
        let status = request.line.split(separator: " ")[1].dropFirst()
        let headers = status == "302" ? [] : ["Location: /elsewhere"]
        connection.answer("\(status) Odd", headers: headers, text: "here")
      }
    } _: { server, transport in
      for status in [300, 302, 305, 306] {
        let response = try await transport.send(HTTPRequest(url: server.url("/\(status)")))
        #expect(response.status == status)
        #expect(response.text == "here")
      }
    }
  }

  @Test("the endless body of a redirect is not read, and counts for no limit")
  func bodyOfRedirect() async throws {
    try await withServer { connection in
      guard let request = connection.readRequest() else { return }
      if request.line.contains("/end") {
        _ = connection.answer(text: "end")
        return
      }
      connection.write("HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n")
      while connection.write([UInt8](repeating: 0, count: 1 << 14)) {}
    } _: { server, transport in
      let response = try await transport.send(HTTPRequest(url: server.url(), maximumBodySize: 3))
      #expect(response.text == "end")
    }
  }

  @Test("https to http counts as another origin")
  func downgrade() throws {
    let request = HTTPRequest(
      url: "https://a.example/x", headers: ["Authorization": "t", "X": "1"])
    var plan = RedirectPlan(try OutgoingRequest(request, adding: [:]))
    let step = try plan.receive(status: 308, headers: ["Location": "http://a.example/y"])
    #expect(step == .send)
    #expect(plan.current.address.text == "http://a.example/y")
    #expect(plan.current.headers.map(\.name) == ["X"])
  }

  @Test("a written default port and upper case are the same origin")
  func sameOrigin() throws {
    let request = HTTPRequest(url: "HTTPS://A.example/x", headers: ["Authorization": "t"])
    var plan = RedirectPlan(try OutgoingRequest(request, adding: [:]))
    _ = try plan.receive(status: 302, headers: ["Location": "https://a.EXAMPLE:443/y z"])
    #expect(plan.current.headers.map(\.name) == ["Authorization"])
    #expect(plan.current.address.text.hasSuffix("/y%20z"))
  }
}
