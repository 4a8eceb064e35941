// SPDX-License-Identifier: Apache-2.0

/// Any bytes are refused or decompressed within the limits, and what was compressed comes back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  // A refusal is as good as an answer; what counts is that either comes.
  _ = try? Gzip.decompress(bytes, format: nil)
  guard let packed = try? Gzip.compress(bytes) else { return 0 }
  let unpacked = try? Gzip.decompress(packed)
  precondition(unpacked == bytes, "what was compressed does not come back")
  return 0
}
