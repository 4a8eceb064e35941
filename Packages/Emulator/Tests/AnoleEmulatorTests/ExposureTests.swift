// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import Testing

/// An address or token that is refused.
struct ExposureCase: Sendable {
  let address: String
  let token: String
}

let refusedExposures: [ExposureCase] = [
  ExposureCase(address: "example.org", token: "0123456789abcdef"),
  ExposureCase(address: "", token: "0123456789abcdef"),
  ExposureCase(address: "256.0.0.1", token: "0123456789abcdef"),
  ExposureCase(address: "[0.0.0.0]", token: "0123456789abcdef"),
  ExposureCase(address: "0.0.0.0", token: ""),
  ExposureCase(address: "0.0.0.0", token: "0123456789abcde"),
  ExposureCase(address: "0.0.0.0", token: "0123456789abcdef;"),
  ExposureCase(address: "0.0.0.0", token: "0123456789abcdef "),
  ExposureCase(address: "0.0.0.0", token: "0123456789abcdefé"),
  ExposureCase(address: "0.0.0.0", token: String(repeating: "a", count: 513)),
]

@Suite("Other addresses than loopback")
struct ExposureTests {
  private static let token = "0123456789abcdef"

  private func exposed(_ address: String = "0.0.0.0") throws -> Emulator {
    let emulator = Emulator()
    emulator.setDataFile("{}")
    try emulator.start(exposedAt: address, token: Self.token)
    return emulator
  }

  @Test("an address that is none and a token that is weak are refused", arguments: refusedExposures)
  func refused(_ row: ExposureCase) throws {
    let emulator = Emulator()
    let error = #expect(throws: EmulatorError.self) {
      try emulator.start(exposedAt: row.address, token: row.token)
    }
    #expect(error?.code == .invalidArgument)
    #expect(!emulator.isRunning)
  }

  @Test("control requests and the page ask for the token, the platform's routes do not")
  func token() async throws {
    let emulator = try exposed()
    defer { emulator.stop() }
    let port = try #require(emulator.port)
    #expect(emulator.baseURL == "http://127.0.0.1:\(port)")
    for path in ["/_control/state", "/_control", "/", "/_page/main.js", "/_control/nothing"] {
      let answer = try await exchange(port, "GET", path)
      #expect(answer.status == 401, "\(path)")
      #expect(answer.text.contains("asks for its token"))
    }
    for path in ["/v3/s", "/nothing"] {
      #expect(try await exchange(port, "GET", path).status != 401)
    }
    func status(_ headers: String...) async throws -> Int? {
      try await exchange(port, "GET", "/_control/state", headers: headers).status
    }
    #expect(try await status("Authorization: Bearer \(Self.token)") == 200)
    #expect(try await status("Authorization: Bearer \(Self.token)x") == 401)
    #expect(try await status("Authorization: Bearer \(Self.token.uppercased())") == 401)
    #expect(try await status("Authorization: Bearer ") == 401)
    #expect(try await status("Cookie: a=b; anole-token-\(port)=\(Self.token); c=d") == 200)
    #expect(try await status("Cookie: anole-token-\(port)=x\(Self.token)") == 401)
    #expect(try await status("Cookie: anole-token-\(port &+ 1)=\(Self.token)") == 401)
    #expect(try await status("Cookie: x-anole-token-\(port)=\(Self.token)") == 401)
    #expect(
      try await exchange(port, "POST", "/_control/reset", headers: []).status == 401,
      "nothing is changed without the token")
    #expect(try await exchange(port, "GET", "/v3/s").status == 200)
  }

  @Test("a browser gets a cookie by opening the page with the token")
  func cookie() async throws {
    let emulator = try exposed("127.0.0.1")
    defer { emulator.stop() }
    let port = try #require(emulator.port)
    #expect(try await exchange(port, "GET", "/?token=wrong").status == 401)
    #expect(try await exchange(port, "GET", "/_control/state?token=\(Self.token)").status == 401)
    let answer = try await exchange(port, "GET", "/?token=\(Self.token)")
    #expect(answer.status == 303)
    #expect(answer.header("Location") == "/")
    #expect(
      answer.header("Set-Cookie")
        == "anole-token-\(port)=\(Self.token); Path=/; HttpOnly; SameSite=Strict")
    #expect(answer.header("Cache-Control") == "no-store")
    let page = try await exchange(
      port, "GET", "/", headers: ["Cookie: anole-token-\(port)=\(Self.token)"])
    #expect(page.status == 200)
    #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
  }

  @Test("pages of other origins are refused even with the cookie; any host name is fine")
  func origins() async throws {
    let emulator = try exposed()
    defer { emulator.stop() }
    let port = try #require(emulator.port)
    func status(host: String, origin: String?) async throws -> Int? {
      let wire = try await Wire.connect(port)
      let origin = origin.map { "Origin: \($0)\r\n" } ?? ""
      try await wire.write(
        "GET /_control/state HTTP/1.1\r\nHost: \(host)\r\n\(origin)"
          + "Cookie: anole-token-\(port)=\(Self.token)\r\n\r\n")
      return try await wire.answer().status
    }
    #expect(try await status(host: "lab:\(port)", origin: nil) == 200)
    #expect(try await status(host: "lab:\(port)", origin: "http://lab:\(port)") == 200)
    #expect(try await status(host: "lab:\(port)", origin: "http://LAB:\(port)") == 200)
    #expect(try await status(host: "lab:\(port)", origin: "https://lab:\(port)") == 403)
    #expect(try await status(host: "lab:\(port)", origin: "http://lab") == 403)
    #expect(try await status(host: "lab:\(port)", origin: "http://evil.example") == 403)
    #expect(try await status(host: "lab:\(port)", origin: "null") == 403)
  }

  @Test("IPv6 with and without brackets", arguments: ["::1", "[::1]", "::"])
  func ipv6(_ address: String) async throws {
    let emulator = try exposed(address)
    defer { emulator.stop() }
    #expect(emulator.baseURL == "http://[::1]:\(try #require(emulator.port))")
    let wire = try await Wire.connect(emulator.port, ipv6: true)
    try await wire.write(requestBytes("GET", "/v3/s"))
    #expect(try await wire.answer().status == 200)
  }

  @Test("the token ends with the run")
  func restart() async throws {
    let emulator = try exposed()
    emulator.stop()
    try emulator.start()
    defer { emulator.stop() }
    #expect(try await exchange(emulator.port, "GET", "/_control/state").status == 200)
  }
}
