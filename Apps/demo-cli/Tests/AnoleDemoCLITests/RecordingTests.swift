// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lines of a command that runs beside the test.
private struct Running {
  let task: Task<Output, Never>
  let lines: AsyncStream<String>
  /// The address that the command has told.
  let address: String

  init(_ arguments: [String]) async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    var environment = environment(say: { line in
      continuation.yield(line)
      return true
    })
    environment.clock = ContinuousClock()
    let live = environment
    task = Task {
      let output = await Program.run(arguments + ["--json"], in: live)
      continuation.finish()
      return output
    }
    self.lines = lines
    var first: String?
    for await line in lines {
      first = line
      break
    }
    let document = try JSONValue(parsing: try #require(first))
    address = try #require(document["address"]?.stringValue)
  }
}

@Suite("record and replay", .serialized)
struct RecordingTests {
  /// Of an attempt, in milliseconds: a second attempt would be a request more.
  private static let limit = "120000"

  @Test("what was recorded is answered again, and nothing else")
  func roundTrip() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let platform = Emulator()
    platform.setDataFile(ShopDataFile.text, lastModified: "Thu, 01 Jan 2026 00:00:00 GMT")
    try platform.start()
    let upstream = try #require(platform.baseURL)
    let file = folder + "/talk.json"
    let record = try await Running(["record", file, "--endpoint", upstream, "--requests", "3"])
    #expect(try await talk(to: record.address, folder + "/first") == ["5 flags", "1 sent"])
    #expect(
      await run("fetch", "none", "--endpoint", record.address, "--timeout", Self.limit).status == 0)
    let output = await record.task.value
    #expect(output.status == ExitStatus.success)
    #expect(try JSONValue(parsing: output.text)["exchanges"] == 3)
    #expect(platform.acceptedEvents.count == 1)
    platform.stop()

    let recording = try JSONValue(parsing: try String(contentsOfFile: file, encoding: .utf8))
    #expect(recording["exchanges"]?[0]?["endpoint"] == "config")
    #expect(recording["exchanges"]?[1]?["request"]?["bodyLines"]?.arrayValue?.count == 1)
    #expect(recording["exchanges"]?[1]?["response"]?["status"] == 204)

    let replay = try await Running(["replay", file, "--requests", "3"])
    #expect(try await talk(to: replay.address, folder + "/second") == ["5 flags", "1 sent"])
    // Not recorded: no remote data.
    let (stream, status) = await get(replay.address + "/map/map?siteCode=a&key=b")
    #expect(status == 404)
    #expect(stream.hasPrefix("The recording has no remoteData"))
    let played = await replay.task.value
    #expect(played.status == ExitStatus.negative)
    let document = try JSONValue(parsing: played.text)
    #expect(document["used"] == 2)
    #expect(document["unknown"] == ["GET /map/map?siteCode=a&key=b"])
  }

  /// Fetches, tracks, and tells what came of it.
  private func talk(to address: String, _ store: String) async throws -> [String] {
    let fetched = await run(
      "fetch", "shop", "--endpoint", address, "--timeout", Self.limit, "--json")
    let flags = try JSONValue(parsing: fetched.text)["flags"]?.integerValue ?? -1
    _ = await run("track", "conversion", "7", "--store", store, "--site", "shop")
    let sent = await run(
      "track", "flush", "--store", store, "--site", "shop", "--endpoint", address,
      "--timeout", Self.limit, "--json")
    let count = try JSONValue(parsing: sent.text)["sent"]?.integerValue ?? -1
    return ["\(flags) flags", "\(count) sent"]
  }

  private func get(_ url: String) async -> (text: String, status: Int) {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    do throws(HTTPError) {
      let response = try await transport.send(HTTPRequest(url: url))
      return (String(decoding: response.body, as: UTF8.self), response.status)
    } catch {
      return ("\(error)", 0)
    }
  }

  @Test("an event stream is recorded piece by piece and played")
  func streams() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let platform = Emulator()
    platform.setDataFile(ShopDataFile.text, lastModified: "Thu, 01 Jan 2026 00:00:00 GMT")
    try platform.start()
    let upstream = try #require(platform.baseURL)
    let file = folder + "/talk.json"
    // The data file, the stream, and the changed file.
    let record = try await Running(["record", file, "--endpoint", upstream, "--requests", "3"])
    let watching = Task { [address = record.address] in
      await run(
        "fetch", "shop", "--endpoint", address, "--timeout", Self.limit, "--watch", "1")
    }
    try await platform.waitForOpenStreams(count: 1)
    platform.setDataFile(
      ShopDataFile.withoutCheckout, lastModified: "Fri, 02 Jan 2026 00:00:00 GMT")
    platform.pushConfigurationUpdate(timestamp: 1_767_312_000_000)
    #expect(await watching.value.status == ExitStatus.success)
    #expect(await record.task.value.status == ExitStatus.success)
    platform.stop()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("configuration-update-event"))

    let replay = try await Running(["replay", file, "--requests", "3"])
    let again = await run(
      "fetch", "shop", "--endpoint", replay.address, "--timeout", Self.limit, "--watch", "1")
    #expect(again.status == ExitStatus.success)
    #expect(await replay.task.value.status == ExitStatus.success)
  }

  @Test("credentials are not written down")
  func secrets() throws {
    var recording = Recording(siteCode: "shop")
    recording.exchanges = [
      Recording.Exchange(
        route: .token,
        request: Recording.Request(
          method: "POST", path: "/oauth/token", query: "siteCode=shop",
          fields: [Recording.Field(name: "authorization", value: "Basic c2VjcmV0")], body: []),
        answer: Recording.Answer(
          status: 200, body: .bytes(Array(#"{"access_token": "secret", "expires_in": 7}"#.utf8))))
    ]
    let text = recording.document.text()
    #expect(!text.contains("c2VjcmV0") && !text.contains("secret"))
    #expect(text.contains(#"\"expires_in\":7"#))
  }

  @Test("a recording survives writing and reading")
  func reading() throws {
    let body = [UInt8]([0xFF, 0x00, 0x41])
    var recording = Recording(siteCode: "shop")
    let request = Recording.Request(
      method: "POST", path: "/visit/events", query: "a=b", fields: [], body: Array("a\nb".utf8))
    recording.exchanges = [
      Recording.Exchange(route: .tracking, request: request, answer: Recording.Answer()),
      Recording.Exchange(
        route: .unknown, request: request,
        answer: Recording.Answer(
          status: 503, fields: [Recording.Field(name: "Retry-After", value: "5")],
          body: .bytes(body), delay: 12)),
      Recording.Exchange(
        route: .stream, request: request,
        answer: Recording.Answer(status: 200, body: .stream(["data: é\n", "\n"], isEnded: true))),
    ]
    let bytes = Array(recording.document.text().utf8)
    let read = try Recording(bytes, name: "r") { (file) throws(Failure) in throw Failure(file) }
    #expect(read == recording)
  }

  @Test(
    "wrong recordings are told with their place",
    arguments: [
      ("{", "r: not valid JSON"),
      ("{}", "r: \"exchanges\" is no list; name a file that demo-cli record has written"),
      (#"{"exchanges": [{}]}"#, "r: exchanges[0].endpoint is no text; mend it there"),
      (
        #"{"exchanges": [{"endpoint": "confg"}]}"#,
        "r: exchanges[0].endpoint is \"confg\"; did you mean config?; mend it there"
      ),
      (
        #"{"exchanges": [{"endpoint": "config"}]}"#,
        "r: exchanges[0].request is no object; mend it there"
      ),
      (
        #"{"exchanges": [{"endpoint": "config", "request": {"method": "GET", "path": "/"}, "response": {"status": 99}}]}"#,
        "r: exchanges[0].response.status is no whole number from 200 to 999; mend it there"
      ),
      (
        #"{"exchanges": [{"endpoint": "config", "request": {"method": "GET", "path": "/"}, "response": {"status": 200, "headers": {"a b": "c"}}}]}"#,
        "r: exchanges[0].response.headers.a b is no header field; mend it there"
      ),
    ])
  func wrong(_ text: String, _ sentence: String) {
    let failure = #expect(throws: Failure.self) {
      try Recording(Array(text.utf8), name: "r") { (file) throws(Failure) in throw Failure(file) }
    }
    #expect(failure?.description.hasPrefix(sentence) == true, "\(failure?.description ?? "")")
    #expect(failure?.status == ExitStatus.data)
  }
}
