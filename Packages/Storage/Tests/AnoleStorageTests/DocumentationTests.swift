// SPDX-License-Identifier: Apache-2.0

import AnoleStorage
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() async throws {
    let fixture = try Fixture()
    fixture.store.append((0..<25).map { item("\($0)") })
    var batches: [Int] = []
    let sent = await drain(fixture.store) { bodies in
      batches.append(bodies.count)
      return batches.count < 3
    }
    #expect(sent == 20)
    #expect(batches == [10, 10, 5])
    #expect(fixture.store.statistics().count == 5)
    #expect(await drain(fixture.store) { _ in true } == 5)
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleStorage/AnoleStorage.docc/AnoleStorage.md"])
  func sameExample(_ document: String) throws {
    let code = try text("Tests/AnoleStorageTests/Example.swift")
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(try text(document).contains("```swift\n\(code)```\n"))
  }

  @Test("every test that the guarantees name exists")
  func proofs() throws {
    let readme = try text("README.md")
    let names = readme.split(separator: "*Test:* “").dropFirst()
      .compactMap { $0.split(separator: "”").first.map(String.init) }
    #expect(names.count >= 15)
    let folder = Self.package.appendingPathComponent("Tests/AnoleStorageTests")
    let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { try text("Tests/AnoleStorageTests/" + $0) }.joined()
    for name in names {
      let title = name.replacing("\n", with: " ").replacing(/\ +/, with: " ")
      #expect(tests.contains("\"\(title)\""), "\(title)")
    }
  }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
  }
}
