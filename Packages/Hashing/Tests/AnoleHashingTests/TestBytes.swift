// SPDX-License-Identifier: Apache-2.0

import AnoleHashing
import CAnoleSHA256

/// SplitMix64: the same sequence for the same seed, on every platform.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
  .joined()
}

func hexadecimal(_ bits: UInt64) -> String {
  let digits = String(bits, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func bucketBits(_ key: [UInt8], _ suffix: [UInt8]) -> UInt64 {
  key.withUnsafeBufferPointer { key in
    suffix.withUnsafeBufferPointer { suffix in BucketHash.bits(key: key, suffix: suffix) }
  }
}

func portableBucketBits(_ key: [UInt8], _ suffix: [UInt8]) -> UInt64 {
  anole_bucket_bits_portable(key, key.count, suffix, suffix.count)
}

/// A digest of pieces given one by one, by the chosen implementation.
func digest(_ pieces: [[UInt8]], portable: Bool) -> [UInt8] {
  var context = anole_sha256()
  if portable {
    anole_sha256_init_portable(&context)
  } else {
    anole_sha256_init(&context)
  }
  for piece in pieces { anole_sha256_update(&context, piece, piece.count) }
  var result = [UInt8](repeating: 0, count: 32)
  anole_sha256_final(&context, &result)
  return result
}
