// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Client id and secret of the platform.
///
/// A secret inside an application that is handed out is not secret; use credentials where only you
/// can read them.
public struct ClientCredentials: Sendable, Hashable, CustomStringConvertible {
  private let id: String
  private let secret: String

  /// Makes credentials; nil unless both parts are given and not empty.
  public init?(id: String?, secret: String?) {
    guard let id, let secret, !id.isEmpty, !secret.isEmpty else { return nil }
    self.id = id
    self.secret = secret
  }

  /// The value of `Authorization` for asking for a token.
  public var basicAuthorization: String {
    "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()
  }

  /// A text that shows neither part.
  public var description: String { "credentials" }
}
