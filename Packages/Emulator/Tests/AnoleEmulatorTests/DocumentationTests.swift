// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() async throws {
    let statuses = try await fetchTwice { url in
      _ = try await onThread { try runTool("curl", ["--silent", "--noproxy", "*", url]) }
    }
    #expect(statuses == [503, 200])
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleEmulator/AnoleEmulator.docc/AnoleEmulator.md"])
  func sameExample(_ document: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: tests.appendingPathComponent("Example.swift"), encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(contentsOf: package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
