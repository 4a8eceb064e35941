// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#else
  public import Darwin
#endif

/// A member's key as it stands in the document, to be compared with the keys a reader knows.
///
/// Valid only inside the closure that receives it.
public struct JSONKey {
  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  @usableFromInline let hasEscapes: Bool

  init(bytes: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
    self.bytes = bytes
    self.hasEscapes = hasEscapes
  }

  /// The key as a string.
  public var string: String {
    hasEscapes ? JSONEscapes.decode(bytes) : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the key has exactly the bytes of the literal; for use in `switch`.
  @inlinable
  @inline(__always)
  public static func ~= (literal: StaticString, key: JSONKey) -> Bool {
    if key.hasEscapes { return key.matchesDecoded(literal) }
    guard key.bytes.count == literal.utf8CodeUnitCount else { return false }
    guard let base = key.bytes.baseAddress else { return true }
    return memcmp(base, literal.utf8Start, key.bytes.count) == 0
  }

  @usableFromInline
  func matchesDecoded(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer { buffer in string.utf8.elementsEqual(buffer) }
  }
}

/// A key points into the document and must not leave the reading closure.
@available(*, unavailable)
extension JSONKey: Sendable {}
