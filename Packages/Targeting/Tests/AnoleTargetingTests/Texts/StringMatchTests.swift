// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// One operator on two texts.
struct StringMatchCase: Sendable, CustomTestStringConvertible {
  let matchType: String
  let wanted: String
  let text: String
  let expected: Bool

  init(_ matchType: String, _ wanted: String, on text: String, is expected: Bool) {
    self.matchType = matchType
    self.wanted = wanted
    self.text = text
    self.expected = expected
  }

  var testDescription: String {
    "\(matchType) \(wanted.debugDescription) on \(text.debugDescription)"
  }

  /// The condition of a type, with the wanted text written as JSON.
  func condition(_ type: String, value: String, operator name: String) -> String {
    RawJSON(
      .object([
        JSONValue.Member(key: "targetingType", value: .string(type)),
        JSONValue.Member(key: value, value: .string(wanted)),
        JSONValue.Member(key: name, value: .string(matchType)),
        JSONValue.Member(key: "customDataIndex", value: 4),
      ])
    ).text
  }

  /// Expects the answer of every type that matches strings.
  func verify() throws {
    let visitorCode = condition("VISITOR_CODE", value: "visitorCode", operator: "matchType")
    #expect(
      try Fixture.index(condition: visitorCode).answer(Fixture.subject(code: text)) == expected)
    let datum = condition("CUSTOM_DATUM", value: "value", operator: "valueMatchType")
    #expect(
      try Fixture.index(condition: datum).answer(Fixture.subject([.values(4, text)])) == expected)
    let title = condition("PAGE_TITLE", value: "title", operator: "matchType")
    #expect(
      try Fixture.index(condition: title).answer(Fixture.subject([.page("u", text, at: 1)]))
        == expected)
    let excluded = Fixture.excluded(visitorCode)
    #expect(
      try Fixture.index(condition: excluded).answer(Fixture.subject(code: text)) != expected)
  }
}

extension RawJSON {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

private let composed = "\u{E9}t\u{E9}"
private let decomposed = "e\u{301}te\u{301}"

private let stringCases: [StringMatchCase] = [
  StringMatchCase("EXACT", "gold", on: "gold", is: true),
  StringMatchCase("EXACT", "gold", on: "Gold", is: false),
  StringMatchCase("EXACT", "gold", on: " gold", is: false),
  StringMatchCase("EXACT", "gold", on: "golden", is: false),
  StringMatchCase("EXACT", "", on: "", is: true),
  StringMatchCase("EXACT", "", on: "a", is: false),
  StringMatchCase("EXACT", composed, on: composed, is: true),
  StringMatchCase("EXACT", composed, on: decomposed, is: false),
  StringMatchCase("EXACT", decomposed, on: composed, is: false),
  StringMatchCase("EXACT", "longer than sixteen bytes", on: "longer than sixteen bytes", is: true),
  StringMatchCase("EXACT", "longer than sixteen bytes", on: "longer than sixteen bytEs", is: false),
  StringMatchCase("EXACT", "a\0b", on: "a\0b", is: true),
  StringMatchCase("EXACT", "a\0b", on: "a\0c", is: false),
  StringMatchCase("CONTAINS", "old", on: "golden", is: true),
  StringMatchCase("CONTAINS", "OLD", on: "golden", is: false),
  StringMatchCase("CONTAINS", "golden", on: "old", is: false),
  StringMatchCase("CONTAINS", "aab", on: "aaab", is: true),
  StringMatchCase("CONTAINS", "", on: "golden", is: true),
  StringMatchCase("CONTAINS", "", on: "", is: true),
  StringMatchCase("CONTAINS", "a", on: "", is: false),
  StringMatchCase("CONTAINS", "\u{E9}", on: composed, is: true),
  StringMatchCase("CONTAINS", "\u{E9}", on: decomposed, is: false),
  // By scalars: the letter without its accent is there, and so is the accent.
  StringMatchCase("CONTAINS", "te", on: decomposed, is: true),
  StringMatchCase("CONTAINS", "\u{301}", on: decomposed, is: true),
  StringMatchCase("CONTAINS", "\u{1F468}", on: "\u{1F468}\u{200D}\u{1F469}", is: true),
  StringMatchCase("STARTS_WITH", "g", on: "gold", is: false),
  StringMatchCase("exact", "gold", on: "gold", is: false),
  StringMatchCase("", "gold", on: "gold", is: false),
]

private let patternCases: [StringMatchCase] = [
  ("gold", "gold", true), ("gold", "golden", false), ("old", "gold", false),
  ("gol.", "gold", true), ("", "", true), ("", "a", false), (".*", "", true),
  ("a|ab", "ab", true), ("ab|a", "ab", true), ("a|ab", "abc", false),
  ("(a|ab)(c|bcd)", "abcd", true),
  ("a|b", "b", true), ("^a|b$", "b", true),
  ("^gold$", "gold", true), ("^gold$", "gold\n", false), ("gold", "gold\n", false),
  ("gold$", "gold\n", false), ("a.b", "a\nb", false), ("(?s)a.b", "a\nb", true),
  ("Gold", "gold", false), ("(?i)GOLD", "gold", true), ("(?i)\u{C9}T\u{C9}", "\u{E9}t\u{E9}", true),
  ("a(?i)b", "aB", true), ("a(?i)b", "AB", false),
  (#"\d+"#, "2024", true), (#"\d+"#, "\u{664}\u{662}", true), (#"\d+"#, "4a", false),
  (#"\w+"#, "\u{E9}t\u{E9}_9", true), (#"\w+"#, "\u{4E2D}\u{6587}", true), (#"\w+"#, "a-b", false),
  (#"a\sb"#, "a b", true), (#"a\sb"#, "a\u{A0}b", true), (#"\S+"#, "ab", true),
  (#"\D\W"#, "a-", true), (#"\bab\b"#, "ab", true),
  (#"\u0041"#, "A", true), (#"[\u0041-\u0043]+"#, "ABC", true), (#"\x41"#, "A", true),
  ("[a-c]{2,3}", "abc", true), ("[a-c]{2,3}", "abca", false), ("[^a]+", "bcd", true),
  ("a{2}", "aa", true), ("a+?", "aaa", true), ("a*?b??", "aab", true), ("(?:ab)+", "abab", true),
  (#"(a)(b)\2\1"#, "abba", true), ("(?=a)a", "a", true), ("(?<!b)a", "a", true),
  (#"user\.\d+@example\.(com|org)"#, "user.7@example.org", true),
  (#"user\.\d+@example\.(com|org)"#, "user17@example.org", false),
  (".", "\u{1F600}", true), (".", "e\u{301}", false), ("..", "e\u{301}", true),
  ("\u{E9}", "e\u{301}", false), ("a\0b", "a\0b", true), (#"\Qa.b\E"#, "a.b", true),
  ("(", "(", false), ("[", "[", false), ("a**", "a", false), ("*a", "a", false),
  (#"\"#, #"\"#, false), ("(?<n", "", false), ("[b-a]", "b", false), (")", ")", false),
].map { StringMatchCase("REGULAR_EXPRESSION", $0.0, on: $0.1, is: $0.2) }

@Suite("String match (4.2)")
struct StringMatchTests {
  @Test("texts are compared scalar by scalar", arguments: stringCases)
  func strings(_ row: StringMatchCase) throws { try row.verify() }

  @Test("a pattern has to match the whole value", arguments: patternCases)
  func patterns(_ row: StringMatchCase) throws { try row.verify() }

  @Test(
    "a condition without a value of type string is false",
    arguments: ["null", "7", "true", #"["visitor"]"#, "{}"])
  func noValue(_ value: String) throws {
    for matchType in ["EXACT", "CONTAINS", "REGULAR_EXPRESSION"] {
      let text =
        #"{"targetingType":"VISITOR_CODE","matchType":"\#(matchType)","visitorCode":\#(value)}"#
      try ConditionCase(text, text, is: false).verify()
    }
  }

  @Test(
    "a missing operator or one of another kind is false",
    arguments: ["", #","matchType":null"#, #","matchType":1"#, #","matchType":["EXACT"]"#])
  func noOperator(_ field: String) throws {
    let text = #"{"targetingType":"VISITOR_CODE","visitorCode":"visitor"\#(field)}"#
    try ConditionCase(text, text, is: false).verify()
  }
}
