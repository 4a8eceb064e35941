// SPDX-License-Identifier: Apache-2.0

public import AnoleModels

/// Damages JSON documents, the same way in every run.
public struct Mutator: Sendable {
  /// Where chance comes from.
  private var generator: SeededGenerator

  private static let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
  private static let numbers: [JSONNumber] = [
    .integer(0), .integer(-1), .integer(1), .integer(.max), .integer(.min), .integer(1 << 31),
    .double(0.5), .double(-0.25), .double(1e300), .double(.leastNonzeroMagnitude),
    .double(1.0000001),
    .big("1e400"), .big("99999999999999999999999999"), .big("-9223372036854775809"),
  ]
  private static let texts = [
    "", "off", "in-holdout", "EXPERIMENTATION", "TARGETED_DELIVERY", "SEGMENT", "CUSTOM_DATUM",
    "REQUIRED", "FULLY_BLOCK", "REGULAR_EXPRESSION", "(", "^(a+)+$", "[1,2", "{\"a\":", "1.2.3",
    "e\u{301}", "\u{0}", String(repeating: "長", count: 300),
  ]
  private static let keys = [
    "id", "featureKey", "rules", "segments", "featureFlags", "holdout", "conditions", "value",
    "exposition", "variationByExposition", "segmentId", "targetingType", "",
  ]

  private static let marks = Array("{}[],:\"\\0-e.tn".utf8)

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Makes a mutator; equal seeds damage in the same way.
  public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  // MARK: - Structure

  /// The document with one change somewhere.
  public mutating func mutate(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(var elements) where !elements.isEmpty && chance(93):
      let position = below(elements.count)
      if chance(12) {
        change(&elements, at: position)
      } else {
        elements[position] = mutate(elements[position])
      }
      return .array(elements)
    case .object(var members) where !members.isEmpty && chance(95):
      let position = below(members.count)
      if chance(12) {
        change(&members, at: position)
      } else {
        let member = members[position]
        members[position] = JSONValue.Member(key: member.key, value: mutate(member.value))
      }
      return .object(members)
    default: return junk(instead: value)
    }
  }

  private mutating func change(_ elements: inout [JSONValue], at position: Int) {
    switch below(4) {
    case 0: elements.remove(at: position)
    case 1: elements.insert(elements[position], at: below(elements.count))
    case 2: elements.swapAt(position, below(elements.count))
    default: elements[position] = junk(instead: elements[position])
    }
  }

  private mutating func change(_ members: inout [JSONValue.Member], at position: Int) {
    let member = members[position]
    switch below(6) {
    case 0: members.remove(at: position)
    case 1: members.append(JSONValue.Member(key: member.key, value: mutate(member.value)))
    case 2: members.swapAt(position, below(members.count))
    case 3:
      let other = members[below(members.count)]
      members[position] = JSONValue.Member(key: member.key, value: other.value)
    case 4:
      let key = Self.keys[below(Self.keys.count)]
      members[position] = JSONValue.Member(key: key, value: member.value)
    default:
      members[position] = JSONValue.Member(key: member.key, value: junk(instead: member.value))
    }
  }

  private mutating func junk(instead value: JSONValue) -> JSONValue {
    switch below(9) {
    case 0: return .null
    case 1: return .bool(chance(50))
    case 2, 3: return .number(Self.numbers[below(Self.numbers.count)])
    case 4: return .string(Self.texts[below(Self.texts.count)])
    case 5: return .array([])
    case 6: return .object([])
    case 7: return .array([value, value])
    default:
      var nested = value
      for _ in 0..<below(600) { nested = .array([nested]) }
      return nested
    }
  }

  // MARK: - Bytes

  /// The text with a few bytes changed, removed, inserted or repeated, or cut off.
  public mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(3) where !bytes.isEmpty {
      let position = below(bytes.count)
      switch below(6) {
      case 0: bytes[position] = UInt8(below(256))
      case 1: bytes[position] = UInt8(ascii: "0") + UInt8(below(10))
      case 2: bytes.remove(at: position)
      case 3: bytes.insert(Self.marks[below(Self.marks.count)], at: position)
      case 4:
        let end = min(bytes.count, position + below(40))
        bytes.insert(contentsOf: bytes[position..<end], at: below(bytes.count))
      default: if chance(20) { bytes.removeSubrange(position...) }
      }
    }
    return bytes
  }
}
