// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Whether a text comes before another in the order of their bytes.
  func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
