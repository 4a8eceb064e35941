// SPDX-License-Identifier: Apache-2.0

import AnoleConcurrency

/// Damages byte sequences, the same way in every run.
struct TestMutation {
  private var generator: SplitMix64
  private let marks: [UInt8]

  init(seed: UInt64, marks: String) {
    generator = SplitMix64(seed: seed)
    self.marks = Array(marks.utf8)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The bytes with one to four changes: replaced, removed, inserted, repeated, cut.
  mutating func mutate(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0...below(4) where !bytes.isEmpty {
      let position = below(bytes.count)
      switch below(6) {
      case 0: bytes[position] = UInt8(below(256))
      case 1: bytes[position] ^= 1 << UInt8(below(8))
      case 2: bytes.remove(at: position)
      case 3: bytes.insert(marks[below(marks.count)], at: position)
      case 4:
        let end = min(bytes.count, position + below(30))
        bytes.insert(contentsOf: bytes[position..<end], at: below(bytes.count))
      default: if below(4) == 0 { bytes.removeSubrange(position...) }
      }
    }
    return bytes
  }

  /// The bytes cut into pieces of random sizes, empty ones too.
  mutating func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(below(17))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
