// SPDX-License-Identifier: Apache-2.0

import AnoleModels

extension Types.Variable: Codable {
  private enum CodingKeys: String, CodingKey {
    case key, type, value
  }

  /// Reads `{"key": …, "type": …, "value": …}`; whole numbers become `Int`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let value = try container.decodeIfPresent(CodableJSON.self, forKey: .value)
    self.init(
      key: try container.decode(String.self, forKey: .key),
      type: try container.decode(String.self, forKey: .type),
      content: VariableValue(value?.json ?? .null))
  }

  /// Writes `{"key": …, "type": …, "value": …}`, without `value` if there is none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(key, forKey: .key)
    try container.encode(type, forKey: .type)
    guard content != .null else { return }
    try container.encode(CodableJSON(json: content.jsonValue), forKey: .value)
  }
}

/// A value of JSON on its way through `Codable`.
private struct CodableJSON: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let json: JSONValue

  init(json: JSONValue) { self.json = json }

  init(from decoder: any Decoder) throws {
    // The kind of the first decoding that works; a failure only means another kind.
    if let container = try? decoder.container(keyedBy: Key.self) {
      json = .object(
        try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
          let value = try container.decode(CodableJSON.self, forKey: key)
          return JSONValue.Member(key: key.stringValue, value: value.json)
        })
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !container.isAtEnd { values.append(try container.decode(CodableJSON.self).json) }
      json = .array(values)
      return
    }
    json = try Self.scalar(decoder.singleValueContainer())
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .number(.integer(value)) }
    if let value = try? container.decode(Double.self) { return .number(.double(value)) }
    return .string(try container.decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    switch json {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(CodableJSON(json: value)) }
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for member in members {
        try container.encode(
          CodableJSON(json: member.value), forKey: Key(stringValue: member.key))
      }
    default:
      var container = encoder.singleValueContainer()
      try encode(into: &container)
    }
  }

  private func encode(into container: inout any SingleValueEncodingContainer) throws {
    switch json {
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .number(.integer(let value)): try container.encode(value)
    case .number(.double(let value)): try container.encode(value)
    case .number(.big(let text)): try container.encode(text)
    case .null, .array, .object: try container.encodeNil()
    }
  }
}
