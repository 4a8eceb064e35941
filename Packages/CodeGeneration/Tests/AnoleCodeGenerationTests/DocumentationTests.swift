// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let package = folder.deletingLastPathComponent().deletingLastPathComponent()

  @Test("the example does what it says")
  func example() throws {
    let shop = try Fixture.text("shop.json")
    #expect(try source(for: shop).contains("public enum ShopFlags"))
    let code = "\n  client.getVariation(featureKey: \"chekout\")"
    #expect(try unknownFlags(in: code, of: shop) == ["Checkout.swift:2: chekout"])
    #expect(throws: (any Error).self) { try source(for: "[]") }
  }

  @Test(
    "the documents show the examples as they are compiled",
    arguments: [
      "README.md", "Sources/AnoleCodeGeneration/AnoleCodeGeneration.docc/AnoleCodeGeneration.md",
    ])
  func sameExamples(_ document: String) throws {
    let page = try String(
      contentsOf: Self.package.appendingPathComponent(document), encoding: .utf8)
    let example = try String(
      contentsOf: Self.folder.appendingPathComponent("Example.swift"), encoding: .utf8)
    let code = example.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(page.contains("```swift\n\(code)```\n"))
    // Compiled with generated code by the repository's tests of consumers.
    let application = try String(
      contentsOf: Self.package.appendingPathComponent(
        "../../Tests/Consumers/Generated/Shop.swift"), encoding: .utf8)
    let marked = application.components(separatedBy: "// [application]\n").last?
      .components(separatedBy: "// [/application]").first
    #expect(page.contains("```swift\n\(try #require(marked))```\n"))
  }
}
