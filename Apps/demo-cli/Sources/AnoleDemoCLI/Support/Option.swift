// SPDX-License-Identifier: Apache-2.0

/// An option of a command.
struct Option: Sendable, Hashable {
  /// The name behind the two dashes.
  let name: String
  /// The letter behind one dash, if there is one.
  let letter: Character?
  /// What the help calls the value; nil for a switch.
  let value: String?
  /// What it is for.
  let help: String
  /// Whether the environment and the settings file may give the value; see ``Settings``.
  let isSetting: Bool

  init(
    _ name: String, letter: Character? = nil, value: String? = nil, help: String,
    isSetting: Bool = false
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
    self.isSetting = isSetting
  }

  /// The option as it is typed.
  var text: String { "--\(name)" }

  /// The environment variable that may give the value.
  var variable: String { "ANOLE_" + name.uppercased().replacing("-", with: "_") }

  /// One JSON document instead of text.
  static let json = Option("json", help: "print one JSON document and nothing else")
  /// Help.
  static let help = Option("help", letter: "h", help: "show this help")

  /// The options every command has.
  static let common = [json, help]
}
