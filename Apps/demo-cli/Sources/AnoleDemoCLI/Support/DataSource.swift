// SPDX-License-Identifier: Apache-2.0

import AnoleEvaluation
import AnoleModels

/// A data file that was read and compiled.
struct DataSource: Sendable {
  static let option = Option(
    "data-file", value: "FILE",
    help: "the data file, - for standard input; default: a built-in shop", isSetting: true)

  /// How the file is called in messages.
  let name: String
  let snapshot: Snapshot
  /// What reading and compiling left out or found.
  let diagnostics: [Diagnostic]

  /// Reads the file that the arguments name, or the built-in one.
  init(_ arguments: Arguments, in environment: Environment) throws(Failure) {
    let path = arguments.value(Self.option)
    let bytes = try path.map { (path) throws(Failure) in try environment.read(path) }
    try self.init(
      bytes ?? Array(ShopDataFile.text.utf8), name: Self.name(of: path), in: environment)
  }

  /// Compiles the bytes of a file.
  init(_ bytes: [UInt8], name: String, in environment: Environment) throws(Failure) {
    let reading = try Self.read(bytes, name: name)
    self.name = name
    snapshot = Snapshot(reading.dataFile, sdk: environment.sdk)
    diagnostics = reading.diagnostics + snapshot.diagnostics
  }

  /// How a path is called in messages.
  static func name(of path: String?) -> String {
    switch path {
    case nil: "the built-in shop"
    case "-"?: "standard input"
    case let path?: Printable.line(path)
    }
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: a sentence with the name of the file.
  static func read(_ bytes: [UInt8], name: String) throws(Failure) -> DataFile.Reading {
    guard !bytes.isEmpty else {
      throw .data("\(name): is empty; a data file is one JSON object")
    }
    do throws(DataFileError) {
      return try DataFile.read(bytes)
    } catch {
      switch error {
      case .malformed(let cause): throw .data("\(name): \(cause); mend it at that place")
      case .rootIsNotAnObject:
        throw .data("\(name): the root is not a JSON object; check that it is a data file")
      case .featureFlagsIsNotAList:
        throw .data("\(name): \"featureFlags\" is not a list; check the format version (v3)")
      }
    }
  }

  /// A hint for standard error where something of the file does not count.
  var remarks: [String] {
    guard !diagnostics.isEmpty else { return [] }
    let elements = Wording.count(diagnostics.count, "thing")
    return ["\(name): \(elements) in it cannot be used as written; demo-cli lint tells which"]
  }

  /// The flag with a key.
  ///
  /// - Throws: a sentence with the nearest keys.
  func flag(_ key: String) throws(Failure) -> FeatureFlag {
    // Of two flags with one key the later counts.
    let flag = snapshot.dataFile.featureFlags.last { $0.key.utf8.elementsEqual(key.utf8) }
    if let flag { return flag }
    throw Failure(
      "\(name) has no flag \(Printable.quote(key)); \(Self.hint(key, snapshot.featureKeys))")
  }

  /// The names somebody may have meant, or the first ones.
  static func hint(_ name: String, _ names: [String]) -> String {
    let near = Nearest.names(to: name, among: names)
    guard near.isEmpty else {
      return "did you mean \(Wording.list(near.map { Printable.line($0) }, "or"))?"
    }
    guard !names.isEmpty else { return "it has none at all" }
    let shown = names.prefix(shownNames).map { Printable.line($0) }
    let rest = names.count - shown.count
    return "it has \(Wording.list(shown + (rest > 0 ? ["\(rest) more"] : []), "and"))"
  }

  private static let shownNames = 8
}
