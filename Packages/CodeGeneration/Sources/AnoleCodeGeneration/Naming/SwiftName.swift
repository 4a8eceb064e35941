// SPDX-License-Identifier: Apache-2.0

/// What a text from a data file is called in Swift.
enum SwiftName {
  /// Longer names are cut: they come from broken or hostile files.
  static let lengthLimit = 60

  /// The words of a text in lower camel case; empty if it has no letter and no digit.
  ///
  /// Letters of all scripts are kept, as Swift allows them; every other character parts words. A text
  /// without lower case letters is read as shouted: `NEW_CHECKOUT` is `newCheckout`.
  static func lowerCamel(_ text: String) -> String {
    var words = words(of: text)
    let isShouted = !words.joined().unicodeScalars.contains { $0.properties.isLowercase }
    if isShouted { words = words.map { allowed($0.lowercased()) } }
    words.removeAll { $0.isEmpty }
    guard let first = words.first else { return "" }
    return withoutCapitals(first) + words.dropFirst().map(withCapital).joined()
  }

  /// The name with its first letter in upper case.
  static func withCapital(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "" }
    let rest = String(name.unicodeScalars.dropFirst())
    return allowed(first.properties.uppercaseMapping) + rest
  }

  /// Whether Swift takes the text as a name as it stands, in ASCII.
  static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
      return false
    }
    return text != "_" && !keywords.contains(text) && !types.contains(text)
      && text.unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar.isASCII && scalar.properties.isXIDContinue
      }
  }

  /// The name as it is declared: in backticks if it is a word of the language.
  static func declared(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The name as the label of an argument.
  static func label(_ name: String) -> String {
    name == "inout" ? "`inout`" : name
  }

  /// `URLField` as `urlField`, `MyFlag` as `myFlag`.
  private static func withoutCapitals(_ word: String) -> String {
    let scalars = Array(word.unicodeScalars)
    var count = scalars.prefix { $0.properties.isUppercase }.count
    // The last capital of several begins the next word.
    if count > 1, count < scalars.count, scalars[count].properties.isLowercase { count -= 1 }
    let head = scalars.prefix(count).map(\.properties.lowercaseMapping).joined()
    return allowed(head) + scalars.dropFirst(count).map { String($0) }.joined()
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = [""]
    for scalar in text.unicodeScalars {
      if isDropped(scalar) { continue }
      if isAllowed(scalar) {
        words[words.count - 1].unicodeScalars.append(scalar)
      } else if words.last?.isEmpty == false {
        words.append("")
      }
    }
    return words
  }

  private static func allowed(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { isAllowed($0) }))
  }

  /// Letters, digits and the marks that belong to the letters of their script.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar != "_", !isDropped(scalar) else { return false }
    guard !scalar.isASCII else { return scalar.properties.isXIDContinue }
    // Swift's own list of characters leaves these blocks out, or sees operators in them.
    switch scalar.value {
    case 0xB7, 0x1680, 0x180E, 0x2000...0x206F, 0x2190...0x2BFF, 0x3008...0x3030, 0xFE10...0xFE4F:
      return false
    default: return scalar.properties.isXIDContinue
    }
  }

  /// Accents that stand alone, which Swift does not let begin a name: they are left out.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// The words that a declaration must put into backticks.
  private static let keywords: Set = [
    "any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "nil", "open", "operator", "package", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    "Any", "Self", "Type", "Protocol",
  ]

  /// Types that generated code names, and whose names a nested type must not take.
  static let types: Set = [
    "Any", "Self", "Type", "Protocol", "Swift", "Foundation", "Int", "Bool", "Double", "String",
    "Sendable", "Hashable", "Equatable", "Hasher", "Decodable", "Error", "Never", "Optional",
    "Array", "UInt8", "UTF8", "Types", "Data", "JSONDecoder", "AsyncStream", "AsyncMapSequence",
    "KameleoonClient", "AnoleClient", "KameleoonError",
  ]
}
