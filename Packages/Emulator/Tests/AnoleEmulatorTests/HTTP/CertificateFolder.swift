// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import Foundation

/// Certificates in a folder of their own, made by the `openssl` command.
struct CertificateFolder: Sendable {
  enum Kind: Sendable {
    case right, otherHost, expired, selfSigned
  }

  static let isAvailable = (try? runTool("openssl", ["version"])).map { !$0.isEmpty } ?? false

  private let path: String

  /// The file of the authority that signs all certificates but the self-signed one.
  var authority: String { path + "/ca.pem" }

  /// The certificate with its key.
  var identity: ServerIdentity {
    get throws {
      ServerIdentity(
        certificate: try String(contentsOfFile: path + "/leaf.pem", encoding: .utf8),
        privateKey: try String(contentsOfFile: path + "/leaf.key", encoding: .utf8))
    }
  }

  /// Makes an authority and a certificate.
  static func make(_ kind: Kind) async throws -> CertificateFolder {
    let path = NSTemporaryDirectory() + "anole-emulator-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let folder = CertificateFolder(path: path)
    try await onThread { try folder.fill(kind) }
    return folder
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  private func fill(_ kind: Kind) throws {
    let name = kind == .otherHost ? "DNS:other.example" : "IP:127.0.0.1"
    try openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ca.key")
    try openssl("req -x509 -key ca.key -subj /CN=Anole -days 2 -out ca.pem")
    try openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out leaf.key")
    let request = "-key leaf.key -subj /CN=leaf -addext subjectAltName=\(name)"
    guard kind != .selfSigned else {
      return try openssl("req -x509 \(request) -days 2 -out leaf.pem")
    }
    try openssl("req -new \(request) -out leaf.csr")
    guard kind == .expired else {
      return try openssl(
        "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -copy_extensions copy -set_serial 7 "
          + "-days 2 -out leaf.pem")
    }
    // Dates in the past can be written by the `ca` command only.
    let settings = """
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
    try settings.write(toFile: path + "/ca.cnf", atomically: true, encoding: .utf8)
    try "".write(toFile: path + "/index.txt", atomically: true, encoding: .utf8)
    try openssl(
      "ca -batch -notext -config ca.cnf -cert ca.pem -keyfile ca.key -startdate 20200101000000Z "
        + "-enddate 20200201000000Z -in leaf.csr -out leaf.pem")
  }

  /// Runs the command in the folder.
  private func openssl(_ arguments: String) throws {
    let words = arguments.split(separator: " ").map { String($0) }
    _ = try runTool("env", ["-C", path, "openssl"] + words)
  }
}
