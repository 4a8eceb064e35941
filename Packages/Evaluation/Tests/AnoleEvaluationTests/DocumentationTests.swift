// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() throws {
    // Section 1.10 of the evaluation specification.
    let (key, steps) = try checkout(
      of: "grace-hopper", in: try Repository.fixture("worked-example"),
      now: Timestamp(milliseconds: 1_760_000_000_000))
    #expect(key == "one_page")
    #expect(
      steps.hasSuffix(
        "  result: \"one_page\" (variation 990112, experiment 300102): the split of an experiment"))
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleEvaluation/AnoleEvaluation.docc/AnoleEvaluation.md"])
  func sameExample(_ document: String) throws {
    let example = Repository.package
      .appendingPathComponent("Tests/AnoleEvaluationTests/Example.swift")
    let source = try String(contentsOf: example, encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(
      contentsOf: Repository.package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
