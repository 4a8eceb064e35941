// SPDX-License-Identifier: Apache-2.0

import AnoleCodeGeneration
import AnoleEvaluation
import AnoleModels

/// `scan`: compares the flags that Swift source uses with those of a data file.
enum ScanCommand: Command {
  static let name = "scan"
  static let summary = "compare the flags that Swift source uses with a data file"
  static let synopsis = "[DIR]"
  static let options = [DataSource.option, unused, exclude, enumName]
  static let example = "scan Sources --unused"
  static let notes = [
    "Looks through the Swift files of DIR, or of the folder you are in; hidden folders, links and files",
    "over 4 MiB are left out. Found are the client's calls with a flag's key, other calls with a key under",
    "featureKey:, variables that are read of a variation, and names that demo-cli generate swift made.",
    "A key that has to be computed cannot be told. A key that stands somewhere as a text only is no use,",
    "but the flag does not count as unused.",
    "Exit status: 0 nothing unknown is used, 1 something unknown is used (with --unused also: a flag is",
    "unused), 2 no such folder, 4 no data file.",
  ]

  private static let unused = Option(
    "unused", help: "flags that nothing uses count as findings, too")
  private static let exclude = Option(
    "exclude", value: "NAME", help: "leave out folders of this name; may be repeated")
  private static let enumName = Option(
    "name", value: "NAME", help: "the enum of generated code; default: Flags")

  static func run(
    _ arguments: Arguments, in environment: Environment
  ) async throws(Failure) -> Output {
    let folder = try arguments.onlyOperand("folder") ?? "."
    let data = try DataSource(arguments, in: environment)
    let walk = try SourceWalk(folder, excluding: arguments.values(exclude), in: environment)
    let scan = try scan(
      walk.files,
      SourceScan(
        data.snapshot.dataFile, namespace: arguments.value(enumName) ?? "Flags"), in: environment)
    let report = ScanText(scan.report(), data, folder: folder)
    let isBad = !report.isClean || (arguments.has(unused) && report.hasUnused)
    let status = isBad ? ExitStatus.negative : ExitStatus.success
    let remarks = data.remarks + walk.remarks
    if arguments.has(.json) {
      return Output(json: report.document, remarks: remarks, status: status)
    }
    return Output(lines: report.lines, remarks: remarks, status: status)
  }

  /// Looks through files.
  private static func scan(
    _ files: [String], _ scan: SourceScan, in environment: Environment
  ) throws(Failure) -> SourceScan {
    var scan = scan
    defer { environment.progress.end() }
    for (position, file) in files.enumerated() {
      guard !Task.isCancelled else { throw .interrupted }
      scan.add(try environment.read(file), file: file)
      environment.progress.show(position + 1, of: files.count, "file")
    }
    return scan
  }
}
