// SPDX-License-Identifier: Apache-2.0

/// Where programs keep their state by the rules of the XDG base directories.
public enum StateFolder: Sendable {
  /// `$XDG_STATE_HOME`, or `.local/state` in the home folder; nil if neither is known.
  ///
  /// By those rules a path that is not absolute is ignored.
  ///
  /// - Parameter variable: Reads an environment variable.
  public static func standard(_ variable: (_ name: String) -> String?) -> String? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state"
  }
}
