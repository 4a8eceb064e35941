// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import Foundation
import Testing

/// A case of Fixtures/hashing.json.
///
/// The numbers come from the evaluation specification's own reference implementation, and are such
/// that the 64-bit and the 256-bit form of the value agree.
struct GoldenVector: Decodable, Sendable {
  let key: String
  let suffix: HashSuffix
  let firstBytes: String
  let value: Double

  init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    let kind = try row.decode(String.self)
    key = try row.decode(String.self)
    switch kind {
    case "container":
      let id = try row.decode(Int64.self)
      suffix = HashSuffix(id: id, respoolTime: try row.decode(Int64?.self))
    case "group":
      suffix = HashSuffix(group: try row.decode(String.self))
      _ = try row.decode(Int64?.self)
    default:
      throw DecodingError.dataCorruptedError(in: row, debugDescription: "kind \(kind)")
    }
    firstBytes = try row.decode(String.self)
    value = try row.decode(Double.self)
  }
}

struct GoldenVectors: Decodable, Sendable {
  let columns: [String]
  let cases: [GoldenVector]
}

@Suite("Golden vectors")
struct GoldenVectorTests {
  @Test("all 2,400 cases give the same bytes and the same value, bit for bit")
  func matches() throws {
    let url = try #require(
      Bundle.module.url(forResource: "hashing", withExtension: "json", subdirectory: "Fixtures"))
    let file = try JSONDecoder().decode(GoldenVectors.self, from: Data(contentsOf: url))
    try #require(
      file.columns == ["kind", "code", "ref", "respoolTime", "first8BytesHex", "value"])
    try #require(file.cases.count == 2400)

    for row in file.cases {
      let key = Array(row.key.utf8)
      let bits = bucketBits(key, row.suffix.bytes)
      let agrees =
        hexadecimal(bits) == row.firstBytes
        && portableBucketBits(key, row.suffix.bytes) == bits
        && BucketHash.value(bits: bits).bitPattern == row.value.bitPattern
        && BucketHash.value(key: row.key, suffix: row.suffix).bitPattern == row.value.bitPattern
      #expect(agrees, "\(row)")
    }
  }
}
