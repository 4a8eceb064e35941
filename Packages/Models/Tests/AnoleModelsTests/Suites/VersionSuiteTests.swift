// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

private struct SemanticVectors: Decodable {
  struct Lenient: Decodable { let input: String }

  static let path = "own/semver-vectors.json"

  let precedence: [[String]]
  let equal: [[String]]
  let invalid: [String]
  let lenient: [Lenient]
}

@Suite(
  "Semantic version vectors",
  .enabled(if: Repository.hasSuite(SemanticVectors.path), "../shared/suites is not there"))
struct SemanticVersionVectorTests {
  private let vectors: SemanticVectors

  init() throws {
    let data = try Repository.suite(SemanticVectors.path)
    vectors = try JSONDecoder().decode(SemanticVectors.self, from: data)
    try #require(!vectors.precedence.isEmpty && !vectors.equal.isEmpty)
    try #require(!vectors.invalid.isEmpty && !vectors.lenient.isEmpty)
  }

  @Test("each list of precedence is strictly increasing, and ordering is total in it")
  func precedence() throws {
    for list in vectors.precedence {
      let versions = try list.map { try #require(SemanticVersion($0), "\($0)") }
      for (low, left) in versions.enumerated() {
        for (high, right) in versions.enumerated() {
          #expect((left < right) == (low < high), "\(list[low]) < \(list[high])")
          #expect((left == right) == (low == high), "\(list[low]) == \(list[high])")
        }
      }
    }
  }

  @Test("build metadata makes no difference")
  func equal() throws {
    for pair in vectors.equal {
      let versions = try pair.map { try #require(SemanticVersion($0), "\($0)") }
      try #require(versions.count == 2)
      #expect(versions[0] == versions[1], "\(pair)")
      #expect(versions[0].hashValue == versions[1].hashValue, "\(pair)")
      #expect(!(versions[0] < versions[1]) && !(versions[1] < versions[0]), "\(pair)")
    }
  }

  @Test("what breaks the grammar is refused")
  func invalid() {
    for text in vectors.invalid { #expect(SemanticVersion(text) == nil, "\(text)") }
  }

  @Test("what users send is read by the rules of application versions")
  func lenient() throws {
    // Specification of evaluation, section 6.1.
    let expected: [String: [UInt64]?] = [
      "v1.2.3": nil, "1.2": [1, 2, 0], "17": [17, 0, 0], "17.4": [17, 4, 0],
      "1.2.3.4567": [1, 2, 3], "1.2.3-debug": [1, 2, 3],
    ]
    for row in vectors.lenient {
      let version = AppVersion(row.input).map { [$0.major, $0.minor, $0.patch] }
      let wanted = try #require(expected[row.input], "\(row.input) is new")
      #expect(version == wanted, "\(row.input)")
    }
  }
}

@Suite(
  "Semantic versions of another project's tests",
  .enabled(
    if: Repository.hasSuite("split-semver/valid_semantic_versions.csv"),
    "../shared/suites is not there"))
struct SplitVersionTests {
  private func rows(_ name: String, atLeast count: Int) throws -> [[String]] {
    let rows = try Repository.table("split-semver/\(name).csv")
    try #require(rows.count >= count)
    return rows
  }

  @Test("the first version of each pair is the higher one")
  func pairs() throws {
    for row in try rows("valid_semantic_versions", atLeast: 20) {
      let higher = try #require(SemanticVersion(row[0]), "\(row[0])")
      let lower = try #require(SemanticVersion(row[1]), "\(row[1])")
      #expect(lower < higher && !(higher < lower) && lower != higher, "\(row)")
    }
  }

  @Test("invalid versions are refused")
  func invalid() throws {
    for row in try rows("invalid_semantic_versions", atLeast: 30) {
      let text = row.joined(separator: ",")
      #expect(SemanticVersion(text) == nil, "\(text)")
    }
  }

  @Test("a version lies between two others or not")
  func between() throws {
    for row in try rows("between_semver", atLeast: 17) {
      let versions = try row.prefix(3).map { try #require(SemanticVersion($0), "\($0)") }
      let isBetween = versions[0] <= versions[1] && versions[1] <= versions[2]
      #expect(String(isBetween) == row[3], "\(row)")
    }
  }

  @Test("versions are equal or not, except where that table compares texts or accepts zeros")
  func equal() throws {
    for row in try rows("equal_to_semver", atLeast: 8) {
      if row[0].hasPrefix("00.") {
        #expect(SemanticVersion(row[0]) == nil, "leading zeros break the grammar")
        continue
      }
      let left = try #require(SemanticVersion(row[0]), "\(row[0])")
      let right = try #require(SemanticVersion(row[1]), "\(row[1])")
      // Section 10 of the standard: build metadata is ignored; the table says "not equal".
      let wanted = row[1] == "1.1.1+metadata" ? "true" : row[2]
      #expect(String(left == right) == wanted, "\(row)")
    }
  }
}
