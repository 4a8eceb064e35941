// SPDX-License-Identifier: Apache-2.0

package import AnoleModels

/// Compares what was expected with what came out.
package enum JSONComparison {
  /// Where the two part, with a path; nil if they agree.
  ///
  /// Members may stand in any order; numbers agree by value.
  package static func difference(
    expected: JSONValue, actual: JSONValue, at path: String = "$"
  ) -> String? {
    switch (expected, actual) {
    case (.object(let wanted), .object(let present)):
      return difference(wanted, present, expected, actual, at: path)
    case (.array(let wanted), .array(let present)):
      guard wanted.count == present.count else {
        return "\(path): expected \(wanted.count) elements, got \(present.count): \(actual)"
      }
      for (index, pair) in zip(wanted, present).enumerated() {
        let found = difference(expected: pair.0, actual: pair.1, at: "\(path)[\(index)]")
        if let found { return found }
      }
      return nil
    case (.number(let wanted), .number(let present)):
      let areEqual = wanted == present || wanted.asDouble == present.asDouble
      return areEqual ? nil : "\(path): expected \(expected), got \(actual)"
    default:
      return expected == actual ? nil : "\(path): expected \(expected), got \(actual)"
    }
  }

  private static func difference(
    _ wanted: [JSONValue.Member], _ present: [JSONValue.Member], _ expected: JSONValue,
    _ actual: JSONValue, at path: String
  ) -> String? {
    for member in wanted {
      guard let value = actual[member.key] else {
        return "\(path).\(member.key): expected \(member.value), got nothing"
      }
      let found = difference(
        expected: member.value, actual: value, at: "\(path).\(member.key)")
      if let found { return found }
    }
    let surplus = present.first { expected[$0.key] == nil }
    return surplus.map { "\(path).\($0.key): expected nothing, got \($0.value)" }
  }
}
