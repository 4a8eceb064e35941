// SPDX-License-Identifier: Apache-2.0

/// A short mark of a key that does not depend on anything but its bytes (FNV-1a).
enum KeyHash {
  /// Four hexadecimal digits, or more of the same 16 on request.
  static func digits(of key: String, count: Int = 4) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let text = String(hash, radix: 16)
    let all = String(repeating: "0", count: max(0, 16 - text.count)) + text
    // The lower digits depend on all bytes.
    return String(all.suffix(count))
  }
}
