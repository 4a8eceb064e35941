// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

@testable import AnoleDemoCLI

/// Some of the recordings, in a folder of their own that is removed at the end.
private struct RecordingFolder: ~Copyable {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("demo-cli-wire-\(UUID().uuidString)").path

  /// - Parameters:
  ///   - names: the recordings.
  ///   - change: changes the text of each.
  init(_ names: [String], change: (String) -> String = { $0 }) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    try manager.copyItem(atPath: "\(Place.recordings)/datafiles", toPath: "\(path)/datafiles")
    for name in names {
      let data = try #require(manager.contents(atPath: "\(Place.recordings)/\(name).json"))
      let text = change(String(decoding: data, as: UTF8.self))
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).json"))
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      Issue.record("the folder \(path) could not be removed: \(error)")
    }
  }
}

extension Place {
  /// The recordings of the package that replays them.
  fileprivate static let recordings =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
    .joined(separator: "/") + "/Packages/Conformance/Tests/Fixtures/wire"
}

@Suite("demo-cli conformance", .timeLimit(.minutes(5)))
struct ConformanceTests {
  @Test("recorded exchanges are recognised and replayed")
  func replays() async throws {
    let folder = try RecordingFolder([
      "config_fetch_fresh", "track_holdout_untracked", "vectors_network_domain",
    ])
    let output = await run("conformance", folder.path)
    #expect(
      output.text == """
        config_fetch_fresh: passed
        track_holdout_untracked: passed (decision: network.md 3.11)
          network.md 3.11: track=false suppresses the holdout exposure too: an activity event is sent
        vectors_network_domain: 29 passed, 0 skipped, 0 failed
        total: 31 passed, 0 skipped, 0 failed

        """)
    #expect(output.status == 0)
    let report = try await runJSON("conformance", folder.path)
    #expect(report["passed"] == 31)
    #expect(report["files"]?[1]?["decisions"]?[0]?["section"] == "network.md 3.11")
  }

  @Test("a difference ends the run with 1 and is told")
  func differs() async throws {
    let folder = try RecordingFolder(["track_exposure_interval"]) {
      $0.replacing("variationId=70011", with: "variationId=70012")
    }
    let output = await run("conformance", folder.path)
    #expect(output.status == 1)
    #expect(output.text.contains("variationId: expected \"70012\", got \"70011\""))
    #expect(try await runJSON("conformance", folder.path)["failed"] == 1)
  }

  @Test("the evaluation vectors run by the client too, if that is wanted")
  func client() async throws {
    let path = Place.fixtures + "/failing-vectors"
    let output = await run("conformance", path, "--client")
    #expect(output.status == 2)
    #expect(output.remarks == ["\(path): holds no evaluation.json; leave --client out"])
    let folder = try RecordingFolder(["config_fetch_fresh"])
    #expect(await run("conformance", folder.path, "--client").status == 2)
  }

  @Test("a recording that is damaged is named")
  func damaged() async throws {
    let folder = try RecordingFolder(["config_fetch_fresh"]) {
      $0.replacing("\"waitReady\"", with: "\"dance\"")
    }
    let output = await run("conformance", folder.path)
    #expect(output.status == ExitStatus.data)
    #expect(output.remarks.first?.contains("unknown operation \"dance\"") == true)
  }
}
