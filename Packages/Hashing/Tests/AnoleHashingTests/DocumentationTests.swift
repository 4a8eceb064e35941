// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct ButtonCase: Sendable, CustomTestStringConvertible {
  let visitorCode: String
  let expected: String?
  init(_ visitorCode: String, _ expected: String?) {
    self.visitorCode = visitorCode
    self.expected = expected
  }
  var testDescription: String { visitorCode }
}

/// Computed with Python's hashlib.
let buttonCases: [ButtonCase] = [
  ButtonCase("anna", nil),
  ButtonCase("ben", "old"),
  ButtonCase("carla", nil),
  ButtonCase("dora", "new"),
]

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says", arguments: buttonCases)
  func example(_ row: ButtonCase) {
    #expect(button(for: row.visitorCode) == row.expected)
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleHashing/AnoleHashing.docc/AnoleHashing.md"])
  func sameExample(_ document: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = folder.deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appendingPathComponent("Example.swift"), encoding: .utf8)
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    let page = try String(contentsOf: package.appendingPathComponent(document), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }
}
