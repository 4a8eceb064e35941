// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Testing

extension CertificateFolder {
  /// Starts a server that answers every request with a page.
  func serve(_ name: String) throws -> (server: ChildProcess, port: Int) {
    let server = try #require(
      ChildProcess([
        "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "\(path)/\(name).pem", "-key",
        "\(path)/\(name).key", "-www",
      ]))
    let line = server.line { $0.hasPrefix("ACCEPT") }
    let port = line?.split(separator: ":").last.flatMap { Int($0) }
    return (server, try #require(port))
  }
}
