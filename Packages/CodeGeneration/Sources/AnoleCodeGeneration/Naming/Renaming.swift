// SPDX-License-Identifier: Apache-2.0

/// A key whose Swift name is not simply its words in camel case.
public struct Renaming: Sendable, Hashable, CustomStringConvertible {
  /// What has a name.
  public enum Subject: String, Sendable, Hashable {
    /// A flag.
    case flag
    /// A variation of a flag.
    case variation
    /// A variable of a flag.
    case variable
  }

  /// Why the name is another one.
  public enum Reason: Sendable, Hashable {
    /// Another key has the name already.
    case taken(by: String)
    /// Generated code or the language needs the name itself.
    case reserved
    /// The key begins with a digit.
    case beginsWithDigit
    /// The key has neither letters nor digits.
    case noLetters
    /// The key is too long for a name.
    case tooLong
  }

  /// What has the key.
  public let subject: Subject
  /// The flag that the variation or variable belongs to; nil for a flag.
  public let flagKey: String?
  /// The key in the data file.
  public let key: String
  /// The name in Swift.
  public let name: String
  /// Why it is this one.
  public let reason: Reason

  /// One sentence without a full stop.
  public var description: String {
    let owner = flagKey.map { " of \"\($0)\"" } ?? ""
    let cause =
      switch reason {
      case .taken(let other): "\"\(other)\" has the plain name"
      case .reserved: "the plain name is reserved"
      case .beginsWithDigit: "a name cannot begin with a digit"
      case .noLetters: "the key has no letters"
      case .tooLong: "the key is long"
      }
    return "\(subject.rawValue) \"\(key)\"\(owner) is \(name): \(cause)"
  }
}
