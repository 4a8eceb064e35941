// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleEvaluation
import AnoleModels

/// `generate`: writes the flags of a data file as source code.
enum GenerateCommand: Command {
  private enum Action: String, CaseIterable {
    case swift
  }

  static let name = "generate"
  static let summary = "write the flags of a data file as Swift source"
  static let synopsis = "swift"
  static let options = [DataSource.option, output, check, access, enumName]
  static let example = "generate swift --output Flags.swift"
  static let notes = [
    "Writes an enum with a type for each flag: its key, its variations, its variables with their types.",
    "An application reads them by client.flags.checkout(), which answers with the default variation",
    "where the client cannot tell. Rules and shares are left out, so that publishing them changes nothing.",
    "Without --output the source goes to standard output. A file that is there keeps its name and access",
    "unless others are given, and is only written if it changes; other files are never written over.",
    "Exit status: 0 done, 1 --check found the file out of date, 2 wrong usage, 4 no data file.",
  ]

  private static let output = Option(
    "output", letter: "o", value: "FILE", help: "write to this file")
  private static let check = Option(
    "check", help: "write nothing, only tell whether --output is up to date")
  private static let access = Option(
    "access", value: "LEVEL", help: "internal (default), package or public")
  private static let enumName = Option(
    "name", value: "NAME", help: "the name of the enum; default: Flags")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let (_, operands): (Action, [String]) = try arguments.action(of: Self.self)
    guard operands.isEmpty else {
      throw Failure(
        "generate swift takes no file; write --data-file \(Printable.line(operands[0]))")
    }
    guard let path = arguments.value(output) else {
      guard !arguments.has(check) else { throw Failure("--check needs a file; add --output FILE") }
      return try print(arguments, in: environment)
    }
    let file = try GeneratedFile(path, in: environment)
    let generator = try generator(arguments, continuing: file.generator)
    let data = try DataSource(arguments, in: environment)
    let source = generator.source(for: data.snapshot.dataFile)
    let isSame = file.isSame(as: source)
    if !isSame, !arguments.has(check) { try environment.write(Array(source.text.utf8), path) }
    return report(arguments, data, source, file: file, isSame: isSame, generator)
  }

  /// The settings: what is given, else those of the file that is there, else the usual ones.
  private static func generator(
    _ arguments: Arguments, continuing old: SwiftGenerator?
  ) throws(Failure) -> SwiftGenerator {
    let word = arguments.value(access)
    let level = word.map { SwiftGenerator.Access(rawValue: $0) } ?? old?.access ?? .internal
    guard let level else {
      throw Failure("--access is internal, package or public, not \(Printable.quote(word ?? ""))")
    }
    let name = arguments.value(enumName) ?? old?.name ?? "Flags"
    do throws(GenerationError) {
      return try SwiftGenerator(name: name, access: level)
    } catch {
      throw Failure("--name: \(Printable.line(error.description))")
    }
  }

  /// The source on standard output.
  private static func print(
    _ arguments: Arguments, in environment: Environment
  ) throws(Failure) -> Output {
    let generator = try generator(arguments, continuing: nil)
    let data = try DataSource(arguments, in: environment)
    let source = generator.source(for: data.snapshot.dataFile)
    guard !arguments.has(.json) else {
      return Output(
        json: document(data, source, generator, [("source", .string(source.text))]),
        remarks: data.remarks)
    }
    var result = Output(verbatim: Array(source.text.utf8))
    result.remarks = data.remarks + renamings(source)
    return result
  }

  private static func report(
    _ arguments: Arguments, _ data: DataSource, _ source: GeneratedSource, file: GeneratedFile,
    isSame: Bool, _ generator: SwiftGenerator
  ) -> Output {
    let isCheck = arguments.has(check)
    let status = isCheck && !isSame ? ExitStatus.negative : ExitStatus.success
    let renewal = renewal(arguments, file.path, generator)
    if arguments.has(.json) {
      let members: [(String, JSONValue?)] = [
        ("output", .string(file.path)), ("upToDate", .bool(isSame)),
        ("written", .bool(!isSame && !isCheck)),
        ("renew", isCheck && !isSame ? .string(renewal) : nil),
      ]
      return Output(
        json: document(data, source, generator, members), remarks: data.remarks, status: status)
    }
    let name = Printable.line(file.path)
    let flags = Wording.count(source.flagCount, "flag")
    let line =
      switch (isSame, isCheck) {
      case (true, _): "\(name): up to date (\(flags))"
      case (false, false): "\(name): written (\(flags))"
      case (false, true):
        "\(name): \(file.difference(from: source)); renew it with \(Program.name) "
          + renewal
      }
    return Output(
      lines: [line], remarks: data.remarks + (isCheck || isSame ? [] : renamings(source)),
      status: status)
  }

  /// The call that writes the file anew.
  private static func renewal(
    _ arguments: Arguments, _ path: String, _ generator: SwiftGenerator
  ) -> String {
    var words = ["generate", "swift"]
    if let file = arguments.value(DataSource.option) { words += ["--data-file", file] }
    if generator.name != "Flags" { words += ["--name", generator.name] }
    if generator.access != .internal { words += ["--access", generator.access.rawValue] }
    return (words + ["--output", path]).map { ShellWord.quoted($0) }.joined(separator: " ")
  }

  private static func document(
    _ data: DataSource, _ source: GeneratedSource, _ generator: SwiftGenerator,
    _ members: [(String, JSONValue?)]
  ) -> JSONValue {
    let renamed = source.renamings.map { renaming in
      JSONValue.members([
        ("subject", .string(renaming.subject.rawValue)),
        ("flag", renaming.flagKey.map { .string($0) }), ("key", .string(renaming.key)),
        ("name", .string(renaming.name)), ("reason", .string(renaming.description)),
      ])
    }
    let common: [(String, JSONValue?)] = [
      ("dataFile", .string(data.name)), ("name", .string(generator.name)),
      ("access", .string(generator.access.rawValue)), ("flags", .count(source.flagCount)),
      ("renamed", .array(renamed)),
    ]
    return .members(common + members)
  }

  /// What a reader should know about names.
  private static func renamings(_ source: GeneratedSource) -> [String] {
    let shown = source.renamings.prefix(shownRenamings).map { Printable.line($0.description) }
    let rest = source.renamings.count - shown.count
    let more = rest > 0 ? ["\(Wording.count(rest, "more name")) changed; --json tells all"] : []
    return shown + more
  }

  private static let shownRenamings = 10
}
