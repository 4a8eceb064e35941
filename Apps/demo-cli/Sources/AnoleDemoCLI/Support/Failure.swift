// SPDX-License-Identifier: Apache-2.0

/// Why a command cannot do its work: wrong usage, or input that cannot be read.
struct Failure: Error, Hashable, CustomStringConvertible {
  /// One sentence that names the place and the next step.
  let description: String

  init(_ description: String) { self.description = description }
}

/// The exit statuses.
enum ExitStatus {
  /// Done, and nothing was wrong.
  static let success: Int32 = 0
  /// Done, and the answer is no: findings, failed cases, a flag that cannot be decided.
  static let negative: Int32 = 1
  /// Wrong usage or unreadable input.
  static let failure: Int32 = 2
}
