// SPDX-License-Identifier: Apache-2.0

/// The frame around compressed bytes.
public enum CompressionFormat: Sendable, Hashable {
  /// RFC 1952: what `Content-Encoding: gzip` and the `gzip` command use. Several members in a row
  /// are read as one.
  case gzip
  /// RFC 1950: what `Content-Encoding: deflate` means by the standard.
  case zlib
  /// RFC 1951 without a frame: what some servers send as `deflate`.
  case rawDeflate

  /// What zlib calls window bits: 2^15 bytes of window, plus 16 for the frame of gzip, negative for
  /// none.
  var windowBits: Int32 {
    switch self {
    case .gzip: 15 + 16
    case .zlib: 15
    case .rawDeflate: -15
    }
  }

  /// The format that bytes with this beginning have.
  ///
  /// A raw stream that happens to begin like a frame of zlib (about one in a thousand of all pairs
  /// of bytes) is taken for one; that is in the nature of `Content-Encoding: deflate`.
  static func detected(from first: UInt8, _ second: UInt8) -> CompressionFormat {
    if first == 0x1F, second == 0x8B { return .gzip }
    let isDeflate = first & 0x0F == 8 && first >> 4 <= 7
    let isChecked = (Int(first) << 8 | Int(second)) % 31 == 0
    return isDeflate && isChecked ? .zlib : .rawDeflate
  }
}
