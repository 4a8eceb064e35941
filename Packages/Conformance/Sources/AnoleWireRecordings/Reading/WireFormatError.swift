// SPDX-License-Identifier: Apache-2.0

/// A recording, or a part of a request, that does not have the documented form.
package struct WireFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, and where.
  package let description: String

  package init(_ description: String) { self.description = description }
}
