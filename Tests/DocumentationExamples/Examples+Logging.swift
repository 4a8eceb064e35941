// SPDX-License-Identifier: Apache-2.0

import kameleoonClient

extension Examples {
  /// How much is logged.
  package func k14() {
    // Nothing.
    KameleoonLogger.logLevel = .none
    // Errors.
    KameleoonLogger.logLevel = .error
    // Errors and warnings; this is the default.
    KameleoonLogger.logLevel = .warning
    // What happens, too.
    KameleoonLogger.logLevel = .info
    // Everything.
    KameleoonLogger.logLevel = .debug
  }

  /// Installing a logger of one's own.
  package func k15() {
    KameleoonLogger.logLevel = .warning
    KameleoonLogger.logger = CustomLogger(effects: effects)
  }
}

/// A logger of one's own; on Apple systems it would hand messages to `os.Logger`.
package class CustomLogger: Logging {
  private let effects: Effects

  package init(effects: Effects) { self.effects = effects }

  package func log(level: LogLevel, message: String) {
    switch level {
    case .error:
      effects.note("error: \(message)")
    case .warning:
      effects.note("warning: \(message)")
    case .info:
      effects.note("info: \(message)")
    case .debug:
      effects.note("debug: \(message)")
    default:
      break
    }
  }
}
