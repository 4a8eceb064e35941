// SPDX-License-Identifier: Apache-2.0

/// A text as a key: equal and hashed by its bytes.
///
/// Swift's `String` takes a composed and a decomposed é as one; visitor codes, keys and users are two
/// then (evaluation specification, section 6.2). For texts that are compared far more often than
/// looked up there is ``MatchText``.
public struct ExactText: Sendable, Hashable {
  /// The text.
  public let text: String

  /// Takes a text.
  public init(_ text: String) { self.text = text }

  /// Whether both are the same sequence of bytes.
  public static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Feeds the bytes and an end that no text has.
  public func hash(into hasher: inout Hasher) {
    text.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}
