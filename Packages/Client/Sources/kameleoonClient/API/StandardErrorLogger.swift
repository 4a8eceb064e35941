// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes each message as a line to the standard error output: `Kameleoon WARNING: …`.
public struct StandardErrorLogger: Logging, Sendable {
  private let descriptor: Int32

  /// Makes a logger.
  public init() {
    self.init(descriptor: 2)
  }

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes a message in one piece, so that lines of several threads do not mix.
  ///
  /// Line breaks within become spaces: a text from outside must not look like a message of its own.
  ///
  /// - Parameters:
  ///   - level: The message's level.
  ///   - message: The text.
  public func log(level: LogLevel, message: String) {
    let line = "Kameleoon \(level.label): \(Self.singleLine(message))\n"
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      // Nobody can be told that the standard error output is closed.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func singleLine(_ message: String) -> String {
    String(String.UnicodeScalarView(message.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}

extension LogLevel {
  /// The name in capitals.
  var label: String { "\(self)".uppercased() }
}
