// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

@Suite("Quick start")
struct QuickstartTests {
  @Test("is what the program does without a command, and ends without remarks")
  func bare() async throws {
    let output = await run()
    #expect(output.status == 0)
    #expect(output.remarks == [])
    for part in [
      "1. Three visitors", "dora  has the plan gold       one_page", "2. Why anna gets",
      "3. anna buys", "eventType=conversion&goalId=77&revenue=12.5", "4. Somebody switches",
      "now: anna gets nothing: the flag is switched off", "5. A flag that the server evaluates",
    ] {
      #expect(output.text.contains(part), "\(part)")
    }
  }

  @Test("tells programs the same, with no finding of the server")
  func document() async throws {
    let document = try await runJSON("quickstart")
    let visitors = document["visitors"]?.arrayValue ?? []
    #expect(visitors.map { $0["variation"] } == ["two_steps", "off", "one_page"])
    #expect(
      visitors.map { $0["reason"] } == ["experiment", "inHoldout", "targetedDelivery"])
    #expect(document["explanation"]?["outcome"]?["variation"] == "two_steps")
    #expect(document["conversion"]?["encoding"] == "gzip")
    #expect(document["conversion"]?["status"] == 204)
    #expect(document["conversion"]?["findings"] == [])
    #expect(document["change"]?["before"] == "two_steps")
    #expect(document["remoteFlag"]?["rule"] == "r_1a2b3c4d")
    #expect(document["remoteFlag"]?["properties"]?["max_items"] == 9)
  }

  @Test("every command that it suggests works")
  func suggestions() async throws {
    let prefix = "  scripts/demo-cli "
    let lines = await run().text.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(prefix) }
    #expect(lines == Quickstart.suggestions + Quickstart.serverSuggestions)
    let calls = lines.map { line in
      line.dropFirst(prefix.count).prefix { $0 != "#" }.split(separator: " ").map(String.init)
    }
    for call in calls.dropLast(Quickstart.serverSuggestions.count) {
      // 1 is what doctor says without a home folder.
      #expect(await Program.run(call, in: environment()).status < 2, "\(call)")
    }
    // Those that go on at least know their options.
    for call in calls {
      #expect(await Program.run(call + ["--help"], in: environment()).status == 0, "\(call)")
    }
  }
}
