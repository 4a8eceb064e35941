// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A string prepared for byte-exact comparison: no canonical equivalence, no case folding
/// (section 6.2).
///
/// The first 16 bytes are kept as two words, so that most comparisons touch no other memory.
public struct MatchText: Sendable, Hashable {
  /// The text as given.
  public let string: String
  @usableFromInline let count: Int
  @usableFromInline let low: UInt64
  @usableFromInline let high: UInt64

  /// Prepares a string.
  public init(_ string: String) {
    var native = string
    native.makeContiguousUTF8()
    var low: UInt64 = 0
    var high: UInt64 = 0
    var count = 0
    for byte in native.utf8 {
      if count < 8 {
        low |= UInt64(byte) << UInt64(8 * count)
      } else if count < 16 {
        high |= UInt64(byte) << UInt64(8 * (count - 8))
      }
      count += 1
    }
    self.string = native
    self.count = count
    self.low = low
    self.high = high
  }

  /// Whether both are the same sequence of bytes.
  @inlinable
  public static func == (left: MatchText, right: MatchText) -> Bool {
    guard left.count == right.count, left.low == right.low, left.high == right.high else {
      return false
    }
    return left.count <= 16 || left.string.utf8.elementsEqual(right.string.utf8)
  }

  /// Feeds the first bytes and the length.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(low)
    hasher.combine(high)
  }

  /// Whether `part` is a contiguous sub-sequence; the empty text is contained in everything.
  public func contains(_ part: MatchText) -> Bool {
    guard part.count <= count else { return false }
    guard part.count > 0 else { return true }
    return string.withContiguousBytes { whole in
      part.string.withContiguousBytes { wanted in
        Self.find(wanted, in: whole)
      }
    }
  }

  /// Jumps from one occurrence of the first byte to the next and compares the rest there.
  private static func find(
    _ wanted: UnsafeBufferPointer<UInt8>, in whole: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let base = whole.baseAddress, let start = wanted.baseAddress else { return false }
    let end = base + whole.count
    var from = UnsafeRawPointer(base)
    while let hit = memchr(from, Int32(start.pointee), UnsafeRawPointer(end) - from) {
      guard UnsafeRawPointer(end) - UnsafeRawPointer(hit) >= wanted.count else { return false }
      if memcmp(hit, start, wanted.count) == 0 { return true }
      from = UnsafeRawPointer(hit) + 1
    }
    return false
  }
}

extension String {
  /// Whether both are the same sequence of bytes; unlike `==`, no canonical equivalence.
  public func hasSameBytes(as other: String) -> Bool {
    withContiguousBytes { left in
      other.withContiguousBytes { right in
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
      }
    }
  }

  /// Calls `body` with the UTF-8 bytes of the string, without a copy where they lie together.
  @inlinable
  public func withContiguousBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
