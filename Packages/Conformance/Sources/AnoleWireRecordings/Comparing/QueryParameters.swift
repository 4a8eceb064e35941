// SPDX-License-Identifier: Apache-2.0

/// A query string, decoded.
package struct QueryParameters: Sendable, Hashable {
  /// One parameter.
  package struct Parameter: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// The parameters in their order.
  package let parameters: [Parameter]

  /// Decodes a query string.
  ///
  /// `+` stands for itself: the protocol writes spaces as `%20`.
  ///
  /// - Throws: ``WireFormatError`` where an escape is broken or the bytes are not UTF-8.
  package init(parsing text: some StringProtocol) throws(WireFormatError) {
    var parameters: [Parameter] = []
    for pair in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    where !(text.isEmpty && pair.isEmpty) {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
        throw WireFormatError("\"\(String(decoding: pair, as: UTF8.self))\" is no name=value")
      }
      parameters.append(
        Parameter(
          name: try Self.decode(pair[..<equals]),
          value: try Self.decode(pair[pair.index(after: equals)...])))
    }
    self.parameters = parameters
  }

  /// The value of the first parameter with a name.
  package subscript(name: String) -> String? {
    parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  private static func decode(_ bytes: some Sequence<UInt8>) throws(WireFormatError) -> String {
    var decoded: [UInt8] = []
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(Self.digit),
        let low = iterator.next().flatMap(Self.digit)
      else { throw WireFormatError("a % is not followed by two hexadecimal digits") }
      decoded.append(high << 4 | low)
    }
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw WireFormatError("the decoded bytes are not UTF-8")
    }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
