// SPDX-License-Identifier: Apache-2.0

/// Builds a query: parameters in the order of the calls, empty ones left out.
public struct QueryText: Sendable, Hashable {
  /// The query without its question mark; empty without parameters.
  public private(set) var text = ""

  /// Makes a query without parameters.
  public init() {}

  /// Adds a parameter; nothing if the value is nil or empty.
  ///
  /// - Parameters:
  ///   - name: Plain ASCII, as it is to appear.
  ///   - value: The value, not encoded.
  public mutating func append(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    if !text.isEmpty { text += "&" }
    text += name
    text += "="
    text += PercentEncoding.encode(value)
  }

  /// Adds a number in decimal digits, zero too; nothing for nil.
  public mutating func append(_ name: String, _ value: Int64?) {
    append(name, value.map { String($0) })
  }

  /// Adds `name=true`; nothing for false.
  public mutating func append(_ name: String, flag: Bool) {
    if flag { append(name, "true") }
  }
}
