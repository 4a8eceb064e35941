// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

/// JSONTestSuite by Nicolas Seriot (MIT), repacked into one file.
private struct ParsingSuite: Decodable {
  struct Input: Decodable {
    struct Repetition: Decodable {
      let unit: Data
      let count: Int
      let tail: Data

      enum CodingKeys: String, CodingKey {
        case unit = "unit_base64"
        case count
        case tail = "tail_base64"
      }
    }

    let name: String
    let expect: String?
    let base64: Data?
    let `repeat`: Repetition?

    var bytes: [UInt8]? {
      if let base64 { return [UInt8](base64) }
      guard let large = `repeat` else { return nil }
      return (0..<large.count).flatMap { _ in large.unit } + large.tail
    }
  }

  static let path = "json-parsing/jsontestsuite.json"

  let parsing: [Input]
  let transform: [Input]

  static func load() throws -> ParsingSuite {
    try JSONDecoder().decode(ParsingSuite.self, from: Repository.suite(path))
  }

  func inputs(_ expectation: String) -> [Input] { parsing.filter { $0.expect == expectation } }
}

@Suite(
  "JSONTestSuite",
  .enabled(if: Repository.hasSuite(ParsingSuite.path), "../shared/suites is not there"))
struct JSONTestSuiteTests {
  private let suite: ParsingSuite

  init() throws { suite = try ParsingSuite.load() }

  @Test("all 95 valid texts are accepted and survive writing")
  func accepted() throws {
    let inputs = suite.inputs("accept")
    try #require(inputs.count == 95)
    for input in inputs {
      let bytes = try #require(input.bytes)
      let value = try? JSONValue(parsing: bytes)
      #expect(value != nil, "\(input.name)")
      guard let value else { continue }
      #expect(try JSONValue(parsing: value.text()) == value, "\(input.name)")
      #expect(try JSONValue(parsing: value.text(indented: true)) == value, "\(input.name)")
    }
  }

  @Test("all 188 invalid texts are refused")
  func refused() throws {
    let inputs = suite.inputs("reject")
    try #require(inputs.count == 188)
    for input in inputs {
      let bytes = try #require(input.bytes)
      #expect(throws: JSONError.self, "\(input.name)") { try JSONValue(parsing: bytes) }
      #expect(throws: DataFileError.self, "\(input.name)") { try DataFile.read(bytes) }
    }
  }

  @Test("the 35 texts that are left to the reader do no harm")
  func either() throws {
    let inputs = suite.inputs("either")
    try #require(inputs.count == 35)
    for input in inputs {
      let bytes = try #require(input.bytes)
      if let value = try? JSONValue(parsing: bytes) {
        #expect(try JSONValue(parsing: value.text()) == value, "\(input.name)")
      }
    }
  }

  @Test("the 22 texts that readers like to change keep number, key and duplicate")
  func transformed() throws {
    try #require(suite.transform.count == 22)
    var values: [String: JSONValue] = [:]
    for input in suite.transform {
      values[input.name] = try? JSONValue(parsing: #require(input.bytes))
    }
    #expect(values["number_-9223372036854775808"] == [-9_223_372_036_854_775_808])
    #expect(values["number_10000000000000000999"]?.text() == "[10000000000000000999]")
    #expect(values["number_1.0"] == [1.0])
    #expect(values["object_key_nfc_nfd"]?.objectValue?.count == 2)
    #expect(values["object_key_nfd_nfc"]?["\u{E9}"] == "NFC")
    #expect(values["object_same_key_different_values"]?.text() == #"{"a":1,"a":2}"#)
    #expect(values["object_same_key_unclear_values"]?["a"]?.doubleValue?.sign == .minus)
    #expect(values["string_with_escaped_NULL"] == ["A\u{0}B"])
    #expect(values["string_3_escaped_invalid_codepoints"] == ["\u{FFFD}\u{FFFD}\u{FFFD}"])
    #expect(values["string_1_invalid_codepoint"] == nil)
  }
}
