// SPDX-License-Identifier: Apache-2.0

import AnoleNetworking

/// Decoding of request bodies by their `Content-Encoding`.
enum BodyDecoding {
  /// Deflate cannot compress better than this: only the size is limited.
  private static let maximumRatio = 1_100

  /// The decoded body, or nil where it does not decode or is larger than the limit.
  static func decode(_ body: [UInt8], encoding: String?, limit: Int) -> [UInt8]? {
    switch encoding?.lowercased() {
    case nil, "", "identity": body
    case "gzip", "x-gzip": gunzip(body, limit: limit)
    default: nil
    }
  }

  private static func gunzip(_ body: [UInt8], limit: Int) -> [UInt8]? {
    let limits = DecompressionLimits(maximumSize: limit, maximumRatio: maximumRatio)
    // Why it does not decode is of no use to the client: the answer says that it does not.
    return try? Gzip.decompress(body, limits: limits)
  }
}
