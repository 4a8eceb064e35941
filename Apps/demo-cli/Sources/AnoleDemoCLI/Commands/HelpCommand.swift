// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// `help`: the commands, or the help of one.
enum HelpCommand: Command {
  static let name = "help"
  static let summary = "show what a command does"
  static let synopsis = "[COMMAND]"
  static let options: [Option] = []
  static let example = "help explain"
  static let notes: [String] = []

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let topic = try arguments.onlyOperand("command")
    let lines = try topic.map { (name) throws(Failure) in try Program.command(named: name).help }
    guard arguments.has(.json) else { return Output(lines: lines ?? overview) }
    return Output(json: ["help": .array((lines ?? overview).map(JSONValue.string))])
  }

  /// The list of commands.
  static var overview: [String] {
    var table = Table([.left, .left])
    for command in Program.commands {
      table.add(["  \(command.name)", command.summary])
    }
    return [
      "usage: demo-cli [COMMAND] [ARGUMENT…] [OPTION…]", "",
      "Decides feature flags from a data file and tells why. Without a command it shows a quick start.",
      "",
    ] + table.lines + [
      "",
      "Each command takes --json for one JSON document and --help for its options; demo-cli --version",
      "shows the version. Values of options that are given again and again may stand in variables, as in",
      "ANOLE_DATA_FILE=shop.json, or in anole.json: {\"data-file\": \"shop.json\"}.",
    ] + ExitStatus.summary
  }
}
