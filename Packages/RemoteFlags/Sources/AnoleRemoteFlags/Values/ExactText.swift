// SPDX-License-Identifier: Apache-2.0

/// A text that is compared byte by byte.
///
/// Swift's `String` takes a composed and a decomposed é as one; for keys, users and applications they
/// are two.
struct ExactText: Sendable, Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xff))
  }
}

extension String {
  /// Whether two texts have the same bytes.
  func isExactly(_ other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether a text comes before another in the order of their bytes.
  func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
