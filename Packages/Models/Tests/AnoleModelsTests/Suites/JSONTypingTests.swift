// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

private let path = "own/json-typing-cases.json"

/// Each case is a text and what typed reads must give; null stands for "another type".
@Suite(
  "Typed reads of JSON values",
  .enabled(if: Repository.hasSuite(path), "../shared/suites is not there"))
struct JSONTypingTests {
  @Test("every case gives the types it lists and no other")
  func everyCase() throws {
    let root = try JSONSerialization.jsonObject(with: Repository.suite(path)) as? [String: Any]
    let cases = try #require(root?["cases"] as? [[Any]])
    try #require(!cases.isEmpty)
    for row in cases {
      let text = try #require(row.first as? String)
      let expected = try #require(row.last as? [String: Any])
      try check(JSONValue(parsing: text), text, expected)
    }
  }

  private func check(_ value: JSONValue, _ text: String, _ expected: [String: Any]) throws {
    var unknown = Set(expected.keys).subtracting(["note"])
    func with(_ key: String, _ body: (Any) throws -> Void) rethrows {
      guard let wanted = expected[key] else { return }
      unknown.remove(key)
      try body(wanted)
    }
    with("bool") { #expect(value.boolValue == $0 as? Bool, "\(text)") }
    with("string") { #expect(value.stringValue == $0 as? String, "\(text)") }
    with("int") { #expect(value.integerValue.map(String.init) == $0 as? String, "\(text)") }
    with("double") { wanted in
      let double = (wanted as? String).flatMap(Double.init)
      #expect(value.doubleValue?.bitPattern == double?.bitPattern, "\(text)")
    }
    with("isNull") { #expect(value.isNull == $0 as? Bool, "\(text)") }
    try with("array") { wanted in
      let kinds = try #require(value.arrayValue).map(Self.kind)
      #expect(kinds == wanted as? [String], "\(text)")
    }
    with("object") { wanted in
      #expect(value.objectValue?.map(\.key) == wanted as? [String], "\(text)")
      #expect(value["a"]?.isNull == true && value["b"]?[0]?.isNull == true, "\(text)")
    }
    #expect(unknown.isEmpty, "\(text)")
    if let double = value.doubleValue { #expect(double.isFinite, "\(text)") }
  }

  private static func kind(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .number(.integer): "int"
    case .number: "double"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
