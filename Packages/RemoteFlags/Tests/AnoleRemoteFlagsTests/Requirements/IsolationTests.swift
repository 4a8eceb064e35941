// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Isolation of the wire (section 2.6)")
struct IsolationTests {
  @Test("words of the chosen wire form occur in one file only, in all modules")
  func words() throws {
    let sources = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Sources").standardizedFileURL
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 25)
    var hits: [String: Set<String>] = [:]
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in ["getFeatureFlags", "rule_id", "properties", "partial"] where text.contains(word)
      {
        hits[word, default: []].insert(file.lastPathComponent)
      }
    }
    let wire = "FeatureFlagWire.swift"
    #expect(hits["getFeatureFlags"] == [wire])
    #expect(hits["properties"] == [wire])
    #expect(hits["partial"] == [wire])
    #expect(hits["rule_id"] == [wire, "FlagImpression.swift"])
  }
}
