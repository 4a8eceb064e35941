// SPDX-License-Identifier: Apache-2.0

import AnoleModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RemoteFlag {
  /// Decodes a JSON property into a type of the application.
  ///
  /// Works on any value, scalars included. Nothing is converted: a Boolean does not decode as a number.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - property: The name, exactly.
  /// - Returns: Nil when there is no such value or it is `null`.
  /// - Throws: `DecodingError` when the value has another form than the type.
  public func decode<Value: Decodable>(
    _ type: Value.Type, forProperty property: String
  ) throws -> Value? {
    guard let value = value(forProperty: property) else { return nil }
    return try JSONDecoder().decode(type, from: Data(value.text().utf8))
  }
}
