// SPDX-License-Identifier: Apache-2.0

/// A piece of Swift source, without comments and white space.
struct Token: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A name or a word of the language, without backticks.
    case word(String)
    /// A string literal: its value, or nil where only running it would tell.
    case string(String?)
    /// A number.
    case number
    /// A regular expression.
    case pattern
    /// Any other single character.
    case sign(UInt8)
  }

  let kind: Kind
  /// Where it begins, in bytes from the start of the file.
  let offset: Int

  /// Whether it is the character.
  func isSign(_ character: Unicode.Scalar) -> Bool {
    if case .sign(let byte) = kind { UInt32(byte) == character.value } else { false }
  }

  /// The word, or nil for anything else.
  var word: String? {
    if case .word(let text) = kind { text } else { nil }
  }

  /// The value of a string literal whose value is plain.
  var text: String? {
    if case .string(let text) = kind { text } else { nil }
  }
}
