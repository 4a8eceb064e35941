// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Chooses the command and runs it.
enum Program {
  static let name = "demo-cli"
  static let version = "0.1.0"

  /// Every command, in the order of the help.
  static let commands: [any Command.Type] = [
    QuickstartCommand.self, DemoCommand.self, EvalCommand.self, ExplainCommand.self,
    SimulateCommand.self, DiffCommand.self, LintCommand.self, GenerateCommand.self,
    ScanCommand.self, FetchCommand.self, WatchCommand.self, ServeCommand.self,
    TrackCommand.self, RemoteCommand.self, CacheCommand.self, DoctorCommand.self,
    ConformanceCommand.self, RecordCommand.self, ReplayCommand.self, BenchCommand.self,
    HelpCommand.self,
  ]

  /// The options that may be set once for all calls.
  static var settable: [Option] { commands.flatMap { $0.options }.filter(\.isSetting) }

  private static let versionOption = Option("version", help: "show the version")

  /// Runs the program.
  ///
  /// - Parameter arguments: without the program's name.
  static func run(_ arguments: [String], in environment: Environment) async -> Output {
    do throws(Failure) {
      guard let first = arguments.first, !first.hasPrefix("-") else {
        return try await runWithoutCommand(arguments, in: environment)
      }
      return try await run(command(named: first), Array(arguments.dropFirst()), in: environment)
    } catch {
      // Also where the options could not be read, so that a program never gets plain text.
      let isJSON = arguments.prefix { $0 != "--" }.contains(Option.json.text)
      return Output(error, isJSON: isJSON)
    }
  }

  /// The command of a name.
  ///
  /// - Throws: a sentence with the nearest names.
  static func command(named name: String) throws(Failure) -> any Command.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let near = Nearest.names(to: name, among: commands.map { $0.name })
    let hint =
      near.isEmpty ? "demo-cli help lists them" : "did you mean \(Wording.list(near, "or"))?"
    throw Failure("there is no command \(Printable.quote(name)); \(hint)")
  }

  private static func run(
    _ command: any Command.Type, _ arguments: [String], in environment: Environment
  ) async throws(Failure) -> Output {
    let arguments = try Arguments(
      arguments, options: command.options + Option.common,
      settings: try Settings.read(settable, in: environment))
    guard !arguments.has(.help) else { return Output(lines: command.help) }
    return try await command.run(arguments, in: environment)
  }

  /// The program's own options; without any, the quick start.
  private static func runWithoutCommand(
    _ arguments: [String], in environment: Environment
  ) async throws(Failure) -> Output {
    let options = try Arguments(arguments, options: [versionOption] + Option.common)
    if options.has(.help) { return Output(lines: HelpCommand.overview) }
    if options.has(versionOption) {
      guard options.has(.json) else { return Output(lines: ["\(name) \(version)"]) }
      return Output(json: ["name": .string(name), "version": .string(version)])
    }
    if let operand = options.operands.first {
      throw Failure(
        "options go behind the command; write demo-cli \(Printable.line(operand)) …, "
          + "or demo-cli help")
    }
    return try await QuickstartCommand.run(options, in: environment)
  }
}
