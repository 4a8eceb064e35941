// SPDX-License-Identifier: Apache-2.0

extension SwiftLexer {
  /// Reads a string literal.
  ///
  /// - Parameter pounds: The number signs before its quotes.
  /// - Returns: Its value; nil if it has interpolations or does not end.
  mutating func stringLiteral(pounds: Int) -> String? {
    position += pounds
    if looking(at: "\"\"\"") {
      position += 3
      return multilineValue(pounds: pounds)
    }
    position += 1
    return lineValue(pounds: pounds)
  }

  private mutating func lineValue(pounds: Int) -> String? {
    var value: [UInt8] = []
    var isPlain = true
    while !isAtEnd {
      switch peek() {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
      case UInt8(ascii: "\"") where isFollowed(byPounds: pounds, at: 1):
        position += 1 + pounds
        return isPlain ? String(decoding: value, as: UTF8.self) : nil
      case UInt8(ascii: "\\") where isFollowed(byPounds: pounds, at: 1):
        position += 1 + pounds
        isPlain = readEscape(into: &value) && isPlain
      default:
        value.append(peek())
        position += 1
      }
    }
    return nil
  }

  /// The lines between the quotes, without the indentation of the closing ones.
  private mutating func multilineValue(pounds: Int) -> String? {
    var lines: [[UInt8]] = [[]]
    var isPlain = true
    while !isAtEnd {
      switch peek() {
      case UInt8(ascii: "\"") where looking(at: "\"\"\"") && isFollowed(byPounds: pounds, at: 3):
        position += 3 + pounds
        return isPlain ? Self.joined(lines) : nil
      case UInt8(ascii: "\\") where isFollowed(byPounds: pounds, at: 1):
        position += 1 + pounds
        if let count = lineBreakBehindBlanks() {
          // The line goes on in the next one, which then has indentation of its own.
          position += count
          isPlain = false
        } else {
          isPlain = readEscape(into: &lines[lines.count - 1]) && isPlain
        }
      case UInt8(ascii: "\r") where peek(1) == UInt8(ascii: "\n"): position += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        lines.append([])
        position += 1
      default:
        lines[lines.count - 1].append(peek())
        position += 1
      }
    }
    return nil
  }

  private static func joined(_ lines: [[UInt8]]) -> String? {
    // The first line is the rest of the one with the opening quotes.
    guard lines.count > 1, let indentation = lines.last, lines[0].allSatisfy(isBlank),
      indentation.allSatisfy(isBlank)
    else { return nil }
    let content = lines.dropFirst().dropLast().map { line in
      line.starts(with: indentation) ? Array(line.dropFirst(indentation.count)) : line
    }
    let value = Array(content.joined(separator: [UInt8(ascii: "\n")]))
    return String(decoding: value, as: UTF8.self)
  }

  /// The length of blanks with a line break behind them; nil if something else comes.
  private func lineBreakBehindBlanks() -> Int? {
    var count = 0
    while Self.isBlank(peek(count)) { count += 1 }
    if peek(count) == UInt8(ascii: "\n") { return count + 1 }
    guard peek(count) == UInt8(ascii: "\r") else { return nil }
    return peek(count + 1) == UInt8(ascii: "\n") ? count + 2 : count + 1
  }

  /// Reads what stands behind a backslash.
  ///
  /// - Returns: Whether it has a value that is known.
  private mutating func readEscape(into value: inout [UInt8]) -> Bool {
    let kind = peek()
    if kind != UInt8(ascii: "\n"), kind != UInt8(ascii: "\r") { position += 1 }
    switch kind {
    case UInt8(ascii: "("):
      readInterpolation()
      return false
    case UInt8(ascii: "0"): value.append(0)
    case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "r"): value.append(UInt8(ascii: "\r"))
    case UInt8(ascii: "t"): value.append(UInt8(ascii: "\t"))
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): value.append(kind)
    case UInt8(ascii: "u"): return readScalar(into: &value)
    default: return false
    }
    return true
  }

  /// Reads `{1F98E}`.
  private mutating func readScalar(into value: inout [UInt8]) -> Bool {
    guard peek() == UInt8(ascii: "{") else { return false }
    let digits = bytes[(position + 1)...].prefix(8).prefix { byte in
      Character(Unicode.Scalar(byte)).isHexDigit
    }
    guard digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "}"),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return false }
    position = digits.endIndex + 1
    value.append(contentsOf: String(scalar).utf8)
    return true
  }

  private func isFollowed(byPounds count: Int, at distance: Int) -> Bool {
    (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
