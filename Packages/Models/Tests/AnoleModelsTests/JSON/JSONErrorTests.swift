// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

struct ErrorCase: Sendable, CustomTestStringConvertible {
  let text: String
  let reason: JSONError.Reason
  let offset: Int
  let line: Int
  let column: Int
  init(_ text: String, _ reason: JSONError.Reason, _ offset: Int, line: Int, column: Int) {
    self.text = text
    self.reason = reason
    self.offset = offset
    self.line = line
    self.column = column
  }
  var testDescription: String { text.debugDescription }
}

private let errorCases: [ErrorCase] = [
  ErrorCase("", .unexpectedEnd, 0, line: 1, column: 1),
  ErrorCase("  ", .unexpectedEnd, 2, line: 1, column: 3),
  ErrorCase("?", .unexpectedByte, 0, line: 1, column: 1),
  ErrorCase("[1,\n 2,\n x]", .unexpectedByte, 9, line: 3, column: 2),
  ErrorCase("{\n\"a\": 1,\n\"b\"; 2}", .unexpectedByte, 13, line: 3, column: 4),
  ErrorCase("{\"a\":1}\n\n  {}", .trailingBytes, 11, line: 3, column: 3),
  ErrorCase("[\"a", .unexpectedEnd, 3, line: 1, column: 4),
  ErrorCase("[\"a\nb\"]", .controlCharacter, 3, line: 1, column: 4),
  ErrorCase("\"é\u{1}\"", .controlCharacter, 3, line: 1, column: 4),
  ErrorCase("\r\n\r\n?", .unexpectedByte, 4, line: 3, column: 1),
  ErrorCase("[\"\\x\"]", .invalidEscape, 3, line: 1, column: 4),
  ErrorCase("[1,\n-]", .invalidNumber, 5, line: 2, column: 2),
]

@Suite("JSON errors")
struct JSONErrorTests {
  @Test("an error names the reason and the place", arguments: errorCases)
  func positions(_ row: ErrorCase) throws {
    let error = try #require(
      #expect(throws: JSONError.self) { try JSONValue(parsing: row.text) })
    #expect(error.reason == row.reason)
    #expect([error.offset, error.line, error.column] == [row.offset, row.line, row.column])
  }

  @Test("an error is one sentence for a log")
  func sentence() throws {
    let error = try #require(
      #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,\n 01]") })
    #expect(error.description.hasPrefix("not valid JSON: malformed number at line 2, column "))
  }

  @Test("every reason has a phrase of its own")
  func phrases() {
    let reasons: [JSONError.Reason] = [
      .unexpectedByte, .unexpectedEnd, .trailingBytes, .controlCharacter, .invalidEscape,
      .invalidNumber, .invalidUTF8, .nestedTooDeeply,
    ]
    #expect(Set(reasons).count == 8)
    #expect(Set(reasons.map(\.description)).count == 8)
  }
}
