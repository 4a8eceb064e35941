// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import Testing

/// Field case 3: number one is not true.
///
/// What is written is read back with the same types.
@Suite("Number one is not true")
struct TypeConfusionTests {
  private static let text =
    #"{"max_items":1,"vip":true,"zero":0,"big":9007199254740993,"half":0.5}"#

  /// The properties as they arrived, and after they were written and read again.
  private static func readings() throws -> [JSONValue] {
    let first = try JSONValue(parsing: text)
    return [first, try JSONValue(parsing: first.text()), try RawJSON(first).value()]
  }

  @Test("a number gives no Boolean, a Boolean no number, and neither a string")
  func kinds() throws {
    for properties in try Self.readings() {
      #expect((properties["max_items"]?.boolValue ?? false) == false)
      #expect((properties["vip"]?.doubleValue ?? 5) == 5)
      #expect((properties["zero"]?.boolValue ?? true) == true)
      #expect((properties["vip"]?.stringValue ?? "x") == "x")
      #expect(properties["max_items"]?.integerValue == 1)
      #expect(properties["vip"]?.boolValue == true)
    }
  }

  @Test("an integer above 2^53 is exact as an integer and rounded as a double")
  func bigInteger() throws {
    for properties in try Self.readings() {
      #expect(properties["big"]?.integerValue == 9_007_199_254_740_993)
      #expect(properties["big"]?.doubleValue == 9_007_199_254_740_992)
    }
  }

  @Test("writing gives the same text")
  func writing() throws {
    for properties in try Self.readings() { #expect(properties.text() == Self.text) }
  }

  @Test("the values of variables keep their kinds too")
  func variables() throws {
    let properties = try JSONValue(parsing: Self.text)
    let values = (properties.objectValue ?? []).map { VariableValue($0.value) }
    #expect(
      values == [.int(1), .bool(true), .int(0), .int(9_007_199_254_740_993), .double(0.5)])
    #expect(values[0].boolValue == nil && values[1].intValue == nil && values[1].doubleValue == nil)
  }
}
