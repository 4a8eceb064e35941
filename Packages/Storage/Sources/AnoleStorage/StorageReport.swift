// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a store and that its owner should know.
public struct StorageReport: Sendable, Hashable, CustomStringConvertible {
  /// What happened, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
      case degraded
      case recovered
      case setAside
      case newerSchema
      case replaced
      case unreadable
      case tooLarge
      case memoryLimit
    }

    private let kind: Kind

    /// The disk cannot be written; changes are held in memory until it can.
    ///
    /// Given once until `recovered`.
    public static let degraded = Code(kind: .degraded)
    /// The disk can be written again, and what was held in memory is on it.
    public static let recovered = Code(kind: .recovered)
    /// A damaged or foreign file was renamed, and an empty store took its place.
    public static let setAside = Code(kind: .setAside)
    /// The store was made by a newer version of this library; it is left alone, and memory is used.
    public static let newerSchema = Code(kind: .newerSchema)
    /// The file was removed or replaced by somebody else while it was open.
    public static let replaced = Code(kind: .replaced)
    /// Stored bytes are not those that were written; the record or item was removed.
    public static let unreadable = Code(kind: .unreadable)
    /// A value is larger than a store takes; it was not written.
    public static let tooLarge = Code(kind: .tooLarge)
    /// Records held in memory passed their limit and were dropped.
    public static let memoryLimit = Code(kind: .memoryLimit)

    /// The name of the code.
    public var description: String { "\(kind)" }
  }

  /// The kind of event.
  public let code: Code
  /// What happened, where, and what to do; without keys, values or other text of users.
  public let message: String

  /// Makes a report, for other implementations of the store protocols.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
