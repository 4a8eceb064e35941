// SPDX-License-Identifier: Apache-2.0

/// Where values of options come from.
enum SettingsChecks {
  /// The settings file in use, and the variables that are set.
  ///
  /// - Throws: a sentence if the file cannot be read; commands end with the same one.
  static func all(in environment: Environment) throws(Failure) -> [Check] {
    let file = try Settings.file(in: environment)
    var names: [String] = []
    for option in Program.settable where !names.contains(option.variable) {
      guard let value = environment.variable(option.variable), !value.isEmpty else { continue }
      names.append(option.variable)
    }
    let variables = names.isEmpty ? "no variables" : Wording.list(names.sorted(), "and")
    var checks = [Check.ok("settings", "\(file ?? "no file"), \(variables)")]
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment.variable)
      .first { !$0.isEmpty }
    if let locale, !locale.lowercased().contains("utf") {
      checks.append(.ok("locale", "\(locale); text is UTF-8 whatever it says"))
    }
    return checks
  }
}
