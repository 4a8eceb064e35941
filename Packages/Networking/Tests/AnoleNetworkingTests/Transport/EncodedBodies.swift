// SPDX-License-Identifier: Apache-2.0

/// Compressed bodies for tests.
///
/// The texts were compressed by Python's `gzip` and `zlib` modules.
enum EncodedBodies {
  static let text = "hello, hello, hello anole"

  /// What `gzip.compress(text, mtime=0)` gives.
  static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9,
    0xc9, 0xd7, 0x51, 0xc8, 0x40, 0xa2, 0x14, 0x12, 0xf3, 0xf2, 0x73, 0x52, 0x01, 0x64,
    0x60, 0x88, 0xc9, 0x19, 0x00, 0x00, 0x00,
  ]

  /// What `zlib.compress(text)` gives.
  static let deflate: [UInt8] = [
    0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0xc8, 0x40, 0xa2, 0x14, 0x12,
    0xf3, 0xf2, 0x73, 0x52, 0x01, 0x74, 0x0d, 0x09, 0x04,
  ]

  /// The same without header and checksum, as some servers send "deflate".
  static var rawDeflate: [UInt8] { Array(deflate.dropFirst(2).dropLast(4)) }

  /// A zlib stream, without its end, that grows to about 258 times `count` zeros: one literal, then
  /// copies of 258 bytes from distance 1, in the fixed code of RFC 1951.
  static func bomb(copies count: Int) -> [UInt8] {
    var writer = BitWriter(bytes: [0x78, 0x01])
    writer.append(low: 0b011, count: 3)
    writer.append(high: 0b0011_0000, count: 8)
    for _ in 0..<count {
      writer.append(high: 0b1100_0101, count: 8)
      writer.append(high: 0, count: 5)
    }
    return writer.bytes
  }

  private struct BitWriter {
    var bytes: [UInt8]
    private var used = 8

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func append(low bits: Int, count: Int) {
      for index in 0..<count { append(bits >> index & 1) }
    }

    mutating func append(high bits: Int, count: Int) {
      for index in (0..<count).reversed() { append(bits >> index & 1) }
    }

    private mutating func append(_ bit: Int) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit << used)
      used += 1
    }
  }
}
