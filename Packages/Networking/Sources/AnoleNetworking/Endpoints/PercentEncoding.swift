// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding of query parameter values: UTF-8, hexadecimal in capitals.
///
/// Not encoded are ASCII letters, digits and `- _ . ~ ! * ' ( )`, the set of JavaScript's
/// `encodeURIComponent`.
public enum PercentEncoding: Sendable {
  private static let hexadecimal = Array("0123456789ABCDEF".utf8)
  /// For each byte, whether it stays as it is.
  public static let isPlain: [Bool] = (0...255).map { byte in
    let byte = UInt8(byte)
    return byte < 0x80
      && (ASCIIText.isLetter(byte) || ASCIIText.isDigit(byte) || "-_.~!*'()".utf8.contains(byte))
  }

  /// The encoded form of a value.
  public static func encode(_ value: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count * 3)
    for byte in value.utf8 {
      if isPlain[Int(byte)] {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 0x0F)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
