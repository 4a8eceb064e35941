// SPDX-License-Identifier: Apache-2.0

/// A command: one file in `Commands`, one row in ``Program/commands``.
protocol Command: SendableMetatype {
  /// What is typed.
  static var name: String { get }
  /// One line for the list of commands, without a full stop.
  static var summary: String { get }
  /// What follows the name.
  static var synopsis: String { get }
  /// The options besides ``Option/common``.
  static var options: [Option] { get }
  /// A call that works as it stands, without the program's name.
  static var example: String { get }
  /// What else the help says, in lines.
  static var notes: [String] { get }

  /// Does the work. Pure but for the environment.
  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output
}

extension Command {
  /// The help.
  static var help: [String] {
    var table = Table([.left, .left])
    for option in options + Option.common {
      let letter = option.letter.map { "-\($0), " } ?? ""
      let value = option.value.map { " \($0)" } ?? ""
      table.add(["  \(letter)\(option.text)\(value)", option.help])
    }
    let usage = ["usage: demo-cli", name, synopsis].filter { !$0.isEmpty }
    let sentence = summary.prefix(1).uppercased() + summary.dropFirst() + "."
    return [usage.joined(separator: " "), "", sentence, ""] + table.lines
      + (notes.isEmpty ? [] : [""] + notes) + ["", "Example: \(Program.name) \(example)"]
  }
}
