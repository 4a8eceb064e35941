// SPDX-License-Identifier: Apache-2.0

private import CAnoleSHA256

/// SHA-256 as FIPS 180-4 defines it.
///
/// The digest is pure and may be taken on any thread. It is there for checks and fingerprints; to
/// place a visitor use ``BucketHash``, which allocates nothing.
public struct SHA256: Sendable {
  private init() {}

  /// Takes the digest of a message.
  ///
  /// - Parameter bytes: The message, of any length.
  /// - Returns: The 32 bytes of the digest.
  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    var context = anole_sha256()
    anole_sha256_init(&context)
    anole_sha256_update(&context, bytes, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      anole_sha256_final(&context, buffer.baseAddress)
      count = 32
    }
  }
}
