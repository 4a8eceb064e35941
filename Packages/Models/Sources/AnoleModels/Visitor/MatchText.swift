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
/// Length and first bytes are kept beside it, so that most comparisons touch no other memory. Four
/// words in all: larger values would be copied, with a reference count, when they are passed.
public struct MatchText: Sendable, Hashable {
  /// The text as given.
  public let string: String
  /// How many bytes the text has.
  @usableFromInline let count: Int
  /// The first eight bytes, padded with zeros.
  @usableFromInline let head: UInt64

  /// Prepares a string.
  public init(_ string: String) {
    var native = string
    native.makeContiguousUTF8()
    var head: UInt64 = 0
    for (position, byte) in native.utf8.prefix(8).enumerated() {
      head |= UInt64(byte) << UInt64(8 * position)
    }
    self.string = native
    self.count = native.utf8.count
    self.head = head
  }

  /// Whether both are the same sequence of bytes.
  @inlinable
  public static func == (left: MatchText, right: MatchText) -> Bool {
    guard left.count == right.count, left.head == right.head else { return false }
    return left.count <= 8 || left.string.hasSameBytes(as: right.string)
  }

  /// Feeds the first bytes and the length.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(head)
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
