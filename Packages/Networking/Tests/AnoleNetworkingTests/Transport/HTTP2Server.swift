// SPDX-License-Identifier: Apache-2.0

import AnoleNetworkingTesting
import Glibc
import Testing

@testable import AnoleNetworking

/// An HTTP/2 server on loopback: `nginx`, which passes each request on to a server with a test's script.
///
/// So libcurl meets a foreign implementation of HTTP/2, and the script decides when an answer comes. Nginx
/// tells the script which protocol was spoken and on which connection. Its listening socket is made here and
/// inherited by it, so that there is neither a port that another process could take nor a start to wait for.
struct HTTP2Server {
  /// Where Debian has the program; it is not on the path of ordinary users.
  private static let programs = ["nginx", "/usr/sbin/nginx", "/usr/local/sbin/nginx"]
  private static let program = programs.first { ChildProcess.run([$0, "-v"]) }

  static var isAvailable: Bool { program != nil && CertificateFolder.isAvailable }

  let origin: String
  let upstream: LoopbackServer
  private let certificates: CertificateFolder
  private let process: ChildProcess

  /// - Parameters:
  ///   - offersHTTP2: False for a server of HTTP/1.1.
  ///   - requestsPerConnection: After how many requests a connection is closed in order (GOAWAY).
  init(
    offersHTTP2: Bool = true, requestsPerConnection: Int = 100_000,
    _ script: @escaping LoopbackServer.Script
  ) throws {
    let program = try #require(Self.program)
    upstream = try #require(LoopbackServer(script))
    certificates = try CertificateFolder()
    try certificates.make("leaf", alternativeName: "IP:127.0.0.1")
    let (listener, port) = try #require(LoopbackServer.listen(.v4, 128))
    defer { Glibc.close(listener) }
    origin = "https://127.0.0.1:\(port)"
    let path = certificates.path
    try CertificateFolder.write(
      Self.configuration(
        path: path, port: port, upstream: upstream.port,
        protocols: offersHTTP2 ? "ssl http2" : "ssl",
        requests: requestsPerConnection),
      to: path + "/nginx.conf")
    // The number in the variable is that of the descriptor in the child.
    process = try #require(
      ChildProcess(
        [program, "-p", path, "-c", path + "/nginx.conf", "-e", path + "/error.log"],
        inheriting: (listener, "NGINX=3;")))
  }

  var authority: String { certificates.authority }

  /// Ends the program at once, with all connections.
  func kill() { process.terminate() }

  func stop() {
    process.terminate()
    removeFiles()
  }

  func removeFiles() {
    upstream.stop()
    certificates.remove()
  }

  private static func configuration(
    path: String, port: Int, upstream: Int, protocols: String, requests: Int
  ) -> String {
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(path)/\($0);" }.joined(separator: " ")
    return """
      \(getuid() == 0 ? "user root;" : "")
      daemon off;
      worker_processes 1;
      pid \(path)/nginx.pid;
      events { worker_connections 256; }
      http {
        access_log off;
        \(folders)
        client_max_body_size 0;
        keepalive_requests \(requests);
        server {
          listen 127.0.0.1:\(port) \(protocols);
          ssl_certificate \(path)/leaf.pem;
          ssl_certificate_key \(path)/leaf.key;
          location /empty { return 204; }
          location / {
            proxy_pass http://127.0.0.1:\(upstream);
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_request_buffering off;
            proxy_set_header X-Protocol $server_protocol;
            proxy_set_header X-Connection $connection;
          }
        }
      }
      """
  }
}

/// Runs a test against an HTTP/2 server and a transport that meet nobody else, and ends both.
func withHTTP2Server(
  offersHTTP2: Bool = true, requestsPerConnection: Int = 100_000,
  _ script: @escaping LoopbackServer.Script,
  _ test: (HTTP2Server, CurlTransport) async throws -> Void
) async throws {
  let server = try HTTP2Server(
    offersHTTP2: offersHTTP2, requestsPerConnection: requestsPerConnection, script)
  var configuration = CurlTransport.Configuration.direct
  configuration.caFile = server.authority
  let transport = CurlTransport(configuration)
  defer {
    transport.shutdown()
    server.stop()
  }
  try await test(server, transport)
}
