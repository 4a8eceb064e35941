// SPDX-License-Identifier: Apache-2.0

/// Why a flag could not be changed; everything stays as it was.
public struct FlagEditError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case noFile, unreadable, notFound, invalidValue }
    private let kind: Kind

    /// Nothing is served for the site code and environment, or nothing for the application.
    public static let noFile = Code(kind: .noFile)
    /// What is served is not JSON, or not in the form of a data file at the place in question.
    public static let unreadable = Code(kind: .unreadable)
    /// There is no such flag or rule, or there are two with the same id.
    public static let notFound = Code(kind: .notFound)
    /// The new value is outside its range, or there are too few or too many.
    public static let invalidValue = Code(kind: .invalidValue)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// What went wrong.
  public let code: Code
  /// A sentence without a full stop: the place, the problem, and what to do.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
