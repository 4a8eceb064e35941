// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Base64 with padding, RFC 4648.
enum Base64Text {
  /// The bytes; nil if the text is no base64.
  static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }

  static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
