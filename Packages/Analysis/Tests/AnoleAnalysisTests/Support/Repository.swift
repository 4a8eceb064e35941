// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels
import Foundation
import Testing

/// Where the tests find files, counted from this file's place in the repository.
enum Repository {
  /// The folder of this package.
  static let package = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL
  static let vectors = package.appendingPathComponent("../../Tests/Fixtures/vectors")
    .standardizedFileURL

  /// The names of the data files of the golden vectors.
  static let dataFileNames = [
    "abtest", "audiences", "bandit", "boundary", "bucketing", "chain", "consent-default",
    "consent-full", "consent-partial", "devices", "forced", "history", "holdout",
    "holdout-consent-full", "holdout-consent-partial", "megroups", "minimal", "rollout", "sink",
    "targeting", "variables",
  ]

  static func bytes(_ url: URL) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: url))
    try #require(!bytes.isEmpty, "\(url.lastPathComponent) is empty")
    return bytes
  }

  static func dataFile(_ name: String) throws -> [UInt8] {
    try bytes(vectors.appendingPathComponent("datafiles/\(name).json"))
  }

  /// The data files of the golden vectors and the example of the specification, compiled.
  static func snapshots() throws -> [(name: String, snapshot: Snapshot)] {
    var files = try dataFileNames.map { ($0, try dataFile($0)) }
    files.append(("worked-example", try fixture("worked-example")))
    return try files.map { name, bytes in
      (name, Snapshot(try DataFile(parsing: bytes), sdk: testSDK))
    }
  }

  static func fixture(_ name: String) throws -> [UInt8] {
    let url = try #require(
      Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
    return try bytes(url)
  }
}
