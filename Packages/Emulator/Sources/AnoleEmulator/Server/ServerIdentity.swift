// SPDX-License-Identifier: Apache-2.0

/// By what a server over TLS is known: a certificate and its private key.
///
/// Clients trust it only if they were told to, by a file of certificates for example: nothing here weakens
/// their check. So it shows as well what they do about a certificate that is expired or for another host.
public struct ServerIdentity: Sendable, Hashable {
  /// The certificate in PEM, followed by those of the authorities that clients need, if any.
  public let certificate: String
  /// The certificate's private key in PEM, not encrypted.
  public let privateKey: String

  /// Makes an identity.
  public init(certificate: String, privateKey: String) {
    self.certificate = certificate
    self.privateKey = privateKey
  }
}
