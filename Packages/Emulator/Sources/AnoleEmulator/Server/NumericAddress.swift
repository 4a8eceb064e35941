// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An address of IPv4 or IPv6 in numbers.
struct NumericAddress: Sendable, Hashable {
  /// The bytes as they are sent: 4 or 16.
  let bytes: [UInt8]
  /// How it is written, without brackets.
  private let text: String

  var isIPv6: Bool { bytes.count == 16 }

  init(_ address: LoopbackAddress) {
    switch address {
    case .ipv4: (bytes, text) = ([127, 0, 0, 1], "127.0.0.1")
    case .ipv6: (bytes, text) = (Array(repeating: 0, count: 15) + [1], "::1")
    }
  }

  /// Reads an address such as `192.168.1.5`, `::` or `[fd00::1]`; nil where the text is none.
  init?(_ text: String) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let inner = isBracketed ? String(text.dropFirst().dropLast()) : text
    let family = inner.contains(":") ? AF_INET6 : AF_INET
    guard !isBracketed || family == AF_INET6 else { return nil }
    var buffer = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
    guard inet_pton(family, inner, &buffer) == 1 else { return nil }
    bytes = buffer
    self.text = inner
  }

  /// The host of a URL by which this computer reaches the address: the loopback address for all.
  var host: String {
    if bytes.allSatisfy({ $0 == 0 }) { return isIPv6 ? "[::1]" : "127.0.0.1" }
    return description
  }
}

extension NumericAddress: CustomStringConvertible {
  /// The address as a host of a URL.
  var description: String { isIPv6 ? "[\(text)]" : text }
}
