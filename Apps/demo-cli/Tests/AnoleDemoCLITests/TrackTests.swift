// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrencyTesting
import AnoleEmulator
import AnoleModels
import Foundation
import Testing

@testable import AnoleDemoCLI

@Suite("track")
struct TrackTests {
  /// A folder for one test, removed afterwards.
  private func withStore<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("anole-track-\(UUID().uuidString)").path
    // A folder that cannot be removed harms no other test.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }

  @Test("events wait in the folder and arrive at the emulator inside, line by line")
  func wholeWay() async throws {
    try await withStore { store in
      let stored = await run(
        "track", "conversion", "77", "--visitor", "anna", "--revenue", "12.5", "--metadata",
        "5=Amex", "--metadata", "5=Visa", "--store", store)
      #expect(stored == Output(lines: ["stored; 1 event waits to be sent"]))
      let second = await run(
        "track", "data", "custom", "3", "a", "b c", "-v", "anna", "--store", store)
      #expect(second.text == "stored; 2 events wait to be sent\n")
      let status = try await runJSON("track", "status", "--store", store)
      #expect(status["queued"] == 2)
      let sent = try await runJSON("track", "drain", "--store", store)
      #expect(sent["outcome"] == "delivered 204")
      #expect(sent["sent"] == 2)
      #expect(sent["requests"] == 1)
      #expect(sent["compressed"] == true)
      #expect(sent["queued"] == 0)
      #expect(sent["findings"] == [])
      let received = try #require(sent["received"]?.arrayValue)
      let lines = received.compactMap(\.stringValue)
      #expect(lines.count == 2)
      #expect(
        lines.last?.contains(
          "&eventType=conversion&goalId=77&revenue=12.5&negative=false"
            + "&metadata=%7B%225%22%3A%5B%22Amex%22%2C%22Visa%22%5D%7D&visitorCode=anna") == true)
      #expect(lines.first?.contains("valuesCountMap=%7B%22a%22%3A1%2C%22b%20c%22%3A1%7D") == true)
      let nothing = await run("track", "flush", "--store", store)
      #expect(nothing.text == "nothing to send\nwaiting: 0 events, 0 bytes\n")
    }
  }

  @Test("every kind of data becomes its line")
  func kinds() async throws {
    try await withStore { store in
      let data = [
        ["device", "tablet"], ["place", "FR", "IDF", "Paris"], ["page", "https://a", "Title"],
        ["exposure", "300101", "990101"], ["segment", "7"],
      ]
      for words in data {
        let output = await Program.run(
          ["track", "data"] + words + ["--store", store], in: environment())
        #expect(output.status == ExitStatus.success, "\(output)")
      }
      let sent = try await runJSON("track", "flush", "--store", store)
      let types = sent["received"]?.arrayValue?.compactMap(\.stringValue).map { line in
        line.split(separator: "&").first { $0.hasPrefix("eventType=") }.map {
          String($0.dropFirst(10))
        }
      }
      #expect(
        types == [
          "staticData", "geolocation", "page", "experiment", "targetingSegment",
        ])
    }
  }

  @Test("events wait when the server refuses, and go to it when it takes them")
  func endpoint() async throws {
    let emulator = Emulator()
    try emulator.start()
    defer { emulator.stop() }
    let base = try #require(emulator.baseURL)
    emulator.addFault(.status(401), on: .tracking, times: 2)
    emulator.addFault(.status(400), on: .tracking)
    try await withStore { store in
      _ = await run("track", "data", "activity", "--store", store)
      let clock = ManualClock()
      var environment = environment()
      environment.clock = clock
      async let flush = Program.run(
        ["track", "flush", "--store", store, "--endpoint", base, "--no-compression"],
        in: environment)
      await clock.untilSleeping()
      clock.advance(by: .seconds(5))
      let refused = await flush
      #expect(refused.status == ExitStatus.negative)
      #expect(refused.text.contains("refused with status 401"))
      #expect(refused.text.contains("waiting: 1 event"))
      #expect(refused.remarks.count == 1)
      _ = try await emulator.waitForRequests(count: 2, route: .tracking)
      emulator.clearFaults()
      let sent = await run("track", "drain", "--store", store, "--endpoint", base)
      #expect(sent.status == ExitStatus.success)
      #expect(sent.text.hasPrefix("sent 1 event in 1 request, "))
      #expect(emulator.acceptedEvents.count == 1)
    }
  }

  @Test("without --store the folder lies below the user's state folder, one a site")
  func standardFolder() async throws {
    try await withStore { home in
      var environment = environment()
      environment.variable = { $0 == "HOME" ? home : nil }
      let output = await Program.run(
        ["track", "data", "activity", "--site", "a/b"], in: environment)
      #expect(output.status == ExitStatus.success, "\(output)")
      let folder = home + "/.local/state/anole/track/a%2Fb"
      #expect(FileManager.default.fileExists(atPath: folder))
      environment.variable = { _ in nil }
      let homeless = await Program.run(["track", "status"], in: environment)
      #expect(homeless.remarks.first?.contains("name one with --store FOLDER") == true)
    }
  }

  @Test("a folder that cannot be written is an error, not a loss")
  func unusableFolder() async throws {
    let output = await run("track", "data", "activity", "--store", "/dev/null/store")
    #expect(output.status == ExitStatus.usage)
    #expect(output.remarks.first?.hasPrefix("the event was not stored: ") == true)
  }

  @Test(
    "wrong calls get a sentence",
    arguments: [
      WrongCall(["track"], "track wants an action; write demo-cli track conversion GOAL | data"),
      WrongCall(["track", "flsh"], "track has no action \"flsh\"; write flush"),
      WrongCall(["track", "status", "x"], "track status takes no arguments"),
      WrongCall(["track", "conversion"], "write demo-cli track conversion GOAL"),
      WrongCall(["track", "conversion", "x"], "the goal id must be a whole number from 0"),
      WrongCall(["track", "conversion", "1", "--revenue", "nan"], "--revenue wants an amount"),
      WrongCall(["track", "conversion", "1", "--metadata", "x"], "--metadata wants INDEX=VALUE"),
      WrongCall(["track", "data"], "track data wants a kind: custom, device"),
      WrongCall(["track", "data", "phone"], "\"phone\" is no kind of data; there are custom"),
      WrongCall(["track", "data", "custom"], "track data custom wants a custom data index"),
      WrongCall(
        ["track", "data", "device", "toaster"], "\"toaster\" is no device; there are PHONE"),
      WrongCall(["track", "data", "device"], "write demo-cli track data device PHONE|TABLET"),
      WrongCall(["track", "data", "exposure", "1"], "write demo-cli track data exposure EXP"),
      WrongCall(["track", "data", "activity", "-v", ""], "--visitor wants 1 to 255 characters"),
      WrongCall(["track", "flush", "--endpoint", "x"], "--endpoint wants an address such as"),
      WrongCall(["track", "drain", "--within", "0"], "--within wants a whole number from 1"),
      WrongCall(["track", "status", "--store", ""], "--store wants a folder"),
      WrongCall(["track", "status", "--site", ""], "--site wants a site code"),
    ])
  func wrong(_ call: WrongCall) async {
    var environment = environment()
    environment.variable = { $0 == "HOME" ? "/nowhere" : nil }
    let output = await Program.run(call.arguments, in: environment)
    #expect(output.status == ExitStatus.usage)
    #expect(output.remarks.first?.hasPrefix(call.sentence) == true, "\(output.remarks)")
  }
}
