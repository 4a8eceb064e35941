// SPDX-License-Identifier: Apache-2.0

/// One header field of a request or an answer.
public struct HeaderField: Sendable, Hashable, CustomStringConvertible {
  /// The name, in the spelling of the sender.
  public let name: String
  /// The bytes of the value, without the white space before it.
  public let valueBytes: [UInt8]

  /// The value as text; bytes that are not UTF-8 are replaced.
  public var value: String { String(decoding: valueBytes, as: UTF8.self) }

  /// `name: value`.
  public var description: String { "\(name): \(value)" }

  /// Makes a field for an answer.
  ///
  /// - Precondition: ``isValid(name:value:)``.
  public init(_ name: String, _ value: String) {
    precondition(
      Self.isValid(name: name, value: value),
      "header field \(name.debugDescription): the name must be a token, the value without line breaks"
    )
    self.init(name: name, valueBytes: Array(value.utf8))
  }

  init(name: String, valueBytes: [UInt8]) {
    self.name = name
    self.valueBytes = valueBytes
  }

  /// Whether the name is a token of HTTP and the value holds no control character.
  public static func isValid(name: String, value: String) -> Bool {
    let others = Array("!#$%&'*+-.^_`|~".utf8)
    func isToken(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: others.contains(byte)
      }
    }
    return !name.isEmpty && name.utf8.allSatisfy(isToken)
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

extension [HeaderField] {
  /// The value of the first field with a name, in whatever case.
  public func value(named name: String) -> String? {
    first { $0.isNamed(name) }?.value
  }
}
