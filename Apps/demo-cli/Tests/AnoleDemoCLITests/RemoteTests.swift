// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import Foundation
import Testing

@testable import AnoleDemoCLI

@Suite("remote")
struct RemoteTests {
  /// A folder for one test, removed afterwards.
  private func withStore<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-remote-\(UUID().uuidString)").path
    // A folder that cannot be removed harms no other test.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }

  @Test("flags are asked for once and read from the folder afterwards")
  func readingStored() async throws {
    try await withStore { store in
      let none = await run("remote", "list", "--store", store)
      #expect(none.text.hasPrefix("no flags for "))
      let missing = await run("remote", "get", "new_checkout", "--store", store)
      #expect(missing.status == ExitStatus.negative)
      #expect(
        missing.remarks == [
          "\"new_checkout\": no flags are stored; demo-cli remote refresh asks for them"
        ])
      let user = await run("remote", "user", "anna", "--store", store)
      #expect(user.status == ExitStatus.success, "\(user)")
      #expect(user.text.contains("new_checkout   on   rule r_1a2b3c4d  fresh  0 seconds old\n"))
      let stored = try await runJSON("remote", "get", "new_checkout", "--store", store)
      #expect(stored["enabled"] == true)
      #expect(stored["rule"] == "r_1a2b3c4d")
      #expect(stored["origin"] == "stored")
      #expect(stored["properties"]?["max_items"] == 9)
      let list = try await runJSON("remote", "list", "--store", store)
      #expect(list["user"] == "anna")
      #expect(
        list["flags"]?.arrayValue?.map { $0["key"] } == [
          "free_shipping", "new_checkout", "old_banner",
        ])
      let banner = await run("remote", "get", "old_banner", "--store", store)
      #expect(banner.text.hasPrefix("old_banner  off  killed  stored  "))
      #expect(banner.text.hasSuffix("\n  text  \"Sale\"\n"))
    }
  }

  @Test("another user's flags are never shown")
  func otherUser() async throws {
    try await withStore { store in
      _ = await run("remote", "user", "anna", "--store", store)
      _ = await run("remote", "user", "ben", "--store", store)
      let flag = try await runJSON("remote", "get", "new_checkout", "--store", store)
      #expect(flag["enabled"] == false)
      #expect(flag["rule"] == "default")
    }
  }

  @Test("refresh tells why there is no answer, and the stored flags stay")
  func refused() async throws {
    let emulator = Emulator()
    try emulator.setRemoteFlags(#"{"flags": [{"key": "a", "enabled": true}]}"#)
    try emulator.start()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    try await withStore { store in
      let first = await run("remote", "refresh", "--store", store, "--endpoint", base)
      #expect(first.text == "a  on  rule default  fresh  0 seconds old\n")
      emulator.addFault(.status(503), on: .featureFlags, times: nil)
      let output = await run("remote", "refresh", "--store", store, "--endpoint", base)
      #expect(output.status == ExitStatus.negative)
      #expect(output.remarks.first?.contains("status 503") == true)
      let document = await Program.run(
        ["remote", "refresh", "--json", "--store", store, "--endpoint", base], in: environment())
      #expect(try JSONValue(parsing: document.text)["code"] == 503)
      let flag = try await runJSON("remote", "get", "a", "--store", store)
      #expect(flag["enabled"] == true)
      let request = try #require(emulator.requests(.featureFlags).first)
      #expect(request.path == "/json/1.3/getFeatureFlags")
    }
  }

  @Test("an impression arrives with rule and state")
  func impression() async throws {
    let emulator = Emulator()
    try emulator.setRemoteFlags(ShopRemoteFlags.text)
    try emulator.start()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    try await withStore { store in
      let user = await run("remote", "user", "anna", "--store", store, "--endpoint", base)
      #expect(user.status == ExitStatus.success)
      let output = await run(
        "remote", "impression", "new_checkout", "--store", store, "--endpoint", base)
      #expect(output == Output(lines: ["impression of new_checkout sent"]))
      let impression = try #require(emulator.impressions.first)
      #expect(impression.user == "anna")
      #expect(impression.ruleID == "r_1a2b3c4d")
      let unknown = await run(
        "remote", "impression", "new_chekout", "--store", store, "--endpoint", base)
      #expect(unknown.status == ExitStatus.negative)
      #expect(unknown.remarks.first?.contains("did you mean new_checkout?") == true)
      emulator.addFault(.status(500), on: .postEvent, times: nil)
      let failed = await run(
        "remote", "impression", "new_checkout", "--store", store, "--endpoint", base)
      #expect(failed.status == ExitStatus.negative)
      #expect(failed.text == "impression of new_checkout not sent\n")
    }
  }

  @Test("watch tells each change as it comes")
  func watch() async throws {
    let emulator = Emulator()
    try emulator.setRemoteFlags(#"{"flags": [{"key": "a", "enabled": true}]}"#)
    try emulator.start()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    try await withStore { store in
      let (lines, continuation) = AsyncStream<String>.makeStream()
      let clock = ManualClock()
      var environment = Environment(
        read: { (path) throws(Failure) in try InputFile.bytes(of: path) }, now: { testTime },
        say: { line in
          continuation.yield(line)
          return true
        })
      environment.clock = clock
      async let output = Program.run(
        ["remote", "watch", "--changes", "2", "--store", store, "--endpoint", base],
        in: environment)
      var told = lines.makeAsyncIterator()
      #expect(await told.next() == "a  on  rule default  fresh  0 seconds old")
      try emulator.setRemoteFlags(#"{"flags": []}"#)
      await clock.untilSleeping()
      clock.advance(by: .seconds(2))
      #expect(await told.next() == "a  is gone")
      #expect(await output.status == ExitStatus.success)
    }
  }

  @Test(
    "wrong calls get a sentence",
    arguments: [
      WrongCall(["remote"], "remote wants an action; write demo-cli remote get KEY | list"),
      WrongCall(["remote", "lst"], "remote has no action \"lst\"; write list"),
      WrongCall(["remote", "get"], "write demo-cli remote get KEY"),
      WrongCall(["remote", "list", "x"], "write demo-cli remote list and nothing else"),
      WrongCall(["remote", "list", "--endpoint", "x"], "--endpoint wants an address such as"),
      WrongCall(["remote", "list", "--store", ""], "--store wants a folder"),
      WrongCall(["remote", "watch", "--every", "0"], "--every wants a whole number from 1"),
      WrongCall(
        ["remote", "list", "--rules", "rules.json"], "remote flags: flags[0].key is missing",
        status: ExitStatus.data),
      WrongCall(["remote", "list", "--rules", "/nowhere"], "/nowhere: "),
    ])
  func wrong(_ call: WrongCall) async throws {
    try await withStore { home in
      var environment = environment(["rules.json": #"{"flags": [{}]}"#])
      environment.variable = { $0 == "HOME" ? home : nil }
      let output = await Program.run(call.arguments, in: environment)
      #expect(output.status == call.status)
      #expect(output.remarks.first?.hasPrefix(call.sentence) == true, "\(output.remarks)")
    }
  }
}
