// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels
import AnoleNetworking
import Testing

@testable import AnoleDemoCLI

@Suite("Watch")
struct WatchTests {
  /// Runs `watch`; `react` gets the lines said so far, whenever there is one more.
  private func watch(
    _ arguments: [String], react: @escaping @Sendable ([String]) -> Bool
  ) async -> (output: Output, lines: [String]) {
    let said = Said()
    let environment = environment(say: { line in
      _ = said.add(line)
      return react(said.lines)
    })
    let output = await Program.run(["watch"] + arguments, in: environment)
    return (output, said.lines)
  }

  private func started(_ emulator: Emulator) throws -> String {
    emulator.setDataFile(ShopDataFile.text, lastModified: HTTPDate.text(testTime))
    try emulator.start()
    return try #require(emulator.baseURL)
  }

  /// Serves another file and announces it, as soon as a stream is open.
  @Sendable
  private static func publish(_ text: String, second: Int64, _ emulator: Emulator) {
    let time = Timestamp(milliseconds: testTime.milliseconds + second * 1000)
    emulator.setDataFile(text, lastModified: HTTPDate.text(time))
    Task {
      try await emulator.waitForOpenStreams(count: 1)
      emulator.pushConfigurationUpdate(timestamp: time.milliseconds)
    }
  }

  @Test("tells the present answers and every change, also that a flag is switched off and on")
  func changes() async throws {
    let emulator = Emulator()
    let endpoint = try started(emulator)
    defer { emulator.stop() }
    let (output, lines) = await watch([
      "checkout", "summer_sale", "--visitor", "anna", "--site", "watched-1", "--endpoint", endpoint,
      "--changes", "2",
    ]) { lines in
      if lines.count == 2 { Self.publish(ShopDataFile.withoutCheckout, second: 1, emulator) }
      if lines.count == 3 { Self.publish(ShopDataFile.text, second: 2, emulator) }
      return true
    }
    #expect(
      lines == [
        "2026-01-01T00:00:00Z  checkout: two_steps, the split of an experiment (rule 6003)",
        "2026-01-01T00:00:00Z  summer_sale: on, the split of an experiment (rule 6004)",
        "2026-01-01T00:00:00Z  checkout: two_steps → nothing, the flag is switched off",
        "2026-01-01T00:00:00Z  checkout: nothing → two_steps, the split of an experiment "
          + "(rule 6003)",
      ])
    #expect(output == Output(lines: []))
  }

  @Test("a document a line, with what was before")
  func documents() async throws {
    let emulator = Emulator()
    let endpoint = try started(emulator)
    defer { emulator.stop() }
    let (output, lines) = await watch([
      "checkout", "--visitor", "anna", "--site", "watched-2", "--endpoint", endpoint,
      "--changes", "1", "--json",
    ]) { lines in
      if lines.count == 1 { Self.publish(ShopDataFile.withoutCheckout, second: 1, emulator) }
      return true
    }
    #expect(output == Output(lines: []))
    let documents = try lines.map { try JSONValue(parsing: $0) }
    #expect(documents.map { $0["variation"] } == ["two_steps", .null])
    #expect(documents.map { $0["changed"] } == [false, true])
    #expect(documents.map { $0["reason"] } == ["experiment", "environmentDisabled"])
    #expect(documents.map { $0["former"] } == [nil, "two_steps"])
    #expect(documents.map { $0["ruleId"] } == [6003, .null])
  }

  @Test("the emulator inside takes orders at the address that is told first")
  func inside() async throws {
    let transport = CurlTransport()
    defer { transport.shutdown() }
    let (output, lines) = await watch(["checkout", "--visitor", "anna", "--changes", "1"]) {
      lines in
      guard lines.count == 2, let address = lines[0].split(separator: " ").last else { return true }
      Task {
        func order(_ name: String, _ body: JSONValue) async throws -> JSONValue {
          let response = try await transport.send(
            HTTPRequest(
              method: .post, url: "\(address)/\(name)",
              headers: ["Content-Type": "application/json"], body: Array(body.text().utf8)))
          #expect(response.status == 200)
          return try JSONValue(parsing: response.body)
        }
        _ = try await order("data-file", ["text": .string(ShopDataFile.withoutCheckout)])
        // The stream may not be open yet.
        while try await order("stream", ["ts": 1])["streams"] == 0 {}
      }
      return true
    }
    #expect(output == Output(lines: []))
    #expect(lines.count == 3)
    #expect(lines.last?.hasSuffix("two_steps → nothing, the flag is switched off") == true)
  }

  @Test("ends when nobody reads any more")
  func unread() async throws {
    let (output, lines) = await watch(["checkout"]) { $0.count < 2 }
    #expect(output == Output(lines: []))
    #expect(lines.count == 2)
  }

  @Test("a cancelled watch without number is done, one with a number is not")
  func cancelled() async throws {
    for (extra, status) in [
      ([], ExitStatus.success), (["--changes", "2"], ExitStatus.interrupted),
    ] {
      let said = Said()
      let (told, continuation) = AsyncStream.makeStream(of: Void.self)
      let environment = environment(say: { line in
        continuation.yield()
        return said.add(line)
      })
      let work = Task { await Program.run(["watch", "checkout"] + extra, in: environment) }
      var count = 0
      for await _ in told {
        count += 1
        if count == 2 { break }
      }
      work.cancel()
      #expect(await work.value.status == status)
      #expect(said.lines.count == 2)
    }
  }
}
