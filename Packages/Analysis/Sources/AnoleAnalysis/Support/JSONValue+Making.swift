// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension JSONValue {
  /// An integer; `null` for nil.
  static func id(_ value: Int64?) -> JSONValue { value.map { .number(.integer($0)) } ?? .null }

  /// A count.
  static func count(_ value: Int) -> JSONValue { .number(.integer(Int64(value))) }

  /// A double; `null` for nil, and for infinity, which JSON cannot write.
  static func real(_ value: Double?) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return .number(.double(value))
  }

  /// A string; `null` for nil.
  static func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

  /// A list of strings.
  static func texts(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
}
