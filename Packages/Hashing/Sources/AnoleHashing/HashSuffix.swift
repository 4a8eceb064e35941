// SPDX-License-Identifier: Apache-2.0

/// The text that follows the hash key: a decimal id and respool time, or a group name.
///
/// Evaluation specification 2.1, step 1. Build a suffix once, when a rule is read, and use it for
/// every visitor: building one allocates, hashing with one does not.
///
/// There is no separator between the key, the id and the respool time. Key `a1` with id 1 and key
/// `a` with id 11 are the same message, by design.
public struct HashSuffix: Sendable, Hashable {
  /// The bytes that are appended to the key's UTF-8, at most 40 of them for ids.
  public let bytes: [UInt8]

  /// Makes the suffix of a rule, an experiment or a holdout.
  ///
  /// - Parameters:
  ///   - id: The rule's id for admission, the experiment's id for the choice of a variation and for
  ///     a holdout. Written in plain decimal, with `-` before a negative number.
  ///   - respoolTime: When the visitors were last dealt out anew, in milliseconds since 1970. Zero
  ///     and `nil` mean never and add nothing.
  public init(id: Int64, respoolTime: Int64? = nil) {
    var bytes: [UInt8] = []
    Self.append(id: id, respoolTime: respoolTime, to: &bytes)
    self.bytes = bytes
  }

  /// Writes the suffix of ``init(id:respoolTime:)`` behind other bytes, for callers that keep many
  /// suffixes in one array.
  ///
  /// - Parameters:
  ///   - id: The rule's or experiment's id.
  ///   - respoolTime: When the visitors were last dealt out anew; zero and `nil` add nothing.
  ///   - bytes: The array that grows.
  public static func append(id: Int64, respoolTime: Int64? = nil, to bytes: inout [UInt8]) {
    append(decimal: id, to: &bytes)
    if let respoolTime, respoolTime != 0 { append(decimal: respoolTime, to: &bytes) }
  }

  private static func append(decimal number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let first = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[first...].reverse()
  }

  /// Makes the suffix of a group of mutually exclusive experiments.
  ///
  /// - Parameter group: The group's name; its UTF-8 is taken as it is, neither trimmed, folded nor
  ///   normalised.
  public init(group: String) {
    bytes = Array(group.utf8)
  }
}
