// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// Values of options that are given once: by the environment, or else by a settings file.
///
/// The file is one JSON object whose members are called like the options, without dashes in front:
/// `{"data-file": "shop.json", "endpoint": "http://127.0.0.1:8080"}`.
struct Settings: Sendable {
  /// No settings.
  static let none = Settings(variable: { _ in nil })

  /// The variable that names the settings file.
  static let pathVariable = "ANOLE_SETTINGS"
  /// The file in the working directory.
  static let localName = "anole.json"

  private let variable: @Sendable (_ name: String) -> String?
  private let values: [String: String]

  /// Settings of the environment alone.
  init(variable: @escaping @Sendable (_ name: String) -> String?) {
    self.variable = variable
    values = [:]
  }

  /// Settings of the environment, and behind it of a file.
  ///
  /// - Parameters:
  ///   - name: how the file is called in messages.
  ///   - known: the options that may be set.
  /// - Throws: a sentence about the first member that is no setting.
  init(
    variable: @escaping @Sendable (_ name: String) -> String?, file bytes: [UInt8], name: String,
    known: [Option]
  ) throws(Failure) {
    self.variable = variable
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .data("\(name): \(error); mend it at that place")
    }
    guard let members = document.objectValue else {
      throw .data("\(name): is not a JSON object; write {\"data-file\": \"…\"}")
    }
    var values: [String: String] = [:]
    for member in members {
      guard known.contains(where: { $0.name == member.key }) else {
        throw .data(
          "\(name): there is no setting \(Printable.quote(member.key)); "
            + DataSource.hint(member.key, Set(known.map(\.name)).sorted()))
      }
      switch member.value {
      case .string(let text): values[member.key] = text
      case .number: values[member.key] = member.value.text()
      default:
        throw .data("\(name): \(Printable.quote(member.key)) wants a text or a number")
      }
    }
    self.values = values
  }

  /// The value of an option; nil if it is not set, or cannot be.
  func value(of option: Option) -> String? {
    guard option.isSetting else { return nil }
    // An empty variable counts as unset, as usual.
    if let text = variable(option.variable), !text.isEmpty { return text }
    return values[option.name]
  }
}

extension Settings {
  /// Reads what the environment and the first settings file say: the one that `ANOLE_SETTINGS` names,
  /// `anole.json` in the working directory, `anole/settings.json` among the user's settings.
  ///
  /// - Throws: a sentence if the file that is named is missing, or one is wrong.
  static func read(_ known: [Option], in environment: Environment) throws(Failure) -> Settings {
    let variable = environment.variable
    func settings(_ bytes: [UInt8], _ path: String) throws(Failure) -> Settings {
      try Settings(
        variable: variable, file: bytes, name: Printable.line(path), known: known)
    }
    if let path = variable(pathVariable), !path.isEmpty {
      return try settings(try environment.read(path), path)
    }
    for path in places(variable) {
      guard let bytes = try environment.readIfPresent(path) else { continue }
      return try settings(bytes, path)
    }
    return Settings(variable: variable)
  }

  /// The settings file in use; nil if there is none.
  static func file(in environment: Environment) throws(Failure) -> String? {
    if let path = environment.variable(pathVariable), !path.isEmpty { return path }
    for path in places(environment.variable) {
      if try environment.readIfPresent(path) != nil { return path }
    }
    return nil
  }

  /// Where a file is looked for.
  private static func places(_ variable: (_ name: String) -> String?) -> [String] {
    var folder = variable("XDG_CONFIG_HOME") ?? ""
    // The base-directory specification has relative paths ignored.
    if !folder.hasPrefix("/") {
      let home = variable("HOME") ?? ""
      folder = home.hasPrefix("/") ? home + "/.config" : ""
    }
    return [localName] + (folder.isEmpty ? [] : [folder + "/anole/settings.json"])
  }
}
