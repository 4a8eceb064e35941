// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import AnoleNetworking

/// Certificates in a folder of their own, and servers that show them; made by the `openssl` command.
private struct CertificateFolder {
  static let isAvailable = ChildProcess.run(["openssl", "version"])

  private static let suffixes = [".key", ".pem", ".csr", ".cnf"]

  let path: String
  var authority: String { path + "/ca.pem" }

  init() throws {
    var template = Array("/tmp/anole-tls-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
    try makeKey("ca")
    try openssl(
      "req", "-x509", "-key", "ca.key", "-subj", "/CN=Anole test authority", "-days", "2", "-out",
      "ca.pem")
  }

  func remove() {
    _ = ChildProcess.run(["rm", "-rf", path])
  }

  /// Makes a certificate.
  func make(
    _ name: String, alternativeName: String, isExpired: Bool = false, selfSigned: Bool = false
  ) throws {
    try makeKey(name)
    if selfSigned {
      try openssl(
        "req", "-x509", "-key", "\(name).key", "-subj", "/CN=\(name)", "-addext",
        "subjectAltName=\(alternativeName)", "-days", "2", "-out", "\(name).pem")
      return
    }
    try openssl(
      "req", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-addext",
      "subjectAltName=\(alternativeName)", "-out", "\(name).csr")
    if isExpired { return try signExpired(name) }
    try openssl(
      "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-copy_extensions",
      "copy", "-set_serial", "7", "-days", "2", "-out", "\(name).pem")
  }

  /// Signs with dates in the past, which only the `ca` command can write.
  private func signExpired(_ name: String) throws {
    let text = """
      [ca]
      default_ca = test
      [test]
      database = \(path)/index.txt
      new_certs_dir = \(path)
      rand_serial = yes
      default_md = sha256
      policy = any
      copy_extensions = copy
      [any]
      commonName = supplied
      """
    try Self.write(text, to: path + "/ca.cnf")
    try Self.write("", to: path + "/index.txt")
    try openssl(
      "ca", "-batch", "-notext", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key",
      "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-in", "\(name).csr", "-out",
      "\(name).pem")
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

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

  private func makeKey(_ name: String) throws {
    try openssl(
      "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "\(name).key")
  }

  /// Runs the command; names of files are made absolute.
  private func openssl(_ arguments: String...) throws {
    let resolved = arguments.map { argument in
      Self.suffixes.contains { argument.hasSuffix($0) } ? "\(path)/\(argument)" : argument
    }
    try #require(ChildProcess.run(["openssl"] + resolved))
  }
}

struct CertificateCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var alternativeName = "IP:127.0.0.1,DNS:localhost"
  var isExpired = false
  var selfSigned = false
  var host = "127.0.0.1"
  var trustsAuthority = true
  var passes = false
}

let certificateCases = [
  CertificateCase(testDescription: "right, by address", passes: true),
  CertificateCase(testDescription: "right, by name", host: "localhost", passes: true),
  CertificateCase(testDescription: "for another host", alternativeName: "DNS:other.example"),
  CertificateCase(testDescription: "expired", isExpired: true),
  CertificateCase(testDescription: "self-signed", selfSigned: true),
  CertificateCase(testDescription: "of an unknown authority", trustsAuthority: false),
]

@Suite(
  "Transport: TLS", .timeLimit(.minutes(2)),
  .enabled(if: CertificateFolder.isAvailable, "the openssl command makes the certificates"))
struct TLSTests {
  @Test(
    "only a valid certificate of a trusted authority for the host passes",
    arguments: certificateCases)
  func certificates(_ row: CertificateCase) async throws {
    let folder = try CertificateFolder()
    defer { folder.remove() }
    try folder.make(
      "leaf", alternativeName: row.alternativeName, isExpired: row.isExpired,
      selfSigned: row.selfSigned)
    let (server, port) = try folder.serve("leaf")
    defer { server.stop() }
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = row.trustsAuthority ? folder.authority : nil
    let transport = CurlTransport(configuration)
    defer { transport.shutdown() }
    let request = HTTPRequest(url: "https://\(row.host):\(port)/")
    if row.passes {
      let response = try await transport.send(request)
      #expect(response.status == 200)
      #expect(response.text.contains("TLSv1.3"))
    } else {
      let error = await transport.failure(of: request)
      #expect(error?.code == .tlsFailed)
      // libcurl's own words say which check failed.
      #expect(error?.message.contains("127.0.0.1:\(port)") == true)
    }
  }

  @Test("HTTP/2 is offered to the server, before HTTP/1.1")
  func offersHTTP2() async throws {
    let hello = Progress()
    let offer = Array("\u{2}h2\u{8}http/1.1".utf8)
    try await withServer { connection in
      let bytes = connection.read() ?? []
      let starts = bytes.indices.dropLast(offer.count)
      hello.record(starts.filter { bytes[$0...].starts(with: offer) }.count)
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
      #expect(error?.code == .tlsFailed)
      #expect(hello.sent == 1)
    }
  }

  @Test("a CA file that does not exist fails; it is no way to skip the check")
  func missingAuthorities() async throws {
    let folder = try CertificateFolder()
    defer { folder.remove() }
    try folder.make("leaf", alternativeName: "IP:127.0.0.1")
    let (server, port) = try folder.serve("leaf")
    defer { server.stop() }
    var configuration = CurlTransport.Configuration.direct
    configuration.caFile = folder.path + "/missing"
    let transport = CurlTransport(configuration)
    defer { transport.shutdown() }
    let error = await transport.failure(of: HTTPRequest(url: "https://127.0.0.1:\(port)/"))
    #expect(error?.code == .tlsFailed)
  }

  @Test("a server that speaks no TLS fails")
  func noTLS() async throws {
    try await withServer { connection in
      _ = connection.read()
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
    } _: { server, transport in
      let error = await transport.failure(
        of: HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
      #expect(error?.code == .tlsFailed)
    }
  }
}
