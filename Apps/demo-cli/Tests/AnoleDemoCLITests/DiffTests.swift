// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

// That counts agree with deciding visitor by visitor is tested in Packages/Analysis.
@Suite("diff")
struct DiffTests {
  @Test("files that say the same end with 0, whatever their text")
  func equal() async throws {
    let text = ShopDataFile.text.replacing("\"dateModified\": 1767225600000", with: "\"x\": 1")
    let output = await run("diff", "shop-before.json", "f", files: ["f": text])
    #expect(output.status == 0)
    #expect(output.text.hasPrefix("shop-before.json → f: no difference\n"))
    let document = try await runJSON("diff", "shop-before.json", "f", files: ["f": text])
    #expect(document["equal"] == true)
    #expect(document["moves"]?["variationChanges"] == 0)
  }

  @Test("differences end with 1: changes, then visitors by transitions")
  func different() async throws {
    let output = await run("diff", "shop-before.json", "shop-after.json", "--visitors", "2000")
    #expect(output.status == 1)
    #expect(
      output.text.contains(
        "~ flag \"checkout\", rule 6003: the exposition was 0.9, is 0.5\n"))
    #expect(output.text.contains("2,000 visitors: "))
    let document = try await runJSON(
      "diff", "shop-before.json", "shop-after.json", "--visitors", "2000")
    #expect(document["moves"]?["visitors"] == 2_000)
    let moved = document["moves"]?["variationChanges"]?.doubleValue ?? 0
    // Of 0.95 in the experiment 0.4 leave it, of whom 0.6 had another variation than off.
    let expected = 0.95 * 0.4 * 0.6
    #expect(abs(moved / 2_000 - expected) < 0.04)
  }

  @Test("without visitors the files alone are compared")
  func filesAlone() async throws {
    let document = try await runJSON(
      "diff", "shop-before.json", "shop-after.json", "--visitors", "0")
    #expect(document["moves"] == .null)
    #expect(document["equal"] == false)
    let output = await run("diff", "shop-before.json", "shop-after.json", "--visitors", "0")
    #expect(!output.text.contains("visitors"))
  }

  @Test("data that some visitors have count")
  func shares() async throws {
    let document = try await runJSON(
      "diff", "shop-before.json", "shop-after.json", "--visitors", "1000",
      "--share", "device=phone:0.5,desktop:0.5")
    let flags = document["moves"]?["flags"]?.arrayValue ?? []
    let gift = flags.first { $0["flag"] == "free_gift" }
    // Phones had the gift, computers get it: all whom the group does not exclude move.
    #expect((gift?["variationChanges"]?.integerValue ?? 0) > 400)
  }
}
