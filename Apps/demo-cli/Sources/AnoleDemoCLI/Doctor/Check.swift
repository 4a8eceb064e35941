// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// One thing that was looked at.
struct Check: Sendable, Hashable {
  /// How it is; the raw values are the words for programs.
  enum State: String, Sendable {
    /// As it should be.
    case ok
    /// It works, but not as one would expect.
    case warning
    /// Something will not work.
    case problem
  }

  /// What was looked at, in one or two words.
  let name: String
  let state: State
  /// What was found.
  let text: String
  /// What to do about it; nil where nothing is to be done.
  let next: String?

  static func ok(_ name: String, _ text: String) -> Check {
    Check(name: name, state: .ok, text: Printable.line(text), next: nil)
  }

  static func warning(_ name: String, _ text: String, next: String) -> Check {
    Check(name: name, state: .warning, text: Printable.line(text), next: next)
  }

  static func problem(_ name: String, _ text: String, next: String) -> Check {
    Check(name: name, state: .problem, text: Printable.line(text), next: next)
  }

  var document: JSONValue {
    [
      "check": .string(name), "state": .string(state.rawValue), "text": .string(text),
      "next": .text(next),
    ]
  }
}
