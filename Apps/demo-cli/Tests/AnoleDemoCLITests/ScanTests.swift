// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleDemoCLI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("scan")
struct ScanTests {
  private static let use = "client.isFeatureActive(featureKey: \"checkout\")\n"

  /// A folder with files by path.
  private func folder(_ files: [String: String]) throws -> String {
    let folder = try TemporaryFolder.make()
    for (path, text) in files {
      let file = folder + "/" + path
      let parent = file.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(
        atPath: "/" + parent, withIntermediateDirectories: true)
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    return folder
  }

  private func files(_ folder: String, _ arguments: String...) async throws -> [String] {
    let output = await Program.run(["scan", folder, "--json"] + arguments, in: environment())
    let document = try JSONValue(parsing: output.text)
    let uses = document["uses"]?.arrayValue ?? []
    return uses.compactMap { $0["file"]?.stringValue?.replacing(folder + "/", with: "") }
  }

  @Test("Swift files are read in the order of their names; hidden ones, links and others are not")
  func walk() async throws {
    let outside = try folder(["Outside.swift": Self.use])
    let folder = try folder([
      "b.swift": Self.use, "a/z.swift": Self.use, "a/.b/c.swift": Self.use,
      ".build/x.swift": Self.use, ".hidden.swift": Self.use, "a/c.m": Self.use,
      "Z.swift": Self.use, "Tests/t.swift": Self.use,
    ])
    defer {
      TemporaryFolder.remove(folder)
      TemporaryFolder.remove(outside)
    }
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder + "/link", withDestinationPath: outside)
    try manager.createSymbolicLink(atPath: folder + "/circle", withDestinationPath: folder)
    try manager.createSymbolicLink(
      atPath: folder + "/link.swift", withDestinationPath: outside + "/Outside.swift")
    #expect(try await files(folder) == ["Tests/t.swift", "Z.swift", "a/z.swift", "b.swift"])
    let slash = await Program.run(["scan", folder + "//"], in: environment())
    #expect(slash.text == (await Program.run(["scan", folder], in: environment())).text)
    #expect(
      try await files(folder, "--exclude", "Tests", "--exclude", "a") == ["Z.swift", "b.swift"])
  }

  @Test("files beyond the limits are left out with a sentence")
  func limits() async throws {
    var nested = ""
    for _ in 0..<70 { nested += "d/" }
    let folder = try folder([
      "large.swift": String(repeating: " ", count: SourceWalk.sizeLimit + 1),
      nested + "deep.swift": Self.use,
    ])
    defer { TemporaryFolder.remove(folder) }
    let output = await run("scan", folder)
    #expect(output.remarks.count == 2)
    #expect(
      output.remarks.contains { $0.hasSuffix("large.swift: is larger than 4 MiB and is left out") })
    #expect(output.remarks.contains { $0.hasSuffix("lies too deep and is left out") })
  }

  @Test("code that was generated from an older data file shows what is gone")
  func generated() async throws {
    let folder = try folder(["Use.swift": "client.shopFlags.goneFlag()\n"])
    defer { TemporaryFolder.remove(folder) }
    let older = #"{"featureFlags":[{"featureKey":"gone-flag"}]}"#
    let file = folder + "/Flags.swift"
    let environment = environment(["older.json": older])
    _ = await Program.run(
      ["generate", "swift", "--data-file", "older.json", "--name", "ShopFlags", "--output", file],
      in: environment)
    let output = await Program.run(["scan", folder], in: environment)
    #expect(output.status == ExitStatus.negative)
    #expect(
      output.text.contains("Use.swift:1:18: shopFlags.goneFlag(): there is no flag \"gone-flag\""))
  }

  @Test("the work ends when it is cancelled")
  func cancellation() async throws {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await run("scan", Place.fixtures)
    }
    task.cancel()
    #expect(await task.value.status == ExitStatus.interrupted)
  }

  @Test("no Swift file, or nothing of a flag in it, is an answer, too")
  func empty() async throws {
    let folder = try folder(["a.swift": "let a = \"b\"\n", "notes.txt": Self.use])
    defer { TemporaryFolder.remove(folder) }
    let output = await run("scan", folder)
    #expect(output.status == 0)
    #expect(output.text.hasSuffix("1 file: 0 uses of 0 flags, 0 unknown, 5 flags unused\n"))
  }
}
