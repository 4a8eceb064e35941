// SPDX-License-Identifier: Apache-2.0

/// A version by the rules of Semantic Versioning 2.0.0, strict: three numbers without leading
/// zeros, then optionally a pre-release and build metadata.
///
/// Numbers may have any length. Ordering is precedence (section 11), which ignores build metadata;
/// equality is equality of precedence, so that `1.0.0+a` equals `1.0.0+b`.
///
/// The conditions of a data file use the vendor's lenient ``AppVersion`` instead.
public struct SemanticVersion: Sendable, Hashable, Comparable {
  /// The digits of the three numbers.
  private let numbers: [DecimalText]
  private let preRelease: [Identifier]

  /// A number of any length: the digits without leading zeros.
  private struct DecimalText: Sendable, Hashable, Comparable {
    let digits: [UInt8]

    static func < (left: DecimalText, right: DecimalText) -> Bool {
      left.digits.count == right.digits.count
        ? left.digits.lexicographicallyPrecedes(right.digits)
        : left.digits.count < right.digits.count
    }
  }

  private enum Identifier: Sendable, Hashable, Comparable {
    case number(DecimalText)
    case text([UInt8])

    static func < (left: Identifier, right: Identifier) -> Bool {
      switch (left, right) {
      case (.number(let left), .number(let right)): left < right
      case (.number, .text): true
      case (.text, .number): false
      case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
      }
    }
  }

  /// Reads a version; nil if the text breaks the grammar.
  public init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let plus = rest.firstIndex(of: UInt8(ascii: "+")) {
      guard Self.identifiers(rest[(plus + 1)...]) != nil else { return nil }
      rest = rest[..<plus]
    }
    var preRelease: [Identifier] = []
    if let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
      guard let texts = Self.identifiers(rest[(hyphen + 1)...]) else { return nil }
      for text in texts {
        guard let identifier = Self.preReleaseIdentifier(text) else { return nil }
        preRelease.append(identifier)
      }
      rest = rest[..<hyphen]
    }
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard parts.count == 3, numbers.count == 3 else { return nil }
    self.numbers = numbers
    self.preRelease = preRelease
  }

  /// Precedence: numbers first, then any pre-release comes before none, then its identifiers.
  public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    if left.numbers != right.numbers {
      return left.numbers.lexicographicallyPrecedes(right.numbers)
    }
    if left.preRelease.isEmpty || right.preRelease.isEmpty {
      return !left.preRelease.isEmpty && right.preRelease.isEmpty
    }
    return left.preRelease.lexicographicallyPrecedes(right.preRelease)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> DecimalText? {
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
    return DecimalText(digits: Array(digits))
  }

  private static func preReleaseIdentifier(_ text: ArraySlice<UInt8>) -> Identifier? {
    guard text.allSatisfy(isDigit) else { return .text(Array(text)) }
    return number(text).map(Identifier.number)
  }

  private static func identifiers(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areWellFormed = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") }
    }
    return areWellFormed ? parts : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }
}
