// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleEvaluation
import AnoleModels

/// The report of a scan, as text and as a document.
struct ScanText: Sendable {
  private let report: ScanReport
  private let data: DataSource
  private let folder: String

  init(_ report: ScanReport, _ data: DataSource, folder: String) {
    self.report = report
    self.data = data
    self.folder = folder
  }

  /// Whether nothing is used that the data file does not have.
  var isClean: Bool { report.unknown.isEmpty }

  /// Whether the data file has flags that nothing uses.
  var hasUnused: Bool { !report.unused.isEmpty }

  // MARK: - Text

  /// A line a finding, what is unused, and the numbers.
  var lines: [String] {
    var lines = report.uses.compactMap { use in
      message(of: use).map { "\(place(use)): \($0)" }
    }
    for mention in report.mentioned {
      lines.append(
        "\(mention.file):\(mention.line): \(Printable.quote(mention.featureKey)) is mentioned, "
          + "but no use of the flag can be told")
    }
    for key in report.unused { lines.append("\(data.name): nothing uses \(Printable.quote(key))") }
    return lines + [summary]
  }

  private func place(_ use: FlagUse) -> String { "\(use.file):\(use.line):\(use.column)" }

  /// What is wrong with a use; nil for nothing.
  private func message(of use: FlagUse) -> String? {
    let key = use.featureKey ?? ""
    switch use.verdict {
    case .known: return nil
    case .cannotBeTold: return "\(use.call): the flag cannot be told from the source"
    case .unknownFlag:
      return "\(use.call): there is no flag \(Printable.quote(key))" + hint(use)
    case .unknownVariable:
      let variable = Printable.quote(use.variableKey ?? "")
      return "\(use.call): the flag \(Printable.quote(key)) has no variable \(variable)" + hint(use)
    }
  }

  private func hint(_ use: FlagUse) -> String {
    let near = nearest(use)
    guard !near.isEmpty else { return "" }
    return "; did you mean \(Wording.list(near.map { Printable.line($0) }, "or"))?"
  }

  /// The names that somebody may have meant.
  private func nearest(_ use: FlagUse) -> [String] {
    switch use.verdict {
    case .known, .cannotBeTold: return []
    case .unknownFlag:
      return Nearest.names(to: use.featureKey ?? "", among: data.snapshot.featureKeys)
    case .unknownVariable:
      return Nearest.names(to: use.variableKey ?? "", among: variables(of: use.featureKey ?? ""))
    }
  }

  private func variables(of key: String) -> [String] {
    let flag = data.snapshot.dataFile.featureFlags.last { $0.key.utf8.elementsEqual(key.utf8) }
    var seen: Set<ExactText> = []
    return (flag?.variations ?? []).flatMap(\.variables).map(\.key)
      .filter { seen.insert(ExactText($0)).inserted }
  }

  private var summary: String {
    let flags = Set(report.uses.compactMap(\.featureKey)).count
    let untold = report.uses.filter { $0.verdict == .cannotBeTold }.count
    let parts = [
      "\(Wording.count(report.uses.count, "use")) of \(Wording.count(flags, "flag"))",
      "\(Wording.grouped(report.unknown.count)) unknown",
      untold > 0 ? "\(Wording.grouped(untold)) that cannot be told" : nil,
      "\(Wording.count(report.unused.count, "flag")) unused",
    ]
    return "\(Wording.count(report.fileCount, "file")): "
      + parts.compactMap { $0 }.joined(separator: ", ")
  }

  // MARK: - Document

  /// The same for programs, with the uses that are known.
  var document: JSONValue {
    let uses = report.uses.map { use in
      JSONValue.members([
        ("file", .string(use.file)), ("line", .count(use.line)), ("column", .count(use.column)),
        ("call", .string(use.call)), ("flag", .text(use.featureKey)),
        ("variable", use.variableKey.map { .string($0) }),
        ("verdict", .string(use.verdict.rawValue)),
        ("nearest", use.verdict == .known ? nil : .array(nearest(use).map { .string($0) })),
      ])
    }
    let mentioned = report.mentioned.map { mention -> JSONValue in
      [
        "flag": .string(mention.featureKey), "file": .string(mention.file),
        "line": .count(mention.line),
      ]
    }
    return [
      "dataFile": .string(data.name), "folder": .string(folder), "files": .count(report.fileCount),
      "generatedFiles": .array(report.generatedFiles.map { .string($0) }), "uses": .array(uses),
      "unknown": .count(report.unknown.count), "unused": .array(report.unused.map { .string($0) }),
      "mentioned": .array(mentioned),
    ]
  }
}
