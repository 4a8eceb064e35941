// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Foundation

/// JSON values as Swift's own types; a Boolean never becomes a number, nor the reverse.
enum PropertyValue {
  static func any(_ value: JSONValue) -> Any {
    switch value {
    case .null: NSNull()
    case .bool(let value): value
    case .number(.integer(let value)): Int(exactly: value) ?? Double(value)
    case .number(let number): number.asDouble ?? NSNull()
    case .string(let value): value
    case .array(let values): values.map(any)
    case .object(let members): dictionary(members)
    }
  }

  static func dictionary(_ members: [JSONValue.Member]) -> [String: Any] {
    Dictionary(members.map { ($0.key, any($0.value)) }, uniquingKeysWith: { $1 })
  }
}
