// SPDX-License-Identifier: Apache-2.0

/// The least look at JSON that tells a document from nothing; reading it is the caller's affair.
enum JSONShape {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether the text begins like an object that has a member.
  static func isObjectWithMembers(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
    rest = rest.drop(while: isSpace)
    guard rest.first == UInt8(ascii: "{") else { return false }
    return rest.dropFirst().drop(while: isSpace).first == UInt8(ascii: "\"")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
