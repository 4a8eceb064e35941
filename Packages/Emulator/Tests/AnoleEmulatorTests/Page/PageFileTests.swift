// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import Foundation
import Testing

@Suite("Control page: files")
struct PageFileTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/CAnoleControlPage/Files")

  private static func names() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    try #require(names.count > 10)
    return names
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("every file is served as it lies in the folder, with its type")
  func served() async throws {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]
    try await withEmulator { emulator async throws in
      for name in try Self.names() {
        let answer = try await exchange(emulator.port, "GET", "/_page/\(name)")
        #expect(answer.status == 200)
        #expect(answer.text == (try Self.text(name)), "\(name) was changed after it was compiled")
        let type = try #require(types[String(name.split(separator: ".").last ?? "")])
        #expect(answer.header("Content-Type") == type)
      }
      let start = try await exchange(emulator.port, "GET", "/")
      #expect(start.text == (try Self.text("index.html")))
    }
  }

  @Test("what the files refer to exists, and is from here")
  func references() throws {
    let names = Set(try Self.names())
    let page = try Self.text("index.html")
    let places = page.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
    #expect(places.count == 5)
    for place in places where !place.hasPrefix("#") {
      #expect(place.hasPrefix("/_page/") && names.contains(String(place.dropFirst(7))), "\(place)")
    }
    var imported: Set<String> = ["main.js"]
    for name in names where name.hasSuffix(".js") {
      for match in try Self.text(name).matches(of: /from "([^"]*)"/) {
        let place = String(match.1)
        #expect(
          place.hasPrefix("./") && names.contains(String(place.dropFirst(2))), "\(name): \(place)")
        imported.insert(String(place.dropFirst(2)))
      }
    }
    #expect(imported == names.filter { $0.hasSuffix(".js") })
    // Every element that a script asks for by its id is there.
    for name in names where name.hasSuffix(".js") {
      for match in try Self.text(name).matches(of: /byID\("([^"]*)"\)/) {
        #expect(page.contains("id=\"\(match.1)\""), "\(name): \(match.1)")
      }
    }
  }

  @Test("nothing in the files makes code or markup of text, or names another host")
  func harmless() throws {
    let forbidden = [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
      "DOMParser", "createContextualFragment", "setHTML", "srcdoc", "javascript:", "setTimeout(\"",
      "localStorage", "document.cookie", "import(",
    ]
    for name in try Self.names() {
      let text = try Self.text(name)
      for word in forbidden { #expect(!text.contains(word), "\(name): \(word)") }
      let hosts = text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!hosts.contains("://") && !hosts.contains("\"//"), "\(name) names a host")
      #expect(!hosts.contains("@import") && !hosts.contains("url("), "\(name) loads something")
    }
    let page = try Self.text("index.html")
    #expect(page.matches(of: /<script(?![^>]* src=)/).isEmpty)
    #expect(page.matches(of: /<style|\sstyle=|\son[a-z]+=/).isEmpty)
  }

  @Test("the page may load nothing from elsewhere, is never kept, and is for this computer alone")
  func headers() async throws {
    try await withEmulator { emulator async throws in
      for target in ["/", "/_page/main.js"] {
        let answer = try await exchange(emulator.port, "GET", target)
        let policy = try #require(answer.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'self';"))
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
      }
      let json = try await exchange(emulator.port, "GET", "/_control/flags")
      #expect(json.header("X-Content-Type-Options") == "nosniff")
      #expect(json.header("Cache-Control") == "no-store")

      let wire = try await Wire.connect(emulator.port)
      try await wire.write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
      #expect(try await wire.answer().status == 403)
      let foreign = try await exchange(
        emulator.port, "GET", "/", headers: ["Origin: https://evil.example"])
      #expect(foreign.status == 403)
    }
  }

  @Test(
    "other methods and files are refused; requests for the page are not recorded, and meet no fault"
  )
  func requests() async throws {
    try await withEmulator { emulator async throws in
      emulator.addFault(.status(503), on: .unknown, times: nil)
      #expect(try await exchange(emulator.port, "GET", "/?x=y").status == 200)
      #expect(try await exchange(emulator.port, "POST", "/", body: "x").status == 405)
      #expect(try await exchange(emulator.port, "GET", "/_page/none.js").status == 404)
      #expect(try await exchange(emulator.port, "GET", "/_page/").status == 404)
      #expect(try await exchange(emulator.port, "GET", "/_page/../main.js").status == 404)
      let wire = try await Wire.connect(emulator.port)
      try await wire.write("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try await wire.answer(hasBody: false)
      #expect(head.status == 200)
      #expect(head.header("Content-Length").flatMap { Int($0) } ?? 0 > 1_000)
      #expect(emulator.requests().isEmpty)
      #expect(try await exchange(emulator.port, "GET", "/favicon.ico").status == 503)
    }
  }
}
