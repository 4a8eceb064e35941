// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

extension HTTPProxy {
  /// The proxy of the environment, or none for a host on this computer: no proxy can reach that.
  ///
  /// - Parameter host: nil for the platform's hosts.
  static func reaching(_ host: String?) -> HTTPProxy {
    guard let host else { return .environment() }
    let isLoopback = host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    return isLoopback ? .none : .environment()
  }
}
