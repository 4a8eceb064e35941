// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What W5 needs: its flag, and visitors.
private let dataFile = #"""
  {"featureFlags": [{"id": 1, "featureKey": "w5", "environmentEnabled": true,
    "defaultVariationKey": "off", "variations": [{"key": "off"}, {"key": "on"}, {"key": "v2"}],
    "rules": [{"id": 2, "type": "EXPERIMENTATION", "exposition": 1, "experimentId": 3,
      "variationByExposition": [
        {"variationKey": "on", "variationId": 4, "exposition": 0.5},
        {"variationKey": "v2", "variationId": 5, "exposition": 0.5}]}]}]}
  """#

@Suite("bench")
struct BenchTests {
  @Test("measures what is named, in text and JSON, and proves the work")
  func measures() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try dataFile.write(toFile: folder + "/small.json", atomically: true, encoding: .utf8)
    try (1...100).map { "visitor-\($0)\n" }.joined()
      .write(toFile: folder + "/visitors.txt", atomically: true, encoding: .utf8)
    let document = try await runJSON("bench", "w5", "--data", folder, "--rounds", "3")
    let measurement = try #require(document["measurements"]?[0])
    #expect(measurement["workload"] == "W5")
    #expect(measurement["metric"] == "distinct_visitors")
    #expect(measurement["unit"] == "ns/op")
    #expect(measurement["samples"]?.arrayValue?.count == 3)
    let counts = try #require(measurement["check"]?.stringValue).split(separator: " ")
      .compactMap { Int($0) }
    #expect(counts.count == 3 && counts.reduce(0, +) == 100 && counts[0] == 0)
    let text = await run("bench", "W5", "--data", folder, "--rounds", "1").text
    #expect(text.hasPrefix("workload  metric             "))
    #expect(text.contains("W5        distinct_visitors  "))
  }

  @Test("inputs that are missing or wrong are invalid data")
  func wrongInputs() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try "{".write(toFile: folder + "/small.json", atomically: true, encoding: .utf8)
    #expect(await run("bench", "W1", "--data", folder).status == ExitStatus.data)
    #expect(
      await run("bench", "W1", "--data", folder, "--rounds", "none").remarks.first?
        .hasPrefix("--rounds: none is no number") == true)
  }
}
