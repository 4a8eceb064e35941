// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// Certificates in a folder of their own, and servers that show them; made by the `openssl` command.
struct CertificateFolder {
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

  static func write(_ text: String, to path: String) throws {
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
