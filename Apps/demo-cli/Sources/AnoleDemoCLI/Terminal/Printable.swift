// SPDX-License-Identifier: Apache-2.0

/// Makes text from outside safe to print: a data file must not move the cursor of a terminal.
enum Printable {
  /// The text with control characters, and marks that turn the direction of writing, written out.
  ///
  /// Line breaks are kept.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text for a place within a line: without line breaks, and short.
  static func line(_ text: String, limit: Int = 200) -> String {
    var line = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar {
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return Self.text(line) + (text.unicodeScalars.count > limit ? "…" : "")
  }

  /// ``line(_:limit:)`` in quotation marks.
  static func quote(_ text: String) -> String { "\"\(line(text))\"" }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
