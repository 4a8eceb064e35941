// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The form of a file of vectors.
private struct VectorList<Case: Decodable>: Decodable {
  let cases: [Case]
}

/// The copies of recorded values and exchanges, and the shared suites beside the repository.
enum FixtureFile {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The folder of this package.
  static let package = here.appendingPathComponent("../../..").standardizedFileURL
  /// The vectors of event streams, outside the repository.
  static let eventStreamSuite =
    package
    .appendingPathComponent("../../../shared/suites/own/sse-vectors.json").standardizedFileURL
  static var hasEventStreamSuite: Bool {
    FileManager.default.fileExists(atPath: eventStreamSuite.path)
  }

  /// The bytes of a file under `Fixtures/wire`.
  static func wire(_ name: String) throws -> Data {
    let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let data = try Data(contentsOf: folder.appendingPathComponent("wire/\(name)"))
    try #require(!data.isEmpty, "\(name) is empty")
    return data
  }

  /// The cases of a file of vectors.
  static func cases<Case: Decodable>(_ type: Case.Type, in name: String) throws -> [Case] {
    let data = try wire("vectors_\(name).json")
    let cases = try JSONDecoder().decode(VectorList<Case>.self, from: data).cases
    try #require(!cases.isEmpty, "\(name) has no cases")
    return cases
  }
}
