// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the JSON that was asked for, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, coarse enough to switch over.
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
      case unexpectedByte, unexpectedEnd, trailingBytes, controlCharacter, invalidEscape
      case invalidNumber, invalidUTF8, nestedTooDeeply
    }
    private let kind: Kind

    /// A byte that no JSON value, or not the expected one, has at this place.
    public static let unexpectedByte = Reason(kind: .unexpectedByte)
    /// The text ends inside a value.
    public static let unexpectedEnd = Reason(kind: .unexpectedEnd)
    /// Something other than white space follows the value.
    public static let trailingBytes = Reason(kind: .trailingBytes)
    /// A control character stands unescaped in a string.
    public static let controlCharacter = Reason(kind: .controlCharacter)
    /// A backslash is followed by something that is not an escape.
    public static let invalidEscape = Reason(kind: .invalidEscape)
    /// A number breaks the grammar, such as `01`, `1.` or `+1`.
    public static let invalidNumber = Reason(kind: .invalidNumber)
    /// The bytes are not UTF-8.
    public static let invalidUTF8 = Reason(kind: .invalidUTF8)
    /// Arrays and objects are nested deeper than the reader accepts.
    public static let nestedTooDeeply = Reason(kind: .nestedTooDeeply)

    /// A short phrase for people.
    public var description: String {
      switch kind {
      case .unexpectedByte: "unexpected byte"
      case .unexpectedEnd: "unexpected end of the text"
      case .trailingBytes: "something follows the JSON value"
      case .controlCharacter: "unescaped control character in a string"
      case .invalidEscape: "invalid escape in a string"
      case .invalidNumber: "malformed number"
      case .invalidUTF8: "bytes that are not UTF-8"
      case .nestedTooDeeply: "arrays and objects nested too deeply"
      }
    }
  }

  /// What is wrong.
  public let reason: Reason
  /// The offset of the offending byte, counted from 0.
  public let offset: Int
  /// The line of the offending byte, counted from 1.
  public let line: Int
  /// The column of the offending byte in its line, in bytes, counted from 1.
  public let column: Int

  init(_ reason: Reason, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    self.reason = reason
    self.offset = offset
    var line = 1
    var lineStart = 0
    for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    self.line = line
    self.column = offset - lineStart + 1
  }

  /// One sentence that names the problem and the place.
  public var description: String {
    "not valid JSON: \(reason) at line \(line), column \(column) (byte \(offset))"
  }
}
