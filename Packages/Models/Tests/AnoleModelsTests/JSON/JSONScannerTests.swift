// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@Suite("JSON scanner")
struct JSONScannerTests {
  private func scan<Result>(
    _ text: String, _ body: (inout JSONScanner) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try JSONScanner.scan(Array(text.utf8), body)
  }

  @Test("a value of another kind is skipped and reported as nil")
  func otherKinds() throws {
    let values = #"[null,true,1,2.5,"s",[1],{"a":[{}]}]"#
    try scan(values) { (scanner) throws(JSONError) in
      var kinds: [JSONKind] = []
      _ = try scanner.array { (_, scanner) throws(JSONError) in
        kinds.append(try scanner.kind())
        try scanner.skip()
      }
      #expect(kinds == [.null, .bool, .number, .number, .string, .array, .object])
    }
    var booleans: [Bool?] = []
    var integers: [Int64?] = []
    var doubles: [Double?] = []
    var strings: [String?] = []
    try scan("[\(values),\(values),\(values),\(values)]") { (scanner) throws(JSONError) in
      _ = try scanner.array { (row, scanner) throws(JSONError) in
        _ = try scanner.array { (_, scanner) throws(JSONError) in
          switch row {
          case 0: booleans.append(try scanner.bool())
          case 1: integers.append(try scanner.integer())
          case 2: doubles.append(try scanner.double())
          default: strings.append(try scanner.string())
          }
        }
      }
    }
    #expect(booleans == [nil, true, nil, nil, nil, nil, nil])
    #expect(integers == [nil, nil, 1, nil, nil, nil, nil])
    #expect(doubles == [nil, nil, 1, 2.5, nil, nil, nil])
    #expect(strings == [nil, nil, nil, nil, "s", nil, nil])
  }

  @Test("containers of another kind are skipped and reported as false")
  func otherContainers() throws {
    for text in ["null", "1", "\"a\"", "[1]"] {
      let isObject = try scan(text) { (scanner) throws(JSONError) in
        try scanner.object { (_, scanner) throws(JSONError) in try scanner.skip() }
      }
      #expect(!isObject)
    }
    let isList = try scan("{\"a\":[1]}") { (scanner) throws(JSONError) in
      try scanner.array { (_, scanner) throws(JSONError) in try scanner.skip() }
    }
    #expect(!isList)
  }

  @Test("what is skipped must still be JSON", arguments: ["[1,]", "{\"a\":01}", "\"\\x\"", "nul"])
  func skippingChecks(_ text: String) {
    #expect(throws: JSONError.self) {
      try scan(text) { (scanner) throws(JSONError) in try scanner.skip() }
    }
    #expect(throws: JSONError.self) {
      try scan(text) { (scanner) throws(JSONError) in _ = try scanner.bool() }
    }
    #expect(throws: JSONError.self) {
      try scan(text) { (scanner) throws(JSONError) in _ = try scanner.raw() }
    }
  }

  @Test("keys compare by their unescaped bytes")
  func keys() throws {
    var found: [String] = []
    try scan(#"{"id":1,"\u0069d":2,"Id":3,"idx":4,"":5}"#) { (scanner) throws(JSONError) in
      _ = try scanner.object { (key, scanner) throws(JSONError) in
        switch key {
        case "id": found.append("id")
        case "": found.append("empty")
        default: found.append("other \(key.string)")
        }
        try scanner.skip()
      }
    }
    #expect(found == ["id", "id", "other Id", "other idx", "empty"])
  }

  @Test("raw text is kept without the white space around it")
  func raw() throws {
    let raw = try scan("  { \"a\" : [ 1 ] }\n") { (scanner) throws(JSONError) in
      #expect(scanner.offset() == 2)
      return try scanner.raw()
    }
    #expect(String(decoding: raw.bytes, as: UTF8.self) == "{ \"a\" : [ 1 ] }")
    #expect(try raw.value() == ["a": [1]])
  }

  @Test("null is consumed only where it stands")
  func null() throws {
    let found = try scan("null") { (scanner) throws(JSONError) in try scanner.null() }
    #expect(found)
    let isNull = try scan("1") { (scanner) throws(JSONError) in
      let isNull = try scanner.null()
      try scanner.skip()
      return isNull
    }
    #expect(!isNull)
  }

  @Test("something behind the value is an error")
  func trailing() throws {
    let error = #expect(throws: JSONError.self) {
      try scan("true false") { (scanner) throws(JSONError) in _ = try scanner.bool() }
    }
    #expect(error?.reason == .trailingBytes)
  }
}
