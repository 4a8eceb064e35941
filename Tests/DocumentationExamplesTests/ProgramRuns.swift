// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Examples that create clients themselves run in a program of their own: its home, its settings file and
/// its network (a proxy that nobody serves) are the test's.
@Suite("The examples that create clients", .timeLimit(.minutes(2)))
struct ProgramRuns {
  @Test(
    "K-04: settings in code with a data file are ready at once, the settings file gives another")
  func creating() throws {
    let lines = try run(["K-04"])
    try #require(lines.count == 2)
    #expect(lines[0] == "true user-42")
    #expect(lines[1].hasPrefix("true "))
  }

  @Test("K-04: an empty site code is its own error")
  func emptySiteCode() throws {
    let lines = try run(["K-04-empty"])
    #expect(
      lines == [
        "site code is empty",
        "unexpected: The site code is empty; pass the one that the platform shows for the project",
      ])
  }

  @Test("K-18: both clients are made; a visitor code that is too long is its own error")
  func creatingAgain() throws {
    let lines = try run(["K-18", "K-18-long"])
    try #require(lines.count == 3)
    #expect(lines[0] == "true user-42")
    #expect(lines[2] == "visitor code is invalid")
  }

  @Test("K-11, K-12: the user gets what the anonymous visitor got", arguments: ["K-11", "K-12"])
  func merging(_ example: String) throws {
    #expect(try run([example]) == ["same"])
    let alone = try run(["alone"])
    #expect(Set(alone).count == 2, "without a link the two get different variations: \(alone)")
  }

  /// Runs examples and returns what they print.
  private func run(_ examples: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("documentation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do {
        try FileManager.default.removeItem(at: folder)
      } catch {
        Issue.record("\(folder.path) could not be removed: \(error)")
      }
    }
    let settings = folder.appendingPathComponent("kameleoon-client-swift.plist")
    try PropertyListSerialization.data(
      fromPropertyList: ["default_datafile": try Stage.dataFile()], format: .xml, options: 0
    ).write(to: settings)
    let process = Process()
    process.executableURL = try Self.program()
    process.arguments = [try Stage.fixture().path] + examples
    process.currentDirectoryURL = folder
    process.environment = [
      "HOME": folder.path, "XDG_STATE_HOME": folder.path,
      "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9",
      "KAMELEOON_CLIENT_SWIFT_PLIST": settings.path,
    ]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)\(complaints)")
    return text.split(separator: "\n").map(String.init)
  }

  /// The program, which is built beside the tests.
  private static func program() throws -> URL {
    #if canImport(Darwin)
      let bundle = try #require(Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") })
      let tests = bundle.bundleURL
    #else
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("AnoleDocumentationRunner")
  }
}
