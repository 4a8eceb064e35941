// SPDX-License-Identifier: Apache-2.0

/// Why a command cannot do its work.
struct Failure: Error, Hashable, CustomStringConvertible {
  /// What is at fault; the raw values are the words for programs.
  enum Kind: String, Sendable {
    /// The call: options, names, paths.
    case usage
    /// A server, or the way to it.
    case network
    /// The content of a file or of an answer.
    case data
    /// The work was broken off, by Ctrl-C for example.
    case interrupted
  }

  let kind: Kind
  /// One sentence that names the place and the next step.
  let description: String

  /// Wrong usage.
  init(_ description: String) { self.init(.usage, description) }

  private init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// A server that cannot be reached, or answers with a failure.
  static func network(_ description: String) -> Failure { Failure(.network, description) }

  /// Content that is not valid.
  static func data(_ description: String) -> Failure { Failure(.data, description) }

  /// The work was broken off.
  static let interrupted = Failure(.interrupted, "interrupted; nothing more is done")

  /// The exit status.
  var status: Int32 {
    switch kind {
    case .usage: ExitStatus.usage
    case .network: ExitStatus.network
    case .data: ExitStatus.data
    case .interrupted: ExitStatus.interrupted
    }
  }
}

/// The exit statuses.
enum ExitStatus {
  /// Done, and nothing was wrong.
  static let success: Int32 = 0
  /// Done, and the answer is no: findings, failed cases, a flag that cannot be decided.
  static let negative: Int32 = 1
  /// Wrong usage, or a file that cannot be opened.
  static let usage: Int32 = 2
  /// A server cannot be reached, or answers with a failure.
  static let network: Int32 = 3
  /// A file or an answer whose content is not valid.
  static let data: Int32 = 4
  /// Broken off, as the shell counts it for Ctrl-C.
  static let interrupted: Int32 = 130

  /// What the help says of them.
  static let summary = [
    "Exit status: 0 done, 1 done and the answer is no (findings, differences, failed cases, a flag",
    "that cannot be decided), 2 wrong usage, 3 network, 4 invalid data, 130 interrupted.",
  ]
}
