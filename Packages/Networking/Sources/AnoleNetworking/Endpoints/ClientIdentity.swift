// SPDX-License-Identifier: Apache-2.0

/// Name and version by which the platform knows a client: in headers, in queries, and in conditions
/// on the SDK type.
public struct ClientIdentity: Sendable, Hashable {
  /// The name, for example `SWIFT`.
  public let name: String
  /// The version, `major.minor.patch`.
  public let version: String

  /// Makes an identity.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}
