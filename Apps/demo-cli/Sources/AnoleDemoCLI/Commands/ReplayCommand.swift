// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency
import AnoleEmulator
import AnoleModels

/// `replay`: answers as a recording says.
enum ReplayCommand: Command {
  static let name = "replay"
  static let summary = "play the platform of a recording"
  static let synopsis = "FILE [OPTION…]"
  static let options = [ListeningOptions.port, ListeningOptions.requests]
  static let example = "replay talk.json --port 8080"
  static let notes = [
    "FILE is what demo-cli record has written, or a scenario of recorded exchanges. Listens on",
    "127.0.0.1. A request gets the answer of the first unused exchange with the same target, or else",
    "the same path; then the last one again. What the recording does not know gets 404.",
    "Exit status: 0 everything that was asked is recorded, 1 something is not, 2 wrong usage,",
    "3 the port is in use, 4 no recording.",
  ]

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    guard let path = try arguments.onlyOperand("file") else {
      throw Failure("replay needs a recording; write demo-cli replay FILE")
    }
    let port = try ListeningOptions.port(arguments)
    let limit = try ListeningOptions.limit(arguments)
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let recording = try Recording(
      try environment.read(path), name: DataSource.name(of: path)
    ) { (file) throws(Failure) in
      guard !file.hasPrefix("/"), !file.split(separator: "/").contains("..") else {
        throw .data("\(DataSource.name(of: path)): bodyFile must be beside the recording")
      }
      return try environment.read(folder + file)
    }
    let player = Player(recording, time: TimeSource(environment.clock))
    let emulator = Emulator()
    emulator.setResponder(player.respond)
    try await RecordCommand.serve(emulator, port: port, limit: limit, arguments, in: environment)
    return output(player.count, of: recording.exchanges.count, arguments)
  }

  private static func output(
    _ count: Player.Count, of total: Int, _ arguments: Arguments
  ) -> Output {
    let status = count.unknown.isEmpty ? ExitStatus.success : ExitStatus.negative
    guard !arguments.has(.json) else {
      let document = JSONValue.members([
        ("exchanges", .count(total)), ("used", .count(count.used)),
        ("unknown", .array(count.unknown.map(JSONValue.string))),
      ])
      return Output(lines: [document.text()], status: status)
    }
    return Output(
      lines: ["\(count.used) of \(Wording.count(total, "exchange")) used"]
        + count.unknown.map { "not recorded: \(Printable.line($0))" },
      status: status)
  }
}
