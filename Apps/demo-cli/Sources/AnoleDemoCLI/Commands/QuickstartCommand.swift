// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// `quickstart`, and the program without a command: a first look in a moment.
enum QuickstartCommand: Command {
  static let name = "quickstart"
  static let summary = "show in a moment what this is: a platform and a client, both inside"
  static let synopsis = ""
  static let options: [Option] = []
  static let example = "quickstart"
  static let notes = [
    "Starts the emulator on a free port of loopback and asks it with a real client: three visitors,",
    "one explanation, a conversion, a flag that is switched off, a remote flag. Needs no account and",
    "no network, keeps everything in memory, and ends by itself.",
  ]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard arguments.operands.isEmpty else {
      throw Failure("quickstart takes no arguments; demo-cli eval decides for a visitor")
    }
    let quickstart = try await Quickstart(in: environment)
    return arguments.has(.json)
      ? Output(json: quickstart.document)
      : Output(
        lines: quickstart.lines + Quickstart.serverSuggestions, colouring: .explanation)
  }
}
