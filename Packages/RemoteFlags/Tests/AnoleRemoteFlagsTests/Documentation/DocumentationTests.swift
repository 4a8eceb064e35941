// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleRemoteFlags
import AnoleStorageTesting
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  @Test("the example does what it says")
  func example() async throws {
    let rig = Rig(
      ScriptedServer {
        $0.isForFlags ? .flags(TestFlag("new_checkout", #"{"max_items":5}"#)) : .done
      })
    #expect(itemsOfNewCheckout(rig.client) == nil)
    await rig.refresh()
    #expect(itemsOfNewCheckout(rig.client) == 5)
    await rig.settle()
    #expect(rig.server.calls.map(\.method) == ["getFeatureFlags", "postEvent"])
    // Without a usable code nothing is sent, but all of it is made.
    let folder = try TemporaryFolder(isInMemory: true)
    let client = makeClient("no code", folder: folder.store)
    #expect(client.applicationCode == nil && client.flags.isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.database))
    await client.shutdown()
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleRemoteFlags/AnoleRemoteFlags.docc/AnoleRemoteFlags.md"])
  func sameExample(_ document: String) throws {
    let code = try text("Tests/AnoleRemoteFlagsTests/Documentation/Example.swift")
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(try text(document).contains("```swift\n\(code)```\n"))
  }

  @Test("every test that the guarantees name exists")
  func proofs() throws {
    let readme = try text("README.md").replacing("\n", with: " ").replacing(/\ +/, with: " ")
    let names = readme.split(separator: "*Test:* “").dropFirst()
      .compactMap { $0.split(separator: "”").first.map(String.init) }
    #expect(names.count >= 20)
    let titles = try testSources()
    for name in names { #expect(titles.contains("\"\(name)\""), "\(name)") }
  }

  @Test("every requirement of the specification has a test that begins with its number")
  func requirements() throws {
    let titles = try testSources()
    let numbers = Array(1...54) + Array(60...81) + Array(84...97) + Array(100...107)
    #expect(numbers.count == 98)
    for number in numbers {
      #expect(titles.contains("\"RF-\(number): "), "RF-\(number)")
    }
  }

  private static let package = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
  }

  private func testSources() throws -> String {
    let folder = Self.package.appendingPathComponent("Tests")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }
}
