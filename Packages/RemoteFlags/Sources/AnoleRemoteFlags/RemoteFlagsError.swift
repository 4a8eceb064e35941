// SPDX-License-Identifier: Apache-2.0

/// Why a request for flags, or another call, did not succeed.
///
/// Flags that are in force stay as they are.
public struct RemoteFlagsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case notSent, noAnswer, status, unusableAnswer }
    private let kind: Kind

    /// The request was not sent, because the configuration or the host forbids it.
    public static let notSent = Code(kind: .notSent)
    /// No HTTP answer arrived: no address, no connection, no time left, cancelled.
    public static let noAnswer = Code(kind: .noAnswer)
    /// The server answered with a status other than 200.
    public static let status = Code(kind: .status)
    /// The server answered with status 200, but the answer cannot be used.
    public static let unusableAnswer = Code(kind: .unusableAnswer)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of failure.
  public let code: Code
  /// The number under which the Pushwoosh documentation knows the failure.
  ///
  /// | failure | number |
  /// | --- | --- |
  /// | not sent, no answer | 0 |
  /// | a status other than 200 | the status |
  /// | an answer with status 200 that cannot be used | 200 |
  public let number: Int
  /// What happened and what to do, without bodies, tokens and users.
  public let message: String

  private init(_ code: Code, number: Int, _ message: String) {
    self.code = code
    self.number = number
    self.message = message
  }

  /// Kind, number and message.
  public var description: String { "\(code) (\(number)): \(message)" }

  static func notSent(_ message: String) -> RemoteFlagsError {
    RemoteFlagsError(.notSent, number: 0, message)
  }

  static func noAnswer(_ message: String) -> RemoteFlagsError {
    RemoteFlagsError(.noAnswer, number: 0, "no answer from the server: \(message)")
  }

  static func status(_ status: Int) -> RemoteFlagsError {
    RemoteFlagsError(
      .status, number: status,
      "the server answered with status \(status) in place of 200; "
        + "application code, token and base URL may be wrong, or the server is not available")
  }

  static func unusable(_ message: String) -> RemoteFlagsError {
    RemoteFlagsError(
      .unusableAnswer, number: 200, "the server answered with status 200, but \(message)")
  }
}

/// Something that does not reach the caller of a method and that the owner should know.
public struct RemoteFlagsReport: Sendable, Hashable, CustomStringConvertible {
  /// What it is about, coarse enough to switch over.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind { case configuration, request, registration, store }
    private let kind: Kind

    /// A setting cannot be used.
    public static let configuration = Code(kind: .configuration)
    /// A request for flags that nobody waits for, or an impression, failed.
    public static let request = Code(kind: .request)
    /// Telling the server the user, or registering the device, failed.
    public static let registration = Code(kind: .registration)
    /// The store cannot be written or was not usable.
    public static let store = Code(kind: .store)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// The kind of event.
  public let code: Code
  /// What happened, where, and what to do; without tokens, users and bodies.
  public let message: String

  /// Makes a report.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
