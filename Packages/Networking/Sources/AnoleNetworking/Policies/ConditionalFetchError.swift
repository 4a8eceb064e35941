// SPDX-License-Identifier: Apache-2.0

/// Why a fetch gave nothing usable.
public struct ConditionalFetchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
      case refused, forbidden, notModifiedWithoutCopy, wrongContentType, emptyDocument, unreadable
      case failed, cancelled
    }
    private let kind: Kind

    /// A status that is no success.
    public static let refused = Code(kind: .refused)
    /// Status 403: taken for a bot.
    ///
    /// There is no second attempt.
    public static let forbidden = Code(kind: .forbidden)
    /// Status 304 to a request without condition.
    public static let notModifiedWithoutCopy = Code(kind: .notModifiedWithoutCopy)
    /// The answer says that it is no JSON.
    public static let wrongContentType = Code(kind: .wrongContentType)
    /// The answer is no JSON object, or one without members.
    public static let emptyDocument = Code(kind: .emptyDocument)
    /// The document cannot be read.
    public static let unreadable = Code(kind: .unreadable)
    /// No answer.
    public static let failed = Code(kind: .failed)
    /// The task was cancelled.
    public static let cancelled = Code(kind: .cancelled)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure, of the last attempt.
  public let code: Code
  /// What happened, for a log line; without address and body.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Kind and message.
  public var description: String { "\(code): \(message)" }
}
