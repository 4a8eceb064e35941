// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Foundation
import Testing

@testable import AnoleDemoCLI

/// An environment whose lines go to a stream, in order.
private func speaking(_ continuation: AsyncStream<String>.Continuation) -> Environment {
  Environment(
    read: { (path) throws(Failure) in try InputFile.bytes(of: path) }, now: { testTime },
    say: { line in
      continuation.yield(line)
      return true
    })
}

@Suite("fetch")
struct FetchTests {
  private static func platform() throws -> Emulator {
    let emulator = Emulator()
    emulator.setDataFile(
      ShopDataFile.text, lastModified: "Thu, 01 Jan 2026 00:00:00 GMT", entityTag: "\"r1\"")
    try emulator.start()
    return emulator
  }

  @Test("tells what came, with the vendor's headers in the request")
  func text() async throws {
    let emulator = try Self.platform()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    let output = await run("fetch", "abc", "--endpoint", base, "--environment", "staging")
    #expect(
      output
        == Output(lines: [
          "\(base)/v3/abc?environment=staging", "4,456 bytes, 5 flags, 2 segments",
          "last modified: Thu, 01 Jan 2026 00:00:00 GMT", "changes are streamed",
        ]))
    let request = try #require(emulator.requests(.dataFile).first)
    #expect(request.header("X-Kameleoon-SDK-Type") == "SWIFT")
    #expect(request.header("X-Kameleoon-SDK-Version") == "4.27.2")
    #expect(request.header("User-Agent") == "demo-cli/0.1.0")
  }

  @Test("as JSON")
  func json() async throws {
    let emulator = try Self.platform()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    let document = try await runJSON("fetch", "abc", "--endpoint", base)
    #expect(document["flags"] == 5)
    #expect(document["lastModified"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(document["entityTag"] == "\"r1\"")
    #expect(document["streamed"] == true)
    #expect(document["diagnostics"] == [])
  }

  @Test("prints the file itself, byte for byte")
  func verbatim() async throws {
    let emulator = try Self.platform()
    defer { emulator.stop() }
    let output = await run(
      "fetch", "abc", "--endpoint", try #require(emulator.baseURL), "--print")
    #expect(output.text == ShopDataFile.text)
  }

  @Test("follows the changes of the event stream, with the time of the event")
  func watch() async throws {
    let emulator = try Self.platform()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    let (said, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      let output = await Program.run(
        ["fetch", "abc", "--endpoint", base, "--watch", "1"], in: speaking(continuation))
      continuation.finish()
      return output
    }
    var lines = said.makeAsyncIterator()
    #expect(await lines.next()?.hasPrefix("4,456 bytes, 5 flags") == true)
    try await emulator.waitForOpenStreams(count: 1)
    emulator.setDataFile(
      #"{"featureFlags":[]}"#, lastModified: "Fri, 02 Jan 2026 00:00:00 GMT")
    emulator.pushConfigurationUpdate(timestamp: 1_764_000_123_456)
    #expect(await lines.next()?.hasPrefix("19 bytes, 0 flags") == true)
    #expect(await task.value == Output(lines: []))
    let second = try #require(emulator.requests(.dataFile).last)
    #expect(second.query == "ts=1764000123456")
    #expect(second.header("If-Modified-Since") == "Thu, 01 Jan 2026 00:00:00 GMT")
  }

  @Test("a failed fetch is one sentence with the address")
  func failures() async throws {
    let emulator = Emulator()
    try emulator.start()
    let base = try #require(emulator.baseURL)
    let missing = await run("fetch", "abc", "--endpoint", base)
    #expect(missing.status == ExitStatus.network && missing.text.isEmpty)
    #expect(missing.remarks.first?.hasPrefix("\(base)/v3/abc: refused: status 404") == true)
    emulator.setDataFile("[]")
    let unreadable = await run("fetch", "abc", "--endpoint", base)
    #expect(unreadable.status == ExitStatus.data)
    #expect(unreadable.remarks.first?.contains("emptyDocument") == true)
    emulator.stop()
    let refused = await run("fetch", "abc", "--endpoint", base, "--timeout", "1000")
    #expect(refused.status == ExitStatus.network)
    #expect(refused.remarks.first?.contains("connectFailed") == true)
  }

  @Test(
    "wrong usage gets a sentence",
    arguments: [
      WrongCall(["fetch"], "fetch needs a site code; write demo-cli fetch SITE-CODE"),
      WrongCall(
        ["fetch", "a", "--endpoint", "ftp://x"],
        "--endpoint wants an address such as http://127.0.0.1:8080, not \"ftp://x\""),
      WrongCall(
        ["fetch", "a", "--endpoint", "http://x:99999"],
        "--endpoint wants an address such as http://127.0.0.1:8080, not \"http://x:99999\""),
      WrongCall(
        ["fetch", "a", "--timeout", "0"],
        "--timeout wants a whole number from 1 to 600000, not \"0\""),
      WrongCall(["serve", "x"], "serve takes no arguments; --data-file names what to serve"),
      WrongCall(
        ["serve", "--port", "http"], "--port wants a whole number from 1 to 65535, not \"http\""),
    ])
  func wrongUsage(_ call: WrongCall) async {
    let output = await Program.run(call.arguments, in: environment())
    #expect(output == Output(lines: [], remarks: [call.sentence], status: 2))
  }
}

@Suite("serve")
struct ServeTests {
  @Test("tells its address and every request, and ends after the number asked for")
  func serve() async throws {
    let (said, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      let output = await Program.run(
        ["serve", "--requests", "2"], in: speaking(continuation))
      continuation.finish()
      return output
    }
    var lines = said.makeAsyncIterator()
    let first = try #require(await lines.next())
    let base = try #require(first.split(separator: " ").first { $0.hasPrefix("http") })
    let address = String(base.dropLast())
    #expect(
      first == "serving at \(address); open it in a browser, or try demo-cli fetch any-site "
        + "--endpoint \(address)")
    #expect(await run("fetch", "shop", "--endpoint", address).status == 0)
    #expect(await lines.next()?.hasPrefix("1. GET /v3/shop") == true)
    #expect(await run("fetch", "other", "--endpoint", address).status == 0)
    #expect(await lines.next()?.hasPrefix("2. GET /v3/other") == true)
    #expect(await task.value == Output(lines: []))
  }

  @Test("a data file that cannot be read is not served")
  func unreadable() async {
    let output = await run("serve", "--data-file", "f", files: ["f": "[1]"])
    #expect(output.status == ExitStatus.data)
    #expect(
      output.remarks == ["f: the root is not a JSON object; check that it is a data file"])
  }

  @Test("remote flags are served by rules of the shop or of a file, which must be right")
  func remoteFlags() async throws {
    let (said, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      await Program.run(["serve", "--requests", "2"], in: speaking(continuation))
    }
    var lines = said.makeAsyncIterator()
    let first = try #require(await lines.next())
    let base = try #require(first.split(separator: " ").first { $0.hasPrefix("http") })
    let folder = FileManager.default.temporaryDirectory.path + "/anole-serve-\(UUID().uuidString)"
    // A folder that cannot be removed harms no other test.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for _ in 1...2 {
      let output = await run(
        "remote", "refresh", "--endpoint", String(base.dropLast()), "--store", folder)
      #expect(output.text.contains("free_shipping  on   rule default"))
    }
    #expect(await task.value == Output(lines: []))
    let wrong = await run("serve", "--remote-flags", "f", files: ["f": #"{"flags": 1}"#])
    #expect(
      wrong.remarks == [
        "remote flags: the document.flags is not a list; mend it at that place"
      ])
  }

  @Test("times are written as HTTP does")
  func dates() {
    #expect(HTTPDate.text(testTime) == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(
      HTTPDate.text(Timestamp(milliseconds: 1_764_000_123_456))
        == "Mon, 24 Nov 2025 16:02:03 GMT")
    #expect(HTTPDate.text(Timestamp(milliseconds: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }
}
