// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() async throws {
    let old = try Repository.fixture("worked-example")
    let new = Array(
      String(decoding: old, as: UTF8.self)
        .replacing("\"exposition\": 0.05", with: "\"exposition\": 0.06").utf8)
    #expect(
      try await rehearse("new_checkout", old: old, new: new, at: testTime).hasPrefix(
        "the split holds: the counts are as chance makes them; "))
    #expect(
      try await rehearse("new_checkout", old: old, new: old, at: testTime).hasSuffix(
        "; 0 of 10000 visitors move"))
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleAnalysis/AnoleAnalysis.docc/AnoleAnalysis.md"])
  func sameExample(_ document: String) throws {
    let example = Repository.package.appendingPathComponent(
      "Tests/AnoleAnalysisTests/Example.swift")
    let source = try String(contentsOf: example, encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(
      contentsOf: Repository.package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
