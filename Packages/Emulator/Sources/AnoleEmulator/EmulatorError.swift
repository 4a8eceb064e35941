// SPDX-License-Identifier: Apache-2.0

/// Why the emulator could not start or a wait could not be fulfilled.
public struct EmulatorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
      case addressInUse, alreadyRunning, notRunning, cancelled, invalidArgument, system
    }
    private let kind: Kind

    /// Another socket listens at the address and port.
    public static let addressInUse = Code(kind: .addressInUse)
    /// The emulator was started before and not stopped since.
    public static let alreadyRunning = Code(kind: .alreadyRunning)
    /// The emulator is not running, or was stopped while somebody waited.
    public static let notRunning = Code(kind: .notRunning)
    /// The waiting task was cancelled.
    public static let cancelled = Code(kind: .cancelled)
    /// Something that was given cannot be used; the message tells.
    public static let invalidArgument = Code(kind: .invalidArgument)
    /// The system or libmicrohttpd refused something; the message tells.
    public static let system = Code(kind: .system)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do about it.
  public let message: String

  /// Kind and message.
  public var description: String { "\(code): \(message)" }
}
