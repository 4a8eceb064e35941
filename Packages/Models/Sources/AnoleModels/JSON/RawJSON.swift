// SPDX-License-Identifier: Apache-2.0

/// The bytes of one well-formed JSON value that is read later, by whoever knows its form.
public struct RawJSON: Sendable, Hashable {
  /// The text, UTF-8, without white space around it.
  public let bytes: [UInt8]

  /// Bytes that a scanner has walked over already.
  init(validated bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Writes a value.
  public init(_ value: JSONValue) {
    self.bytes = Array(value.text().utf8)
  }

  /// The value as a tree.
  ///
  /// - Throws: ``JSONError`` only if the depth limit is lower than the one it was read with.
  public func value() throws(JSONError) -> JSONValue {
    try JSONValue(parsing: bytes)
  }
}
