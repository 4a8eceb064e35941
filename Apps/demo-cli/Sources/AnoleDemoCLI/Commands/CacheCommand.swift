// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleStorage

/// `cache`: shows, checks and removes what clients keep on disk.
enum CacheCommand: Command {
  static let name = "cache"
  static let summary = "show, check or remove what is kept on disk"
  static let synopsis = "show | verify | clear"
  static let options = [storeOption, revealOption, yesOption]
  static let example = "cache show"
  static let notes = [
    "show tells which stores there are and what lies in each: the data file and its age, how many",
    "visitors, waiting events, remote flags; no codes of visitors, users and devices without --reveal.",
    "verify checks files, rows and data files, and changes nothing. clear removes all of it with --yes,",
    "and without says what would be lost. Stores are looked for below the user's state folder.",
    "Exit status: 0 done and whole, 1 damage, or nothing removed without --yes, 2 wrong usage.",
  ]

  private static let storeOption = Option(
    "store", value: "FOLDER", help: "where to look; default: below the user's state folder",
    isSetting: true)
  private static let revealOption = Option(
    "reveal", help: "show also codes of visitors, users and devices")
  private static let yesOption = Option("yes", help: "remove, and do not only say what")

  private enum Action: String, CaseIterable {
    case show, verify, clear
  }

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let (action, rest): (Action, _) = try arguments.action(of: Self.self)
    guard rest.isEmpty else { throw Failure("cache \(action.rawValue) takes no arguments") }
    let catalogue = try StateCatalogue(
      try environment.stateFolder(arguments.value(storeOption), default: ""))
    switch action {
    case .show: return show(catalogue, arguments, in: environment)
    case .verify: return verify(catalogue, arguments)
    case .clear: return try clear(catalogue, arguments)
    }
  }

  // MARK: - Actions

  private static func show(
    _ catalogue: StateCatalogue, _ arguments: Arguments, in environment: Environment
  ) -> Output {
    var lines = [title(catalogue)]
    var documents: [JSONValue] = []
    var status = ExitStatus.success
    for entry in catalogue.entries {
      switch entry.result {
      case .success(let inspection):
        let summary = StoreSummary(
          entry, inspection, now: environment.now(), reveals: arguments.has(revealOption))
        lines += summary.lines
        documents.append(summary.document)
        if !inspection.isIntact { status = ExitStatus.negative }
      case .failure(let error):
        status = ExitStatus.negative
        lines += [entry.name, "  cannot be read: \(Printable.line(error.message))"]
        documents.append(["path": .string(entry.path), "error": .string(error.message)])
      }
    }
    guard !arguments.has(.json) else {
      return Output(
        json: ["folder": .string(catalogue.folder), "stores": .array(documents)], status: status)
    }
    return Output(lines: lines, status: status)
  }

  private static func verify(_ catalogue: StateCatalogue, _ arguments: Arguments) -> Output {
    let findings = catalogue.entries.flatMap { StoreFinding.findings(in: $0) }
    let status = findings.isEmpty ? ExitStatus.success : ExitStatus.negative
    let inspections = catalogue.entries.compactMap(\.inspection)
    let records = inspections.reduce(0) { $0 + $1.spaces.reduce(0) { $0 + $1.count } }
    let events = inspections.reduce(0) { $0 + $1.outbox.count }
    guard !arguments.has(.json) else {
      let document: JSONValue = [
        "folder": .string(catalogue.folder), "stores": .count(catalogue.entries.count),
        "records": .count(records), "events": .count(events),
        "findings": .array(findings.map(\.document)),
      ]
      return Output(json: document, status: status)
    }
    let verdict = findings.isEmpty ? "whole" : Wording.count(findings.count, "finding")
    let checked = [
      Wording.count(catalogue.entries.count, "store"), Wording.count(records, "record"),
      Wording.count(events, "waiting event"),
    ]
    return Output(
      lines: findings.map(\.line) + [
        "\(Printable.line(catalogue.folder)): \(verdict) (\(checked.joined(separator: ", ")))"
      ], status: status, colouring: .findings)
  }

  private static func clear(
    _ catalogue: StateCatalogue, _ arguments: Arguments
  ) throws(Failure) -> Output {
    let isMeant = arguments.has(yesOption)
    let losses = catalogue.entries.map { (entry: $0, loss: loss($0)) }
    if isMeant {
      for entry in catalogue.entries {
        do throws(StorageInspectionError) {
          try SQLiteStorage.removeStore(in: entry.folder)
        } catch {
          // Somebody else was faster.
          guard error.code != .missing else { continue }
          throw Failure("\(entry.folder): \(error.message); end what uses it, and try again")
        }
      }
    }
    let isDone = isMeant || catalogue.entries.isEmpty
    let status = isDone ? ExitStatus.success : ExitStatus.negative
    guard !arguments.has(.json) else {
      let stores = losses.map { entry, loss -> JSONValue in
        ["path": .string(entry.path), "loss": .string(loss)]
      }
      let document: JSONValue = [
        "folder": .string(catalogue.folder), "removed": .bool(isMeant), "stores": .array(stores),
      ]
      return Output(json: document, status: status)
    }
    let verb = isMeant ? "removed" : "would remove"
    return Output(
      lines: catalogue.entries.isEmpty
        ? [title(catalogue)] : losses.map { "\(verb) \($0.entry.name): \($0.loss)" },
      remarks: isDone ? [] : ["nothing was removed; write demo-cli cache clear --yes to do it"],
      status: status)
  }

  // MARK: - Words

  private static func title(_ catalogue: StateCatalogue) -> String {
    let folder = Printable.line(catalogue.folder)
    guard !catalogue.entries.isEmpty else { return "\(folder): nothing is kept there" }
    return "\(folder): \(Wording.count(catalogue.entries.count, "store"))"
  }

  /// What would be gone with a store.
  private static func loss(_ entry: StateCatalogue.Entry) -> String {
    guard let inspection = entry.inspection else { return "a store that cannot be read" }
    var parts: [String] = []
    let events = inspection.outbox.count
    if events > 0 { parts.append("\(Wording.count(events, "event")) not sent yet") }
    let records = inspection.spaces.reduce(0) { $0 + $1.count }
    if records > 0 { parts.append(Wording.count(records, "record")) }
    return parts.isEmpty ? "nothing in it" : Wording.list(parts, "and")
  }
}
