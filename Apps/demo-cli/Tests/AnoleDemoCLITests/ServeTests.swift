// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Testing

@testable import AnoleDemoCLI

/// A disk of one test: files in memory with their stamps, and what was appended to them.
private final class Disk: Sendable {
  private struct State {
    var files: [String: String] = [:]
    var stamps: [String: FileStamp] = [:]
    var count = 0
  }

  private let state = Lock(State())

  func set(_ path: String, _ text: String?) {
    state.withLock { state in
      state.count += 1
      state.files[path] = text
      state.stamps[path] = text.map { _ in FileStamp(state.count) }
    }
  }

  func text(_ path: String) -> String? { state.withLock { $0.files[path] } }

  func environment(
    clock: any Clock<Duration> = ManualClock(), say: @escaping @Sendable (String) -> Bool
  ) -> Environment {
    var environment = Environment(
      read: { (path) throws(Failure) in
        guard let text = self.text(path) else {
          throw Failure("\(path): there is no such file; check the path")
        }
        return Array(text.utf8)
      }, now: { testTime }, say: say)
    environment.clock = clock
    environment.stamp = { path in self.state.withLock { $0.stamps[path] } }
    environment.append = { (bytes, path) throws(Failure) in
      self.set(path, (self.text(path) ?? "") + String(decoding: bytes, as: UTF8.self))
    }
    return environment
  }
}

/// A running `serve` and what it says.
private struct Serving {
  let address: String
  let lines: AsyncStream<String>
  let task: Task<Output, Never>

  init(
    _ arguments: [String], disk: Disk = Disk(), clock: any Clock<Duration> = ManualClock()
  ) async throws {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let environment = disk.environment(clock: clock) { line in
      continuation.yield(line)
      return true
    }
    task = Task {
      let output = await Program.run(["serve"] + arguments, in: environment)
      continuation.finish()
      return output
    }
    self.lines = lines
    var iterator = lines.makeAsyncIterator()
    let first = try #require(await iterator.next())
    let word = try #require(first.split(separator: " ").first { $0.hasPrefix("http") })
    address = String(word.dropLast())
  }

  func next() async throws -> String {
    var iterator = lines.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  /// Ends as with Ctrl-C.
  func end() async {
    task.cancel()
    #expect(await task.value == Output(lines: []))
  }
}

private func file(_ key: String) -> String {
  #"""
  {"featureFlags": [{"id": 1, "featureKey": "\#(key)", "environmentEnabled": true,
    "defaultVariationKey": "off", "variations": [{"key": "off"}], "rules": []}]}
  """#
}

@Suite("serve: a bad network and a changing file", .timeLimit(.minutes(5)))
struct ServingTests {
  @Test("faults by chance are those of the seed")
  func faults() async throws {
    func statuses(_ seed: String) async throws -> [String] {
      let serving = try await Serving([
        "--fault", "503:0.5", "--fault", "tracking=close:1", "--seed", seed, "--requests", "40",
      ])
      let transport = CurlTransport()
      for _ in 1...40 {
        _ = try await transport.send(HTTPRequest(method: .get, url: serving.address + "/v3/s"))
      }
      var statuses: [String] = []
      for await line in serving.lines { statuses.append(String(line.suffix(3))) }
      #expect(await serving.task.value == Output(lines: []))
      return statuses
    }
    let first = try await statuses("7")
    #expect(Set(first) == ["200", "503"])
    #expect(try await statuses("7") == first)
    #expect(try await statuses("8") != first)
  }

  @Test("answers take their time, streams break off, the clock is wrong")
  func network() async throws {
    let clock = ManualClock()
    let serving = try await Serving(
      [
        "--latency", "300", "--latency", "sse=0", "--clock-skew", "-1h", "--drop-stream-after",
        "30s",
      ], clock: clock)
    let fetch = Task { await run("fetch", "s", "--endpoint", serving.address, "--json") }
    await clock.untilSleeping()
    clock.advance(by: .milliseconds(300))
    let document = try JSONValue(parsing: await fetch.value.text)
    // 2026-01-01 at midnight, an hour late.
    #expect(document["lastModified"] == "Wed, 31 Dec 2025 23:00:00 GMT")
    #expect(try await serving.next() == "1. GET /v3/s → 200")
    await serving.end()
  }

  @Test("a file that changes is served anew; a bad one is told once, and the one before stays")
  func reload() async throws {
    let clock = ManualClock()
    let disk = Disk()
    disk.set("f.json", file("one"))
    let serving = try await Serving(["--data-file", "f.json"], disk: disk, clock: clock)
    func look() async {
      await clock.untilSleeping()
      clock.advance(by: DataFileWatch.interval)
      await clock.untilSleeping()
    }
    func flags() async throws -> String {
      let output = await run("fetch", "s", "--endpoint", serving.address, "--print")
      #expect(try await serving.next().hasSuffix("GET /v3/s → 200"))
      return output.text
    }
    #expect(try await flags() == file("one"))
    await look()
    disk.set("f.json", file("second"))
    await look()
    #expect(
      try await serving.next()
        == "f.json is served anew: \(file("second").utf8.count) bytes, 1 flag; "
        + "0 streams told")
    #expect(try await flags() == file("second"))
    // Half written at the first look: nothing is told.
    disk.set("f.json", "{")
    await look()
    disk.set("f.json", file("third"))
    await look()
    #expect(try await serving.next().hasPrefix("f.json is served anew"))
    disk.set("f.json", "[]")
    await look()
    await look()
    await look()
    #expect(
      try await serving.next()
        == "f.json: the root is not a JSON object; check that it is a data file; the one before is "
        + "served")
    #expect(try await flags() == file("third"))
    disk.set("f.json", nil)
    await look()
    await look()
    #expect(
      try await serving.next()
        == "f.json: there is no such file; check the path; the one before is served")
    // Only touched: nothing to tell.
    disk.set("f.json", file("third"))
    await look()
    disk.set("f.json", file("fourth"))
    await look()
    #expect(try await serving.next().contains("bytes, 1 flag; 0 streams told"))
    #expect(try await flags() == file("fourth"))
    await serving.end()
  }

  @Test("open streams are told of a new file, with a newer date each time")
  func reloadStreams() async throws {
    let disk = Disk()
    disk.set("f", file("one"))
    let said = Said()
    let emulator = Emulator()
    let environment = disk.environment(say: said.add)
    var watch = try DataFileWatch("f", on: emulator, in: environment)
    try emulator.start()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    func date() async throws -> String? {
      try await runJSON("fetch", "s", "--endpoint", base)["lastModified"]?.stringValue
    }
    #expect(try await date() == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(watch.look() == nil)
    disk.set("f", file("two"))
    #expect(watch.look() == .served(bytes: file("two").utf8.count, flags: 1, streams: 0))
    #expect(try await date() == "Thu, 01 Jan 2026 00:00:01 GMT")
    disk.set("f", file("three"))
    #expect(watch.look() == .served(bytes: file("three").utf8.count, flags: 1, streams: 0))
    #expect(try await date() == "Thu, 01 Jan 2026 00:00:02 GMT")
  }

  @Test("received events are kept in a file, one document a line")
  func journal() async throws {
    let disk = Disk()
    disk.set("events", "{\"before\": true}\n")
    let serving = try await Serving(["--journal", "events", "--requests", "1"], disk: disk)
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let place = ["--store", folder, "--endpoint", serving.address]
    _ = await Program.run(
      ["track", "conversion", "77", "--visitor", "anna"] + place, in: environment())
    _ = await Program.run(["track", "flush"] + place, in: environment())
    #expect(await serving.task.value == Output(lines: []))
    let lines = try #require(disk.text("events")).split(separator: "\n")
    #expect(lines.first == "{\"before\": true}")
    let documents = try lines.dropFirst().map { try JSONValue(parsing: String($0)) }
    #expect(!documents.isEmpty)
    let conversion = try #require(documents.first { $0["event"]?["eventType"] == "conversion" })
    #expect(conversion["time"] == .number(.integer(testTime.milliseconds)))
    #expect(conversion["request"] == 1)
    #expect(conversion["route"] == "tracking")
    #expect(conversion["status"] == 204)
    #expect(conversion["visitor"] == "anna")
    #expect(conversion["event"]?["goalId"] == "77")
    #expect(conversion["findings"] == [])
  }

  @Test("impressions of remote flags are events too")
  func impressions() async throws {
    let disk = Disk()
    let serving = try await Serving(["--journal", "events"], disk: disk)
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let place = ["--store", folder, "--endpoint", serving.address]
    _ = await Program.run(["remote", "user", "anna"] + place, in: environment())
    let sent = await Program.run(
      ["remote", "impression", "new_checkout"] + place, in: environment())
    #expect(sent.text == "impression of new_checkout sent\n")
    while !(try await serving.next().contains("postEvent")) {}
    await serving.end()
    let line = try #require(disk.text("events")?.split(separator: "\n").first)
    let document = try JSONValue(parsing: String(line))
    #expect(document["route"] == "postEvent")
    #expect(document["visitor"] == "anna")
    #expect(document["status"] == 200)
    #expect(document["event"]?["attributes"]?["flag_key"] != nil, "\(document)")
  }

  @Test("other computers reach the server only with a token")
  func exposure() async throws {
    let serving = try await Serving([
      "--address", "127.0.0.1", "--token", "0123456789abcdef", "--requests", "1",
    ])
    let port = try #require(serving.address.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(serving.address == "http://127.0.0.1:\(port)")
    #expect(await run("fetch", "s", "--endpoint", serving.address).status == 0)
    #expect(await serving.task.value == Output(lines: []))
  }

  @Test("requests are told although the journal was cleared meanwhile")
  func clearedJournal() async throws {
    let serving = try await Serving([])
    let transport = CurlTransport()
    for (number, status) in [(1, 200), (2, 404), (3, 404)] {
      _ = try await transport.send(HTTPRequest(method: .get, url: serving.address + "/v3/s"))
      #expect(try await serving.next() == "\(number). GET /v3/s → \(status)")
      _ = try await transport.send(
        HTTPRequest(method: .post, url: serving.address + "/_control/reset"))
    }
    await serving.end()
  }

  @Test("spans of time")
  func spans() {
    #expect(SpanText.parse("30s") == .seconds(30))
    #expect(SpanText.parse("200ms") == .milliseconds(200))
    #expect(SpanText.parse("-1h") == .seconds(-3_600))
    #expect(SpanText.parse("+2m") == .seconds(120))
    #expect(SpanText.parse("1d") == .seconds(86_400))
    #expect(SpanText.parse("0s") == .zero)
    for text in [
      "", "s", "30", "3x", "--1s", "1.5s", " 1s", "1000001s", "9999999999999999999s", "-",
    ] {
      #expect(SpanText.parse(text) == nil, "\(text)")
    }
  }
}
