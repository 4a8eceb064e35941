// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

private let documents: [String] = [
  "null", "true", "false", "0", "-0.0", "12", "1.5", "9223372036854775808", "1e400",
  "-9223372036854775808", "\"\"", "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}\u{2028}é😀\"",
  "[]",
  "{}", "[[],{},[[]]]", "{\"a\":1,\"a\":2}", "{\"\":{\"b\":[null,true,{\"c\":\"d\"}]}}",
  "{\"\u{E9}\":1,\"e\u{301}\":2}",
]

@Suite("JSON writing")
struct JSONWritingTests {
  @Test("compact and indented text read back as the same value", arguments: documents)
  func roundTrip(_ text: String) throws {
    let value = try JSONValue(parsing: text)
    for written in [value.text(), value.text(indented: true), value.description] {
      #expect(try JSONValue(parsing: written) == value)
    }
    #expect(try RawJSON(value).value() == value)
  }

  @Test("compact text has no white space and the members' order")
  func compact() {
    let value: JSONValue = ["b": [1, 2.5, nil], "a": ["x": true, "y": "z"], "c": [], "d": [:]]
    #expect(value.text() == #"{"b":[1,2.5,null],"a":{"x":true,"y":"z"},"c":[],"d":{}}"#)
    #expect("\(value)" == value.text())
  }

  @Test("indented text has two spaces a level and one element a line")
  func indented() {
    let value: JSONValue = ["b": [1, [:]], "a": ["x": []]]
    #expect(
      value.text(indented: true) == """
        {
          "b": [
            1,
            {}
          ],
          "a": {
            "x": []
          }
        }
        """)
  }

  @Test("only what JSON requires is escaped")
  func escapes() {
    let value = JSONValue.string("\"\\/\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{7F}é")
    #expect(value.text() == "\"\\\"\\\\/\\n\\r\\t\\b\\f\\u0000\\u001f\u{7F}é\"")
  }

  @Test("a line break of two characters is escaped as two")
  func lineBreak() {
    #expect(JSONValue.string("a\r\nb").text() == #""a\r\nb""#)
  }
}
