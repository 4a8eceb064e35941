// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

@testable import AnoleCodeGeneration

struct LiteralCase: Sendable, CustomTestStringConvertible {
  let text: String
  let literal: String
  init(_ text: String, _ literal: String) { (self.text, self.literal) = (text, literal) }
  var testDescription: String { literal }
}

private let literalCases: [LiteralCase] = [
  LiteralCase("plain", #""plain""#),
  LiteralCase("\"", #""\"""#),
  LiteralCase("\"\"\"", #""\"\"\"""#),
  LiteralCase("\\(evil())", #""\\(evil())""#),
  LiteralCase("a\nb\r\tc", #""a\nb\r\tc""#),
  LiteralCase("*/ /*", #""*\u{2F} /\u{2A}""#),
  LiteralCase("\u{0}\u{7F}\u{85}\u{2028}", #""\u{0}\u{7F}\u{85}\u{2028}""#),
  LiteralCase("\u{202E}\u{200B}\u{FEFF}", #""\u{202E}\u{200B}\u{FEFF}""#),
  LiteralCase("\u{E000}\u{FFFF}", #""\u{E000}\u{FFFF}""#),
  LiteralCase("e\u{301}", #""e\u{301}""#),
  LiteralCase("é 変数 “✓”", "\"é 変数 “✓”\""),
  LiteralCase(
    String(decoding: [239, 183, 144] as [UInt8], as: UTF8.self),
    "String(decoding: [239, 183, 144] as [UInt8], as: UTF8.self)"),
]

@Suite("Literals and comments")
struct LiteralTests {
  @Test("a text is written so that nothing of it is code", arguments: literalCases)
  func string(_ row: LiteralCase) {
    #expect(SwiftLiteral.string(row.text) == row.literal)
  }

  /// The reader is the scanner's, which was written by the language's reference.
  @Test("a literal reads back byte for byte", arguments: literalCases.dropLast())
  func readBack(_ row: LiteralCase) {
    let lists = SwiftLexer.lists(of: Array(row.literal.utf8))
    #expect(lists.count == 1)
    #expect(lists.first?.map { $0.text.map { Array($0.utf8) } } == [Array(row.text.utf8)])
  }

  @Test("a comment stays on its line, ends no comment around it and opens no code span")
  func comment() {
    let text = SwiftLiteral.comment("a\nb\r*/c/*d`e\u{202E}f\u{2028}g\u{0}")
    #expect(text == "a b * /c/ *d'e\u{FFFD}f\u{FFFD}g\u{FFFD}")
    let long = SwiftLiteral.comment(String(repeating: "x", count: 500))
    #expect(long.count == 81 && long.hasSuffix("…"))
  }

  @Test(
    "numbers read back to the same value",
    arguments: [0.1, 1e308, -1e-7, 1e21, .leastNormalMagnitude])
  func double(_ value: Double) {
    #expect(Double(SwiftLiteral.double(value)) == value)
  }

  @Test("a number with fewer digits than usual is written by its bits")
  func subnormal() {
    #expect(SwiftLiteral.double(.leastNonzeroMagnitude) == "Double(bitPattern: 1)")
  }
}
