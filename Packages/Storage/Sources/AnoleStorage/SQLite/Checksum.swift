// SPDX-License-Identifier: Apache-2.0

/// A sum over the parts of a row that notices flipped bytes on disk; not a defence against forgery.
///
/// SQLite checks the structure of its file, not the content of the rows.
struct Checksum {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// The sum as it is stored.
  var value: Int64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 32)) &* 0xd6e8_feb8_6659_fd93
    return Int64(bitPattern: mixed ^ (mixed >> 32))
  }

  mutating func add(_ number: Int64) {
    mix(UInt64(bitPattern: number))
  }

  mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add($0) }
  }

  mutating func add(utf8 text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  // Little-endian words of eight bytes, the last one filled up with zeros; the count tells those from
  // zeros of the content.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    mix(UInt64(bytes.count))
    var offset = bytes.count < Self.longCount ? 0 : addLanes(bytes)
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    var last: UInt64 = 0
    for index in offset..<bytes.count {
      last |= UInt64(bytes[index]) << UInt64(8 * (index - offset))
    }
    mix(last)
  }

  /// From this length on, in bytes, words are added in lanes.
  static let longCount = 4_096

  // Four words in turn go into sums of their own, which do not wait for each other, and those into this
  // one; what is left at the end is less than four words.
  private mutating func addLanes(_ bytes: UnsafeRawBufferPointer) -> Int {
    var lanes = (Checksum(), Checksum(), Checksum(), Checksum())
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var offset = 0
    while offset + 32 <= bytes.count {
      lanes.0.mix(word(offset))
      lanes.1.mix(word(offset + 8))
      lanes.2.mix(word(offset + 16))
      lanes.3.mix(word(offset + 24))
      offset += 32
    }
    for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { mix(lane.state) }
    return offset
  }

  // Each step is a bijection of the state for a given word, and of the word for a given state: one
  // changed word always changes the sum.
  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9fb2_1c65_1e98_df25
    state ^= state >> 29
  }
}
