// SPDX-License-Identifier: Apache-2.0

import AnoleModels

/// A visitor code as a key: compared by its bytes, so that a composed and a decomposed é are two
/// visitors.
struct CodeKey: Sendable, Hashable {
  /// The code.
  let code: String

  init(_ code: String) { self.code = code }

  static func == (left: CodeKey, right: CodeKey) -> Bool { left.code.hasSameBytes(as: right.code) }

  func hash(into hasher: inout Hasher) {
    code.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
