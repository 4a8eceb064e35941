// SPDX-License-Identifier: Apache-2.0

/// Operations on the ASCII part of texts that no locale and no Unicode rule can change.
enum ASCIIText {
  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

  /// The text with A–Z as a–z.
  ///
  /// Other letters stay, so that none turns into an ASCII letter, as the Kelvin sign would.
  static func lowercased(_ text: String) -> String {
    String(
      decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
