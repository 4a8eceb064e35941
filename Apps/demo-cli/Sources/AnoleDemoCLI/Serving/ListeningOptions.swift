// SPDX-License-Identifier: Apache-2.0

/// The options of commands that listen.
enum ListeningOptions {
  static let port = Option("port", value: "PORT", help: "the port; default: a free one")
  static let requests = Option(
    "requests", value: "COUNT", help: "end after so many requests")

  /// The port; 0 for a free one.
  static func port(_ arguments: Arguments) throws(Failure) -> UInt16 {
    UInt16(try arguments.integer(port, in: 1...65_535) ?? 0)
  }

  /// After how many requests to end; nil for none.
  static func limit(_ arguments: Arguments) throws(Failure) -> Int? {
    try arguments.integer(requests, in: 1...1_000_000).map(Int.init)
  }
}
