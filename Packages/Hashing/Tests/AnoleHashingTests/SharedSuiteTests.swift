// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import Foundation
import Testing

/// Vectors that are kept beside the repository, in ../shared/suites, and are not part of it.
///
/// They were computed with another implementation from the publicly documented recipe.
struct SharedSuite: Decodable, Sendable {
  struct Rule: Decodable, Sendable {
    let visitorCode: String
    let visitorCodeBytes: String
    let containerId: Int64
    let respoolTime: Int64
    let first8BytesBE: String
    let hash: String

    enum CodingKeys: String, CodingKey {
      case visitorCode
      case visitorCodeBytes = "visitorCode_utf8_hex"
      case containerId
      case respoolTime
      case first8BytesBE
      case hash
    }
  }

  struct Group: Decodable, Sendable {
    let visitorCode: String
    let groupName: String
    let first8BytesBE: String
    let hash: String
  }

  let rule: [Rule]
  let exclusiveGroup: [Group]

  /// The file's place, counted from the repository's root, four folders above this one.
  static let url = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../../shared/suites/own/sha256-bucketing-vectors.json")
    .standardizedFileURL

  static var isPresent: Bool { FileManager.default.fileExists(atPath: url.path) }
}

@Suite(
  "Shared bucketing vectors",
  .enabled(if: SharedSuite.isPresent, "../shared/suites is not beside the repository"))
struct SharedSuiteTests {
  private let suite: SharedSuite

  init() throws {
    suite = try JSONDecoder().decode(SharedSuite.self, from: Data(contentsOf: SharedSuite.url))
  }

  @Test("rules with and without a respool time")
  func rules() throws {
    try #require(!suite.rule.isEmpty)
    for row in suite.rule {
      let key = Array(row.visitorCode.utf8)
      #expect(hexadecimal(key) == row.visitorCodeBytes)
      let suffix = HashSuffix(id: row.containerId, respoolTime: row.respoolTime)
      #expect(String(bucketBits(key, suffix.bytes)) == row.first8BytesBE, "\(row)")
      let expected = try #require(Double(row.hash))
      #expect(BucketHash.value(key: row.visitorCode, suffix: suffix) == expected, "\(row)")
    }
  }

  @Test("mutually exclusive groups")
  func groups() throws {
    try #require(!suite.exclusiveGroup.isEmpty)
    for row in suite.exclusiveGroup {
      let suffix = HashSuffix(group: row.groupName)
      #expect(
        String(bucketBits(Array(row.visitorCode.utf8), suffix.bytes)) == row.first8BytesBE,
        "\(row)")
      let expected = try #require(Double(row.hash))
      #expect(BucketHash.value(key: row.visitorCode, suffix: suffix) == expected, "\(row)")
    }
  }
}
