// SPDX-License-Identifier: Apache-2.0

extension Emulator {
  /// The version of the loaded libmicrohttpd, such as `0.9.75`.
  public static var libraryVersion: String { Microhttpd.libraryVersion }

  /// Whether that library speaks TLS, so that the server can be started with an identity.
  public static var isTLSAvailable: Bool { Microhttpd.hasTLS }
}
