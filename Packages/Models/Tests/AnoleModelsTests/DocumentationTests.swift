// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() throws {
    let variation = #"{"key":"on","variables":[{"key":"steps","type":"NUMBER","value":3}]}"#
    let text = "{\"featureFlags\":[{\"variations\":[{\"key\":\"off\"},7,\(variation)]}]}"
    #expect(try steps(in: text) == 3)
    #expect(try steps(in: "{}") == nil)
    #expect(throws: (any Error).self) { try steps(in: "[]") }
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleModels/AnoleModels.docc/AnoleModels.md"])
  func sameExample(_ document: String) throws {
    let example = Repository.package.appendingPathComponent("Tests/AnoleModelsTests/Example.swift")
    let source = try String(contentsOf: example, encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(
      contentsOf: Repository.package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
