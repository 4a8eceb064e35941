// SPDX-License-Identifier: Apache-2.0

/// Parts Swift source into tokens: enough of the language to tell code from comments and strings.
///
/// It never fails: of broken source it makes what it can.
struct SwiftLexer {
  /// Deeper interpolations within interpolations are read as plain characters.
  static let depthLimit = 32
  /// More number signs before a literal are signs of their own.
  private static let poundLimit = 16

  /// Lists of tokens: the code of each interpolation, innermost first, and last the file's.
  private(set) var lists: [[Token]] = []
  let bytes: [UInt8]
  var position = 0
  private var depth = 0
  /// Before this place no slash begins a regular expression: one was looked for, and did not end.
  private var patternless = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The token lists of a file: one for the file, and one for each interpolation in a string.
  static func lists(of bytes: [UInt8]) -> [[Token]] {
    var lexer = SwiftLexer(bytes)
    lexer.skipFileStart()
    let tokens = lexer.tokens(endingAtParenthesis: false)
    return lexer.lists + [tokens]
  }

  // MARK: - Looking

  /// The byte so many behind the position; 0 behind the end.
  func peek(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  var isAtEnd: Bool { position >= bytes.count }

  func looking(at text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[position..<(position + count)].elementsEqual($0) }
  }

  // MARK: - Tokens

  private mutating func skipFileStart() {
    if looking(at: "\u{FEFF}") { position += 3 }
    guard looking(at: "#!") else { return }
    skipLine()
  }

  /// Reads the code of an interpolation, behind its opening parenthesis, into a list of its own.
  mutating func readInterpolation() {
    guard depth < Self.depthLimit else { return }
    depth += 1
    let tokens = tokens(endingAtParenthesis: true)
    depth -= 1
    lists.append(tokens)
  }

  private mutating func tokens(endingAtParenthesis: Bool) -> [Token] {
    var tokens: [Token] = []
    var parentheses = 0
    while !isAtEnd {
      let start = position
      let byte = peek()
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0B,
        0x0C, 0:
        position += 1
        continue
      case UInt8(ascii: "/") where looking(at: "//"):
        skipLine()
        continue
      case UInt8(ascii: "/") where looking(at: "/*"):
        skipBlockComment()
        continue
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"):
        if endingAtParenthesis, parentheses == 0 {
          position += 1
          return tokens
        }
        parentheses -= 1
      default: break
      }
      let kind = kind(after: tokens.last)
      tokens.append(Token(kind: kind, offset: start))
    }
    return tokens
  }

  private mutating func kind(after previous: Token?) -> Token.Kind {
    let byte = peek()
    if Self.beginsWord(byte) { return .word(word()) }
    if byte == UInt8(ascii: "`"), let name = quotedName() { return .word(name) }
    if Self.isDigit(byte) {
      while Self.beginsWord(peek()) || Self.isDigit(peek()) { position += 1 }
      return .number
    }
    let pounds = bytes[position...].prefix(Self.poundLimit)
      .prefix { $0 == UInt8(ascii: "#") }.count
    switch peek(pounds) {
    case UInt8(ascii: "\""): return .string(stringLiteral(pounds: pounds))
    case UInt8(ascii: "/") where pounds > 0:
      return skipPattern(pounds: pounds) ? .pattern : sign()
    case UInt8(ascii: "/") where Self.canBeginPattern(after: previous):
      return skipPattern(pounds: 0) ? .pattern : sign()
    default: return sign()
    }
  }

  private mutating func sign() -> Token.Kind {
    defer { position += 1 }
    return .sign(peek())
  }

  private mutating func word() -> String {
    let start = position
    while Self.beginsWord(peek()) || Self.isDigit(peek()) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// A name in backticks, on one line.
  private mutating func quotedName() -> String? {
    let rest = bytes[(position + 1)...]
    let name = rest.prefix { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") }
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "`") else {
      return nil
    }
    position = name.endIndex + 1
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func skipLine() {
    while !isAtEnd, peek() != UInt8(ascii: "\n"), peek() != UInt8(ascii: "\r") { position += 1 }
  }

  /// Comments nest.
  private mutating func skipBlockComment() {
    var level = 0
    while !isAtEnd {
      if looking(at: "/*") {
        level += 1
        position += 2
      } else if looking(at: "*/") {
        level -= 1
        position += 2
        if level == 0 { return }
      } else {
        position += 1
      }
    }
  }

  // MARK: - Regular expressions

  /// Goes behind a regular expression; false, without moving, if it does not end.
  private mutating func skipPattern(pounds: Int) -> Bool {
    let start = position
    guard start >= patternless else { return false }
    position += pounds + 1
    // Within number signs it may take several lines.
    let spansLines = pounds > 0 && (peek() == UInt8(ascii: "\n") || peek() == UInt8(ascii: "\r"))
    if pounds == 0, [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "=")].contains(peek()) {
      position = start
      return false
    }
    while !isAtEnd {
      let byte = peek()
      if !spansLines, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if byte == UInt8(ascii: "\\") {
        position += 2
        continue
      }
      position += 1
      guard byte == UInt8(ascii: "/") else { continue }
      guard pounds > 0 else { return true }
      if bytes[min(position, bytes.count)...].prefix(pounds).allSatisfy({ $0 == UInt8(ascii: "#") })
      {
        position = min(position + pounds, bytes.count)
        return true
      }
    }
    patternless = position
    position = start
    return false
  }

  /// Behind a value a slash divides; elsewhere it begins a regular expression.
  private static func canBeginPattern(after previous: Token?) -> Bool {
    switch previous?.kind {
    case nil: true
    case .word(let word)?:
      ["return", "in", "try", "await", "case", "if", "guard", "while", "else", "throw"]
        .contains(word)
    case .sign(let byte)?: !")]}!?>".utf8.contains(byte)
    case .string?, .number?, .pattern?: false
    }
  }

  // MARK: - Bytes

  private static func beginsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
