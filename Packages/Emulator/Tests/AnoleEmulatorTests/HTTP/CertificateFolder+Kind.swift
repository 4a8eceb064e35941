// SPDX-License-Identifier: Apache-2.0

import AnoleEmulator
import AnoleNetworkingTesting
import Foundation

extension CertificateFolder {
  enum Kind: Sendable {
    case right, otherHost, expired, selfSigned
  }

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
    try await onThread {
      let folder = try CertificateFolder()
      try folder.make(
        "leaf", alternativeName: kind == .otherHost ? "DNS:other.example" : "IP:127.0.0.1",
        isExpired: kind == .expired, selfSigned: kind == .selfSigned)
      return folder
    }
  }
}
