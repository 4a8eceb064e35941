// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation
import Testing

@testable import kameleoonClient

/// A value of a variable in a data file, and the types it casts to.
struct CastCase: Sendable, CustomTestStringConvertible {
  let type: String
  let json: String
  let casts: Set<String>
  init(_ type: String, _ json: String, _ casts: Set<String>) {
    self.type = type
    self.json = json
    self.casts = casts
  }
  var testDescription: String { "\(type) \(json)" }
}

let castCases: [CastCase] = [
  CastCase("BOOLEAN", "true", ["Bool"]),
  CastCase("BOOLEAN", "false", ["Bool"]),
  CastCase("NUMBER", "0", ["Int"]),
  CastCase("NUMBER", "1", ["Int"]),
  CastCase("NUMBER", "5.0", ["Int"]),
  CastCase("NUMBER", "9007199254740993", ["Int"]),
  CastCase("NUMBER", "5.5", ["Double"]),
  CastCase("NUMBER", "1e400", ["String"]),
  CastCase("STRING", "\"1\"", ["String"]),
  CastCase("STRING", "\"true\"", ["String"]),
  CastCase("STRING", "null", []),
  CastCase("JSON", "\"[1, true]\"", ["Array"]),
  CastCase("JSON", "\"{\\\"a\\\": true}\"", ["Dictionary"]),
]

@Suite("Values of variables")
struct VariableTests {
  /// On Linux `NSNumber` is reached from every number by a cast (example K-50), so it is not counted.
  private static func casts(_ value: Any?) -> Set<String> {
    var result: Set<String> = []
    if value as? Bool != nil { result.insert("Bool") }
    if value as? Int != nil { result.insert("Int") }
    if value as? Double != nil { result.insert("Double") }
    if value as? String != nil { result.insert("String") }
    if value as? [Any] != nil { result.insert("Array") }
    if value as? [String: Any] != nil { result.insert("Dictionary") }
    return result
  }

  @Test("a value of a data file casts to its own type alone", arguments: castCases)
  func dataFile(_ row: CastCase) throws {
    let variable = try Self.variable(row.type, row.json)
    #expect(Self.casts(variable.value) == row.casts)
    #expect(variable.type == row.type)
  }

  @Test("a value is written as JSON text; no value has none")
  func json() throws {
    #expect(try Self.variable("BOOLEAN", "true").json == "true")
    #expect(try Self.variable("NUMBER", "5.0").json == "5")
    #expect(try Self.variable("STRING", "\"a\\\"b\"").json == "\"a\\\"b\"")
    #expect(
      try Self.variable("JSON", "\"{ \\\"b\\\": [1, null], \\\"a\\\": 0.5 }\"").json
        == "{\"b\":[1,null],\"a\":0.5}")
    #expect(try Self.variable("JSON", "\"nonsense\"").json == nil)
    #expect(try Self.variable("STRING", "null").json == nil)
  }

  @Test("numbers keep all digits, Booleans and texts their value")
  func values() throws {
    #expect(try Self.variable("NUMBER", "9007199254740993").value as? Int == 9_007_199_254_740_993)
    #expect(try Self.variable("NUMBER", "5.5").value as? Double == 5.5)
    #expect(try Self.variable("BOOLEAN", "true").value as? Bool == true)
    #expect(try Self.variable("STRING", "\"é\"").value as? String == "é")
    #expect(try Self.variable("NUMBER", "5").value as? NSNumber == 5)
    #expect(try Self.variable("BOOLEAN", "true").value as? NSNumber == true)
  }

  @Test("values within lists and objects are of Swift's types too")
  func nested() throws {
    let variable = try Self.variable(
      "JSON", "\"{\\\"a\\\": [true, 1, 2.5, \\\"x\\\", null, {}], \\\"b\\\": null}\"")
    let object = try #require(variable.value as? [String: Any])
    #expect(object.keys.sorted() == ["a"])
    let list = try #require(object["a"] as? [Any])
    try #require(list.count == 6)
    #expect(
      list.map { Self.casts($0) } == [
        ["Bool"], ["Int"], ["Double"], ["String"], [], ["Dictionary"],
      ])
    #expect(list[4] is NSNull)
  }

  @Test("a variable made in code keeps the type of its value")
  func made() {
    func value(_ value: Any?) -> Any? {
      Types.Variable(key: "k", type: "t", value: value).value
    }
    #expect(Self.casts(value(true)) == ["Bool"])
    #expect(Self.casts(value(1)) == ["Int"])
    #expect(Self.casts(value(UInt8(1))) == ["Int"])
    #expect(
      Self.casts(value(UInt64.max)) == ["Double"] || Self.casts(value(UInt64.max)) == ["String"])
    #expect(Self.casts(value(5.0)) == ["Double"])
    #expect(Self.casts(value(Float(0.5))) == ["Double"])
    #expect(Self.casts(value("x")) == ["String"])
    #expect(Self.casts(value(["a": [1, true]])) == ["Dictionary"])
    #expect(Self.casts(value([1, 2])) == ["Array"])
    #expect(Self.casts(value(NSNumber(value: true))) == ["Bool"])
    #expect(Self.casts(value(NSNumber(value: 1))) == ["Int"])
    #expect(Self.casts(value(NSNumber(value: Int8(1)))) == ["Int"])
    #expect(Self.casts(value(NSNumber(value: 2.5))) == ["Double"])
    #expect(Self.casts(value(NSString(string: "x"))) == ["String"])
    #expect(value(nil) == nil)
    #expect(value(NSNull()) == nil)
    #expect(value(Double.nan) == nil)
    #expect(value(Date()) == nil)
    #expect(value(Int?.none as Any) == nil)
    #expect(Self.casts(value(Int?.some(3) as Any)) == ["Int"])
  }

  @Test("what JSONSerialization reads is taken with Booleans and numbers apart")
  func foundation() throws {
    let text = #"{"a": true, "b": 1, "c": 2.5, "d": "x", "e": null, "f": [false, 0]}"#
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let variable = Types.Variable(key: "k", type: "JSON", value: object)
    let result = try #require(variable.value as? [String: Any])
    #expect(Self.casts(result["a"]) == ["Bool"])
    #expect(Self.casts(result["b"]) == ["Int"])
    #expect(Self.casts(result["c"]) == ["Double"])
    #expect(Self.casts(result["d"]) == ["String"])
    #expect(result["e"] == nil)
    #expect((result["f"] as? [Any])?.map { Self.casts($0) } == [["Bool"], ["Int"]])
  }

  private static func variable(_ type: String, _ json: String) throws -> Types.Variable {
    let file = """
      {"featureFlags": [{"id": 1, "featureKey": "f", "environmentEnabled": true,
        "defaultVariationKey": "on", "rules": [], "variations": [{"key": "on", "name": "On",
          "variables": [{"key": "k", "type": "\(type)", "value": \(json)}]}]}]}
      """
    let snapshot = try APIFixture.snapshot(file)
    let flag = try #require(Types.DataFile(snapshot).featureFlags["f"])
    return try #require(flag.variations["on"]?.variables["k"])
  }
}
