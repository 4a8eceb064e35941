// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Where the messages of all clients go, and which do.
///
/// Both properties may be set at any time, from any thread.
public enum KameleoonLogger: Sendable {
  /// The least grave level that is logged; `.warning` unless it is set.
  public static var logLevel: LogLevel {
    get { state.withLock { $0.level } }
    set { state.withLock { $0.level = newValue } }
  }

  /// What receives the messages; unless it is set, one that writes to the standard error output.
  public static var logger: any Logging {
    get { state.withLock { $0.sink }.logger }
    set {
      let sink = Sink(logger: newValue)
      state.withLock { $0.sink = sink }
    }
  }

  /// A logger as the state keeps it.
  ///
  /// - Note: `@unchecked Sendable` is needed because ``Logging`` is not `Sendable`, so that plain classes
  ///   may adopt it as the vendor documents. It is safe because the protocol demands that any thread may
  ///   call its only method; nothing else of the logger is used here.
  private struct Sink: @unchecked Sendable {
    let logger: any Logging
  }

  private struct State: Sendable {
    var level = LogLevel.warning
    var sink = Sink(logger: StandardErrorLogger())
  }

  private static let state = Lock(State())

  /// Hands a message to the logger if the configured level lets it through.
  ///
  /// - Parameters:
  ///   - level: The message's level.
  ///   - message: The text; made only if it is needed. No secrets; visitor codes at `.debug` only.
  static func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    let sink = state.withLock { state in
      state.level.includes(level) ? state.sink : nil
    }
    sink?.logger.log(level: level, message: message())
  }
}
