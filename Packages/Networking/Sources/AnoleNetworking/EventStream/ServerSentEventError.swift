// SPDX-License-Identifier: Apache-2.0

/// Why an event stream cannot be read on.
public struct ServerSentEventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case lineTooLong, eventTooLarge }
    private let kind: Kind

    /// A line is longer than ``ServerSentEventParser/Limits/lineSize``.
    public static let lineTooLong = Code(kind: .lineTooLong)
    /// An event is larger than ``ServerSentEventParser/Limits/eventSize``.
    public static let eventTooLarge = Code(kind: .eventTooLarge)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// The limit in bytes.
  public let limit: Int

  /// A sentence for a log line.
  public var description: String { "\(code): more than \(limit) bytes in the event stream" }
}
