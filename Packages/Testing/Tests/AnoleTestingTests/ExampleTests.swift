// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking
import AnoleTesting
import Foundation
import Testing
import kameleoonClient

@Suite("The examples of the documentation")
struct ExampleTests {
  // [in-memory]
  @Test("the button has the title of the variation, and paying is reported")
  func checkout() {
    let client = InMemoryClient()
    let checkout = Checkout(client: client)
    #expect(checkout.buttonTitle == "Buy")

    client.set("checkout", key: "short", variables: ["title": "Pay now"])
    #expect(checkout.buttonTitle == "Pay now")

    checkout.pay(amount: 9.5)
    #expect(client.record.exposures == [.init(featureKey: "checkout", variationKey: "short")])
    #expect(client.record.conversions == [Conversion(goalId: 12, revenue: 9.5)])
  }
  // [/in-memory]

  // [real-client]
  @Test("a real client with a scripted network is ready when the data file has arrived")
  func realClient() async throws {
    let transport = ScriptedTransport(.json(#"{"featureFlags": []}"#))
    let client = try KameleoonClientFactory.create(
      siteCode: "testing-example", visitorCode: "v1", config: KameleoonClientConfig(),
      options: .testing(transport: transport))
    try await client.runWhenReady()
    #expect(transport.requests.first?.url.contains("/v3/testing-example") == true)
    #expect(throws: KameleoonError.Feature.notFound("checkout")) {
      try client.getVariation(featureKey: "checkout")
    }
    await client.close()
  }
  // [/real-client]

  @Test(
    "README and documentation page show the examples as they are compiled",
    arguments: ["README.md", "Sources/AnoleTesting/AnoleTesting.docc/AnoleTesting.md"])
  func documentation(_ file: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = folder.deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
    let examples = try [
      Self.section("code-under-test", of: folder.appendingPathComponent("Example.swift")),
      Self.section("in-memory", of: folder.appendingPathComponent("ExampleTests.swift")),
      Self.section("real-client", of: folder.appendingPathComponent("ExampleTests.swift")),
    ]
    for example in examples {
      #expect(text.contains("```swift\n\(example)\n```"), "\(example)")
    }
  }

  /// The lines between two marks, without the indentation they have in common.
  private static func section(_ name: String, of file: URL) throws -> String {
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    func line(_ mark: String) -> Int? {
      lines.firstIndex { $0.drop { $0 == " " } == "// [\(mark)]" }
    }
    let (start, end) = (try #require(line(name)), try #require(line("/\(name)")))
    let indentation = lines[start].prefix { $0 == " " }.count
    return lines[(start + 1)..<end].map { String($0.dropFirst(indentation)) }
      .joined(separator: "\n")
  }
}
