// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AnoleCodeGeneration

struct LexerCase: Sendable, CustomTestStringConvertible {
  let source: String
  /// The tokens, one list a line; strings in quotation marks, `?` where only running would tell.
  let tokens: [String]
  init(_ source: String, _ tokens: String...) { (self.source, self.tokens) = (source, tokens) }
  var testDescription: String { source.debugDescription }
}

private let lexerCases: [LexerCase] = [
  LexerCase("let a = 1 // \"b\"\nc", "let a = 1 c"),
  LexerCase("a /* b /* c */ \"d */ e", "a e"),
  LexerCase("a /* never ends", "a"),
  LexerCase(#""a\"b" c"#, #""a"b" c"#),
  LexerCase(##"#"a"b\n"# c"##, #""a"b\n" c"#),
  LexerCase(##"#"a\#nb"#"##, "\"a\nb\""),
  LexerCase(#""\u{e9}\t\\""#, "\"é\t\\\""),
  LexerCase(#""\u{110000}""#, "?"),
  LexerCase(#""\q" a"#, "? a"),
  LexerCase(#""a\(b("c"))d" e"#, #"b ( "c" )"#, "? e"),
  LexerCase(##"#"a\(b)c"#"##, ##""a\(b)c""##),
  LexerCase(##"#"a\#(b)c"#"##, "b", "?"),
  LexerCase(#""\("\("a")")""#, #""a""#, "?", "?"),
  LexerCase("\"never ends\na", "? a"),
  LexerCase("\"\"\"\n  a\n    b\n  \"\"\" c", "\"a\n  b\" c"),
  LexerCase("\"\"\"\n  a \"b\" \"\"c\n  \"\"\"", "\"a \"b\" \"\"c\""),
  LexerCase("\"\"\"\r\n  a\r\n  \"\"\"", "\"a\""),
  LexerCase("\"\"\"\n  a \\\n  b\n  \"\"\"", "?"),
  LexerCase("\"\"\"\n  a\n", "?"),
  LexerCase("##\"\"\"\n  a\"\"\"#\n  \"\"\"##", "\"a\"\"\"#\""),
  LexerCase("`default` `a b` `c", "default a b ` c"),
  LexerCase("a / b / \"c\"", "a / b / \"c\""),
  LexerCase("let r = /\"x\"/; b", "let r = / ; b"),
  LexerCase("f(/a\\/\"/, b)", "f ( / , b )"),
  LexerCase("#/ a \" b /# c", "/ c"),
  LexerCase("#/\n a \" b\n/# c", "/ c"),
  LexerCase("#selector(a)", "# selector ( a )"),
  LexerCase("#!/usr/bin/swift \"x\"\na", "a"),
  LexerCase("\u{FEFF}a", "a"),
  LexerCase("x.y?.z! -> 0x1F 1_000.5e3", "x . y ? . z ! - > 1 1 . 1"),
  LexerCase("été 変数", "été 変数"),
]

private func words(_ tokens: [Token]) -> String {
  tokens.map { token in
    switch token.kind {
    case .word(let text): text
    case .string(let text): text.map { "\"\($0)\"" } ?? "?"
    case .number: "1"
    case .pattern: "/"
    case .sign(let byte): String(Character(Unicode.Scalar(byte)))
    }
  }.joined(separator: " ")
}

@Suite("Swift source in tokens")
struct LexerTests {
  @Test("comments are left out, strings have their values", arguments: lexerCases)
  func tokens(_ row: LexerCase) {
    #expect(SwiftLexer.lists(of: Array(row.source.utf8)).map(words) == row.tokens)
  }

  @Test("offsets are those of the source")
  func offsets() {
    let tokens = SwiftLexer.lists(of: Array("é \"a\" /*x*/ b".utf8))[0]
    #expect(tokens.map(\.offset) == [0, 3, 13])
  }

  @Test("interpolations in interpolations end somewhere")
  func depth() {
    let source = String(repeating: "\"\\(", count: 50_000)
    #expect(SwiftLexer.lists(of: Array(source.utf8)).count <= SwiftLexer.depthLimit + 1)
  }

  @Test("every beginning of a file, and any bytes, are read to the end")
  func broken() {
    let source = Array(
      "let a = #\"x\\#(b)\"# /* c */ \"\"\"\n d\\(e(\"f\"))\n \"\"\" /g\\// `h` #/i/# \"\\u{41}\""
        .utf8)
    for end in source.indices { _ = SwiftLexer.lists(of: Array(source[..<end])) }
    var generator = SplitMix(state: 7)
    let alphabet = Array("\"\"\"\\#(){}/*`\n\ra u".utf8) + [0, 0x80, 0xFF]
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<40, using: &generator)
      let bytes = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      for list in SwiftLexer.lists(of: bytes) {
        #expect(list.allSatisfy { $0.offset < bytes.count })
        _ = ReferenceFinder(list)
        _ = ConstantFinder(list)
      }
    }
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
