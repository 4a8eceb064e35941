// SPDX-License-Identifier: Apache-2.0

/// Something in a data file that could not be used, and what was done instead.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// Where, as a path from the root: `featureFlags[2].rules[0].id`.
  public let path: String
  /// What was wrong and what follows from it, one sentence without a full stop.
  public let message: String

  /// Makes a diagnostic.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// Path and message, for a log line.
  public var description: String { "\(path): \(message)" }
}
