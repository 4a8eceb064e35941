// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

struct EscapeCase: Sendable, CustomTestStringConvertible {
  let text: String
  let expected: [UInt32]
  init(_ text: String, _ expected: [UInt32]) {
    self.text = text
    self.expected = expected
  }
  var testDescription: String { text }
}

/// By hand from RFC 8259, section 7; a lone surrogate becomes U+FFFD.
private let escapeCases: [EscapeCase] = [
  EscapeCase(#""""#, []),
  EscapeCase(#""\"\\\/\b\f\n\r\t""#, [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09]),
  EscapeCase(#""\u0041""#, [0x41]),
  EscapeCase(#""\u0000""#, [0]),
  EscapeCase(#""\u00e9\u00E9""#, [0xE9, 0xE9]),
  EscapeCase(#""\uFFFF""#, [0xFFFF]),
  EscapeCase(#""\ud83d\ude00""#, [0x1F600]),
  EscapeCase(#""\uD800\uDC00""#, [0x10000]),
  EscapeCase(#""\uDBFF\uDFFF""#, [0x10FFFF]),
  EscapeCase(#""a\ud83d\ude00b""#, [0x61, 0x1F600, 0x62]),
  EscapeCase(#""\ud83d""#, [0xFFFD]),
  EscapeCase(#""\ude00""#, [0xFFFD]),
  EscapeCase(#""\ud83dx""#, [0xFFFD, 0x78]),
  EscapeCase(#""\ud83d\n""#, [0xFFFD, 0x0A]),
  EscapeCase(#""\ud83d\u0041""#, [0xFFFD, 0x41]),
  EscapeCase(#""\ud83d\ud83d\ude00""#, [0xFFFD, 0x1F600]),
  EscapeCase(#""\ude00\ud83d""#, [0xFFFD, 0xFFFD]),
  EscapeCase("\"\u{7F}\u{2028}\u{2029}\"", [0x7F, 0x2028, 0x2029]),
  EscapeCase("\"0123456\\n89abcdef\\t\"", Array("0123456\n89abcdef\t".unicodeScalars.map(\.value))),
]

private let malformedTexts: [String] = [
  "", " ", "tru", "truee", "True", "nul", "nulll", "falsE", "[", "]", "{", "}", "[1", "[1,", "[1,]",
  "[,1]", "[1 2]", "[1,,2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\" 1}",
  "{\"a\":1 \"b\":2}", "{1:2}", "{null:1}", "[1}", "{\"a\":1]", "\"", "\"a", "\"\\", "\"\\\"",
  "\"\\u\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\x41\"", "\"\\'\"", "\"\\U0041\"", "'a'", "\"a\nb\"",
  "\"a\tb\"", "\"\u{0}\"", "\"\u{1F}\"", "\"01234567\u{1}\"", "// c\n1", "/* c */1", "1 // c",
  "1 2",
  "\u{A0}1", "\u{2028}1", "1\u{0}", "\u{C}1", "undefined", "\"\\ud83d\\u\"", "\"\\ud83d\\u12",
]

private let invalidUTF8: [[UInt8]] = [
  [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
  [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
  [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
  [0xFF], [0xFE], [0xF8, 0x88, 0x80, 0x80, 0x80],
]

@Suite("JSON reading")
struct JSONReadingTests {
  @Test("each kind of token stays its own kind")
  func kinds() throws {
    let value = try JSONValue(parsing: #" [null, true, false, 1, "1", [], {}] "#)
    #expect(value == [nil, true, false, 1, "1", [], [:]])
    #expect(value[0]?.isNull == true)
    #expect(value[1]?.boolValue == true)
    #expect(value[2]?.boolValue == false)
    #expect(value[3]?.integerValue == 1)
    #expect(value[4]?.stringValue == "1")
    #expect(value[5]?.arrayValue == [])
    #expect(value[6]?.objectValue == [])
    #expect(value[7] == nil)
    #expect(value[-1] == nil)
    #expect(value["0"] == nil)
  }

  @Test("a Boolean is never a number, and a number never a Boolean")
  func booleans() throws {
    for text in ["true", "false"] {
      let value = try JSONValue(parsing: text)
      #expect(value.integerValue == nil)
      #expect(value.doubleValue == nil)
      #expect(value.stringValue == nil)
    }
    for text in ["0", "1", "1.0", "\"true\"", "null"] {
      #expect(try JSONValue(parsing: text).boolValue == nil)
    }
    #expect(JSONValue.bool(true) != .number(.integer(1)))
  }

  @Test("members keep their order and duplicates, and the last one wins by subscript")
  func duplicates() throws {
    let value = try JSONValue(parsing: #"{"b":1,"a":2,"b":{"c":null},"a":null}"#)
    #expect(value.objectValue?.map(\.key) == ["b", "a", "b", "a"])
    #expect(value["b"] == ["c": nil])
    #expect(value["a"] == .some(.null))
    #expect(value["c"] == nil)
    #expect(value["b"]?["c"]?.isNull == true)
  }

  @Test("composed and decomposed keys are two keys")
  func normalisation() throws {
    let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
    #expect(value["e"] == nil)
    let swapped = try JSONValue(parsing: "{\"e\u{301}\":1,\"\u{E9}\":2}")
    #expect(value != swapped)
    let escaped = try JSONValue(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
    #expect(value == escaped)
    #expect(value.hashValue == escaped.hashValue)
  }

  @Test("composed and decomposed strings are two values")
  func normalisedStrings() throws {
    let composed = try JSONValue(parsing: "\"\u{E9}\"")
    let decomposed = try JSONValue(parsing: "\"e\u{301}\"")
    #expect(composed != decomposed)
    #expect([composed] as JSONValue != [decomposed])
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test("escapes become the scalars they name", arguments: escapeCases)
  func escapes(_ row: EscapeCase) throws {
    let string = try #require(try JSONValue(parsing: row.text).stringValue)
    #expect(string.unicodeScalars.map(\.value) == row.expected)
    let key = try JSONValue(parsing: "{\(row.text):0}").objectValue?.first?.key
    #expect(key?.unicodeScalars.map(\.value) == row.expected)
  }

  @Test("text that is not JSON is refused", arguments: malformedTexts)
  func malformed(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test("bytes that are not UTF-8 are refused where they stand", arguments: invalidUTF8)
  func encoding(_ sequence: [UInt8]) throws {
    for prefix in ["\"", "\"abcdefgh", "\"abcdefghijk\u{20AC}"] {
      let bytes = Array(prefix.utf8) + sequence + Array("\"".utf8)
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
      #expect(error?.reason == .invalidUTF8)
      #expect(error?.offset == prefix.utf8.count)
    }
  }

  @Test("the first and last scalars of each length are UTF-8")
  func validEncoding() throws {
    let scalars = "\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
    let value = try JSONValue(parsing: "\"\(scalars)\"")
    #expect(value.stringValue?.utf8.elementsEqual(scalars.utf8) == true)
  }

  @Test("a byte order mark in front is skipped, elsewhere it is not white space")
  func byteOrderMark() throws {
    #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF] + Array(" {} ".utf8)) == [:])
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0xEF, 0xBB, 0xBF]) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "1\u{FEFF}") }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "\u{FEFF}\u{FEFF}1") }
  }

  @Test("nesting is accepted up to the limit and refused one level deeper", arguments: [1, 3, 512])
  func depth(_ limit: Int) throws {
    let lists = { (depth: Int) in
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    let objects = { (depth: Int) in
      Array(
        (String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth))
          .utf8)
    }
    for document in [lists, objects] {
      _ = try JSONValue(parsing: document(limit), maximumDepth: limit)
      let error = #expect(throws: JSONError.self) {
        try JSONValue(parsing: document(limit + 1), maximumDepth: limit)
      }
      #expect(error?.reason == .nestedTooDeeply)
    }
    #expect(JSONScanner.maximumDepth == 512)
  }

  @Test("the limit counts levels, not brackets")
  func siblings() throws {
    let text = "[" + Array(repeating: "[{}]", count: 2_000).joined(separator: ",") + "]"
    #expect(try JSONValue(parsing: Array(text.utf8), maximumDepth: 3).arrayValue?.count == 2_000)
  }
}
