// SPDX-License-Identifier: Apache-2.0

/// A place in Swift source that refers to a flag or to a variable of one, before names are looked up.
struct FlagReference: Sendable, Hashable {
  /// How the flag is named.
  enum Flag: Sendable, Hashable {
    /// By its key.
    case key(String)
    /// By a constant: `FlagKeys.checkout` is `["FlagKeys", "checkout"]`.
    case constant([String])
    /// By an expression that has to run.
    case expression
    /// By a type of generated code, within its enum.
    case type(namespace: String, name: String)
    /// By a method of generated code, on the property of a client.
    case method(property: String, name: String)
  }

  let flag: Flag
  /// The key of the variable; nil if the flag itself is read.
  var variableKey: String?
  /// The function or member, as `getVariation(featureKey:)`.
  let call: String
  /// Where the key stands, in bytes from the start of the file.
  let offset: Int
  /// Whether it is read for certain: a name of our interface, not only one that looks like it.
  var isCertain = true
}

/// A text that has a name in Swift source.
struct FlagConstant: Sendable, Hashable {
  /// The type that it is a static member or a case of; nil for one of a file or a function.
  let owner: String?
  let name: String
  let text: String
  /// Whether it is a case of an enum, to be read by `rawValue`.
  let isCase: Bool
}
