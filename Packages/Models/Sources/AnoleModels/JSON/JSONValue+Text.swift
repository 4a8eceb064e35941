// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Writes the value as JSON text.
  ///
  /// Members keep their order. Strings escape only what JSON requires; everything else is UTF-8.
  /// - Parameter indented: two spaces a level and one member a line; otherwise no white space.
  /// - Returns: the text, without a line break at its end.
  public func text(indented: Bool = false) -> String {
    var output = ""
    write(to: &output, indentation: indented ? 0 : nil)
    return output
  }

  private func write(to output: inout String, indentation: Int?) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .number(let number): output += number.description
    case .string(let value): Self.write(value, to: &output)
    case .array(let values):
      Self.write(values, between: ("[", "]"), to: &output, indentation) { value, output, level in
        value.write(to: &output, indentation: level)
      }
    case .object(let members):
      Self.write(members, between: ("{", "}"), to: &output, indentation) { member, output, level in
        Self.write(member.key, to: &output)
        output += level == nil ? ":" : ": "
        member.value.write(to: &output, indentation: level)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element],
    between brackets: (open: String, close: String),
    to output: inout String,
    _ indentation: Int?,
    each: (Element, inout String, Int?) -> Void
  ) {
    output += brackets.open
    let inner = indentation.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { output += "," }
      if let inner { output += "\n" + String(repeating: "  ", count: inner) }
      each(element, &output, inner)
    }
    if let indentation, !elements.isEmpty {
      output += "\n" + String(repeating: "  ", count: indentation)
    }
    output += brackets.close
  }

  private static func write(_ string: String, to output: inout String) {
    output += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case "\u{8}": output += "\\b"
      case "\u{c}": output += "\\f"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

extension JSONValue: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { text() }
}
