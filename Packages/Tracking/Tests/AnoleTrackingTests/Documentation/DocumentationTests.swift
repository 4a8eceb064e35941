// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworking
import AnoleStorageTesting
import AnoleTracking
import Foundation
import Testing

@Suite("Documentation", .timeLimit(.minutes(1)))
struct DocumentationTests {
  @Test("the example does what it says")
  func example() async throws {
    let folder = try TemporaryFolder()
    let emulator = Emulator()
    try emulator.start()
    defer { emulator.stop() }
    let transport = CurlTransport(CurlTransport.Configuration(proxy: .none))
    defer { transport.shutdown() }
    let address = EndpointAddress(port: emulator.port.map { Int($0) })
    let requests = PlatformRequests(
      urls: PlatformURLs(
        siteCode: "s", identity: ClientIdentity(name: "SWIFT", version: "1.2.3"),
        overrides: [.tracking: address]),
      userAgent: UserAgent(name: "Shop", version: "1"))
    let delivery = await deliver(
      [1, 2, 3], of: "anna", by: requests, over: transport, folder: folder.store)
    #expect(delivery.outcome == .delivered(status: 204))
    #expect(delivery.events == 3 && delivery.isCompressed)
    #expect(emulator.acceptedEvents.map { $0["goalId"] } == ["1", "2", "3"])
    #expect(emulator.acceptedEvents.map { $0["userAgent"] } == ["Shop/1", nil, nil])
  }

  @Test(
    "the documents show the example that is compiled here",
    arguments: ["README.md", "Sources/AnoleTracking/AnoleTracking.docc/AnoleTracking.md"])
  func sameExample(_ document: String) throws {
    let code = try text("Tests/AnoleTrackingTests/Documentation/Example.swift")
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(try text(document).contains("```swift\n\(code)```\n"))
  }

  @Test("every test that the guarantees name exists")
  func proofs() throws {
    let names = try text("README.md").split(separator: "*Test:* “").dropFirst()
      .compactMap { $0.split(separator: "”").first.map(String.init) }
    #expect(names.count >= 20)
    let folder = Self.package.appendingPathComponent("Tests/AnoleTrackingTests")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var tests = ""
    for case let file as URL in files where file.pathExtension == "swift" {
      tests += try String(contentsOf: file, encoding: .utf8)
    }
    for name in names {
      let title = name.replacing("\n", with: " ").replacing(/\ +/, with: " ")
      #expect(tests.contains("\"\(title)\""), "\(title)")
    }
  }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
  }
}
