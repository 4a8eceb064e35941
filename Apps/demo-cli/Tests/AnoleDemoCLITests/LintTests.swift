// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

// What is found is tested in Packages/Analysis.
@Suite("lint")
struct LintTests {
  @Test("the built-in shop and the specification's example are clean")
  func examples() async throws {
    #expect(await run("lint").text == "the built-in shop: clean (5 flags, 2 segments)\n")
    #expect(await run("lint", Place.workedExample).status == 0)
    let document = try await runJSON("lint")
    #expect(document["clean"] == true)
    #expect(document["findings"] == [])
  }

  @Test("findings end with 1, each with place, severity, sentence and code")
  func findings() async throws {
    let output = await run("lint", "shop-mistakes.json")
    #expect(output.status == 1)
    #expect(output.remarks == [])
    let lines = output.text.split(separator: "\n")
    #expect(lines.last == "shop-mistakes.json: 5 errors and 1 warning (5 flags, 2 segments)")
    for line in lines.dropLast() {
      #expect(line.contains(": error: ") || line.contains(": warning: "))
      #expect(line.hasSuffix("]"))
    }
    let document = try await runJSON("lint", "shop-mistakes.json")
    #expect(document["findings"]?.arrayValue?.count == lines.count - 1)
    #expect(document["errors"] == 5)
    #expect(document["warnings"] == 1)
    #expect(document["findings"]?[0]?["code"] == "unknown-condition-type")
  }
}
