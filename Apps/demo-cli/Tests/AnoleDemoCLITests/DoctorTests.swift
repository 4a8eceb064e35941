// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A proxy's variable and what is said of it.
struct ProxyCase: Sendable, CustomTestStringConvertible {
  let name: String
  let value: String
  let state: Check.State
  let text: String
  init(_ name: String, _ value: String, _ state: Check.State, _ text: String) {
    self.name = name
    self.value = value
    self.state = state
    self.text = text
  }
  var testDescription: String { "\(name)=\(value)" }
}

let proxyCases: [ProxyCase] = [
  ProxyCase("https_proxy", "proxy:3128", .ok, "https_proxy: http://proxy:3128"),
  ProxyCase("http_proxy", "http://me:secret@proxy", .ok, "http_proxy: http://proxy"),
  ProxyCase("all_proxy", "socks5h://[::1]:1080/", .ok, "all_proxy: socks5h://[::1]:1080"),
  ProxyCase("https_proxy", "ftp://proxy", .problem, "https_proxy has the unknown scheme \"ftp\""),
  ProxyCase("https_proxy", "http://:80", .problem, "https_proxy names no host"),
  ProxyCase("https_proxy", "http://proxy:http", .problem, "https_proxy has a port that is none"),
  ProxyCase("https_proxy", "http://proxy:70000", .problem, "https_proxy has a port that is none"),
  ProxyCase("HTTP_PROXY", "proxy", .warning, "HTTP_PROXY is set and not read"),
]

@Suite("Doctor")
struct DoctorTests {
  /// The checks by name, with variables and a time.
  private func checks(
    _ arguments: [String], variables: [String: String] = [:], now: Timestamp = testTime
  ) async throws -> (list: [JSONValue], status: Int32) {
    var environment = Environment(
      read: { (path) throws(Failure) in try InputFile.bytes(of: path) }, now: { now },
      say: { _ in true })
    environment.variable = { variables[$0] }
    let output = await Program.run(["doctor", "--json"] + arguments, in: environment)
    let document = try JSONValue(parsing: output.text)
    return (document["checks"]?.arrayValue ?? [], output.status)
  }

  private func check(_ name: String, _ list: [JSONValue]) -> JSONValue? {
    list.first { $0["check"]?.stringValue == name }
  }

  @Test(
    "a proxy is told without user and password, a wrong one is a problem", arguments: proxyCases)
  func proxy(_ row: ProxyCase) async throws {
    let (list, status) = try await checks([], variables: [row.name: row.value, "HOME": "/"])
    let found = try #require(check("proxy", list))
    #expect(found["state"]?.stringValue == row.state.rawValue)
    #expect(found["text"]?.stringValue == row.text)
    #expect((found["next"]?.stringValue != nil) == (row.state != .ok))
    if row.state == .problem { #expect(status == 1) }
    #expect(!list.contains { $0.text().contains("secret") })
  }

  @Test("the libraries have versions")
  func libraries() async throws {
    let (list, _) = try await checks([])
    for name in ["libcurl", "zlib", "SQLite", "libmicrohttpd"] {
      let text = try #require(check(name, list)?["text"]?.stringValue)
      #expect(text.contains(/^\d+\.\d+/), "\(name): \(text)")
    }
    #expect(check("patterns", list)?["text"]?.stringValue?.hasPrefix("PCRE2 1") == true)
    #expect(check("server", list)?["text"]?.stringValue?.hasPrefix("not asked") == true)
  }

  @Test("the clock is compared with the server's")
  func clock() async throws {
    let emulator = Emulator()
    try emulator.start()
    defer { emulator.stop() }
    let endpoint = try #require(emulator.baseURL)
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    let (good, _) = try await checks(["--endpoint", endpoint], now: now)
    #expect(check("clock", good)?["state"] == "ok")
    #expect(check("server", good)?["text"]?.stringValue?.hasSuffix("with status 404") == true)
    let (late, status) = try await checks(
      ["--endpoint", endpoint], now: Timestamp(milliseconds: now.milliseconds - 7_230_000))
    #expect(check("clock", late)?["state"] == "problem")
    #expect(check("clock", late)?["text"] == "this computer is 2 hours behind the server")
    #expect(status == 1)
  }

  @Test("a server that cannot be reached is a problem")
  func unreachable() async throws {
    let emulator = Emulator()
    try emulator.start()
    let endpoint = try #require(emulator.baseURL)
    emulator.stop()
    let (list, status) = try await checks(["--endpoint", endpoint])
    #expect(check("server", list)?["state"] == "problem")
    #expect(status == 1)
  }

  @Test("certificates that are none are a problem")
  func certificates() async throws {
    let (none, status) = try await checks(["--ca-file", Place.workedExample])
    #expect(check("certificates", none)?["state"] == "problem")
    #expect(status == 1)
    let (missing, _) = try await checks(["--ca-file", "/nowhere/ca.pem"])
    #expect(
      check("certificates", missing)?["text"]
        == "/nowhere/ca.pem: there is no such file; check the path")
    let (good, _) = try await checks(["--ca-file", Place.fixtures + "/authority.pem"])
    #expect(check("certificates", good)?["state"] == "ok")
  }

  @Test("the state folder: none, below a file, open to others, with a damaged store")
  func state() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let (homeless, _) = try await checks([])
    #expect(check("state", homeless)?["state"] == "problem")
    try "no database".write(
      toFile: folder + "/anole.sqlite", atomically: true, encoding: .utf8)
    let (below, _) = try await checks(["--store", folder + "/anole.sqlite/x"])
    #expect(check("state", below)?["state"] == "problem")
    let modes: [(Int, JSONValue)] = [(0o755, "warning"), (0o700, "ok")]
    for (mode, state) in modes {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
      let (list, status) = try await checks(["--store", folder])
      #expect(check("state", list)?["state"] == state)
      #expect(check("disk", list) != nil)
      #expect(check("stores", list)?["text"] == "1 of 1 store damaged")
      #expect(status == 1)
    }
    // It leaves nothing behind.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["anole.sqlite"])
  }

  @Test("settings and their file are named")
  func settings() async throws {
    let (list, _) = try await checks(
      [], variables: ["ANOLE_SITE": "shop", "ANOLE_TIMEOUT": "100", "LANG": "C"])
    #expect(check("settings", list)?["text"] == "no file, ANOLE_SITE and ANOLE_TIMEOUT")
    #expect(check("locale", list)?["text"] == "C; text is UTF-8 whatever it says")
  }
}
