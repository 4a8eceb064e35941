// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a tracker and that its owner should log.
///
/// No report has a visitor code, a body or an address in it.
public struct TrackingReport: Sendable, Hashable, CustomStringConvertible {
  /// What happened, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
      case failing, recovered, takenForBot, compressionRefused, sizeReduced
      case rejected, tooLarge, malformed, bufferFull, queueFull
    }
    private let kind: Kind

    /// A request failed in all its attempts; given once until `recovered`.
    public static let failing = Code(kind: .failing)
    /// Requests succeed again.
    public static let recovered = Code(kind: .recovered)
    /// The server answered 403, which counts as delivered; given once.
    public static let takenForBot = Code(kind: .takenForBot)
    /// The server does not take compressed bodies; they go uncompressed from now on.
    public static let compressionRefused = Code(kind: .compressionRefused)
    /// The server found a body too large; batches are smaller from now on.
    public static let sizeReduced = Code(kind: .sizeReduced)
    /// An event was dropped because the server answered 400 to it alone.
    public static let rejected = Code(kind: .rejected)
    /// An event was dropped because the server answered 413 to it alone.
    public static let tooLarge = Code(kind: .tooLarge)
    /// Stored items that are no events of this library were dropped.
    public static let malformed = Code(kind: .malformed)
    /// Events were dropped because the buffer in memory was full; given once until none was.
    public static let bufferFull = Code(kind: .bufferFull)
    /// Visitors were not queued because the queue was full; given once until none was.
    public static let queueFull = Code(kind: .queueFull)

    /// The name of the code.
    public var description: String { "\(kind)" }
  }

  /// The kind of event.
  public let code: Code
  /// What happened, and what to do.
  public let message: String

  /// Makes a report.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
