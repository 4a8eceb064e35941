// SPDX-License-Identifier: Apache-2.0

/// Writes values as Swift source.
enum SwiftLiteral {
  /// A string that reads back byte for byte and shows what it contains: what cannot be seen,
  /// turns the direction of writing, or could end a comment around the code is written as a number.
  static func string(_ text: String) -> String {
    // Swift refuses these in literals, however they are written.
    guard !text.unicodeScalars.contains(where: { 0xFDD0...0xFDEF ~= $0.value }) else {
      let bytes = text.utf8.map { String($0) }.joined(separator: ", ")
      return "String(decoding: [\(bytes)] as [UInt8], as: UTF8.self)"
    }
    var literal = "\""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "/" where previous == "*", "*" where previous == "/": literal += number(scalar)
      case _ where isPlain(scalar): literal.unicodeScalars.append(scalar)
      default: literal += number(scalar)
      }
      previous = scalar
    }
    return literal + "\""
  }

  /// A double literal that reads back to the same number.
  static func double(_ value: Double) -> String {
    // The compiler warns of literals that have fewer digits than usual.
    value.isSubnormal ? "Double(bitPattern: \(value.bitPattern))" : "\(value)"
  }

  /// A text for a place within a line comment: on one line, short, and without marks that the
  /// documentation or a comment around the code gives a meaning.
  static func comment(_ text: String, limit: Int = 80) -> String {
    var line = ""
    var previous: Unicode.Scalar = " "
    let scalars = text.unicodeScalars
    for scalar in scalars.prefix(limit) {
      switch scalar {
      case "`": line += "'"
      case "\n", "\r", "\t": line += " "
      case "/" where previous == "*", "*" where previous == "/":
        line.unicodeScalars.append(" ")
        line.unicodeScalars.append(scalar)
      case _ where isPlain(scalar): line.unicodeScalars.append(scalar)
      default: line += "\u{FFFD}"
      }
      previous = scalar
    }
    return scalars.count > limit ? line + "…" : line
  }

  private static func number(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  /// Letters, digits, signs and marks that are seen as themselves.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return 0x20...0x7E ~= scalar.value }
    // Accents apart from their letters look as if they were one with them.
    if 0x300...0x36F ~= scalar.value { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber,
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol:
      return !scalar.properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }
}
