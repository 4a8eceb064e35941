// SPDX-License-Identifier: Apache-2.0

/// The loopback address that an emulator listens at.
public enum LoopbackAddress: Sendable, Hashable, CustomStringConvertible {
  /// `127.0.0.1`.
  case ipv4
  /// `::1`.
  case ipv6

  /// The address as a host of a URL.
  public var description: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "[::1]"
    }
  }
}
