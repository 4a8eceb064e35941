// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// A list and a text that is, or is not, among its elements.
struct AmongCase: Sendable, CustomTestStringConvertible {
  let list: String
  let text: String
  let expected: Bool
  init(_ list: String, has text: String, is expected: Bool = true) {
    self.list = list
    self.text = text
    self.expected = expected
  }
  var testDescription: String { "\(text.debugDescription) among \(list)" }
}

private let long = "[" + (0..<500).map { "\"element \($0)\"" }.joined(separator: ",") + "]"

private let amongCases: [AmongCase] = [
  AmongCase(#"["gold","silver"]"#, has: "gold"),
  AmongCase(#"["gold","silver"]"#, has: "silver"),
  AmongCase(#"["gold","silver"]"#, has: "Gold", is: false),
  AmongCase(#"["gold","silver"]"#, has: "gol", is: false),
  AmongCase(#" [ "gold" ] "#, has: "gold"),
  AmongCase(#"[""]"#, has: ""),
  AmongCase("[]", has: "", is: false),
  AmongCase(#"["\u00e9"]"#, has: "\u{E9}"),
  AmongCase(#"["\u00e9"]"#, has: "e\u{301}", is: false),
  AmongCase("[true]", has: "true"),
  AmongCase("[true]", has: "1", is: false),
  AmongCase("[false]", has: "false"),
  AmongCase("[false]", has: "0", is: false),
  AmongCase("[1,0]", has: "1"),
  AmongCase("[1,0]", has: "0"),
  AmongCase("[1]", has: "true", is: false),
  AmongCase("[0]", has: "false", is: false),
  AmongCase("[1]", has: "1.0", is: false),
  AmongCase("[1]", has: "01", is: false),
  AmongCase("[-7]", has: "-7"),
  AmongCase("[1000000]", has: "1000000"),
  AmongCase("[1000000]", has: "1e+06", is: false),
  AmongCase("[1e6]", has: "1000000"),
  AmongCase("[9007199254740993]", has: "9007199254740993"),
  AmongCase("[9223372036854775807]", has: "9223372036854775807"),
  AmongCase("[18446744073709551616]", has: "18446744073709551616"),
  AmongCase("[1e20]", has: "100000000000000000000"),
  AmongCase("[-1.5e21]", has: "-1500000000000000000000"),
  AmongCase("[0.5]", has: "0.5"),
  AmongCase("[5.50]", has: "5.5"),
  AmongCase("[5.0]", has: "5"),
  AmongCase("[0.1]", has: "0.1"),
  AmongCase("[1.5e-7]", has: "0.00000015"),
  AmongCase("[1.5e-7]", has: "1.5e-07", is: false),
  AmongCase("[-2e-10]", has: "-0.0000000002"),
  AmongCase("[12345.678e-8]", has: "0.00012345678"),
  AmongCase("[123456789.125]", has: "123456789.125"),
  AmongCase(#"[null,"a"]"#, has: "a"),
  AmongCase("[null]", has: "null", is: false),
  AmongCase("[null]", has: "", is: false),
  AmongCase(#"[["a"],{"b":"c"},"d"]"#, has: "d"),
  AmongCase(#"[["a"],{"b":"c"}]"#, has: "a", is: false),
  AmongCase(#"[["a"],{"b":"c"}]"#, has: "b", is: false),
  AmongCase(#"[["a"]]"#, has: #"["a"]"#, is: false),
  AmongCase(long, has: "element 499"),
  AmongCase(long, has: "element 500", is: false),
]

/// Values that are no JSON list in a string.
private let noLists: [String] = [
  #""gold""#, #"""#, "", "{\"a\":\"b\"}", "true", "1", "null", #"["a""#, #"["a",]"#, "['a']",
  "[01]", "a,b",
]

private func condition(_ value: JSONValue) -> String {
  RawJSON(
    .object([
      JSONValue.Member(key: "targetingType", value: "CUSTOM_DATUM"),
      JSONValue.Member(key: "customDataIndex", value: "3"),
      JSONValue.Member(key: "valueMatchType", value: "AMONG_VALUES"),
      JSONValue.Member(key: "value", value: value),
    ])
  ).text
}

@Suite("AMONG_VALUES (4.4)")
struct AmongValuesTests {
  @Test("elements become texts and are compared exactly", arguments: amongCases)
  func among(_ row: AmongCase) throws {
    try ConditionCase(
      row.testDescription, condition(.string(row.list)), [.values(3, "other", row.text)],
      is: row.expected
    ).verify()
  }

  @Test("a text that is no list is false", arguments: noLists)
  func noList(_ text: String) throws {
    let row = ConditionCase(
      text, condition(.string(text)), [.values(3, "gold", "a", "b", "1", "true", "", text)],
      is: false)
    try row.verify()
    #expect(try Fixture.index(condition: row.condition).diagnostics.count == 1)
  }

  @Test("a value that is no string is false")
  func noString() throws {
    for value: JSONValue in [["a"], 1, true, nil, ["a": "b"]] {
      try ConditionCase("", condition(value), [.values(3, "a", "1", "true")], is: false).verify()
    }
  }

  @Test("an element of a long list is found wherever it stands")
  func longList() throws {
    let index = try Fixture.index(condition: condition(.string(long)))
    for number in 0..<500 {
      #expect(index.answer(Fixture.subject([.values(3, "element \(number)")])))
    }
  }
}
