// SPDX-License-Identifier: Apache-2.0

/// How much is logged, and how grave a message is.
public enum LogLevel: Int, Sendable, CaseIterable {
  /// Nothing is logged.
  case none
  /// Something does not work.
  case error
  /// Something is not as it should be; the client goes on.
  case warning
  /// What happens.
  case info
  /// What happens in detail; may contain visitor codes.
  case debug

  /// Whether a message of a level is logged when this one is configured; never one of `.none`.
  func includes(_ message: LogLevel) -> Bool {
    message != .none && message.rawValue <= rawValue
  }
}

/// Receives the client's messages.
///
/// Any thread may call ``log(level:message:)``, several at once too: a type that keeps state protects it.
/// It must not call ``KameleoonLogger`` to write the message again.
public protocol Logging: SendableMetatype {
  /// Takes a message whose level the configured one lets through.
  ///
  /// - Parameters:
  ///   - level: The message's own level.
  ///   - message: The text, without line break at its end.
  func log(level: LogLevel, message: String)
}
