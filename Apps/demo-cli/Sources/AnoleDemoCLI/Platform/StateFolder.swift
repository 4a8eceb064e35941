// SPDX-License-Identifier: Apache-2.0

/// Where the program keeps what lasts.
enum StateFolder {
  /// The folder that was asked for, or one below `$XDG_STATE_HOME` or `~/.local/state`.
  ///
  /// - Parameters:
  ///   - given: the folder of an option.
  ///   - name: the folder's path below the program's own.
  /// - Throws: a sentence if no folder is known.
  static func path(
    _ given: String?, default name: String, in environment: Environment
  ) throws(Failure) -> String {
    if let given {
      guard !given.isEmpty else { throw Failure("--store wants a folder") }
      return given
    }
    if let base = filled(environment.variable("XDG_STATE_HOME")), base.hasPrefix("/") {
      return "\(base)/anole/\(name)"
    }
    guard let home = filled(environment.variable("HOME")) else {
      throw Failure("there is no home folder to keep events in; name one with --store FOLDER")
    }
    return "\(home)/.local/state/anole/\(name)"
  }

  private static func filled(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
