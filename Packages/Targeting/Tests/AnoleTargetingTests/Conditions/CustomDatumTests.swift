// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// A `CUSTOM_DATUM` condition on index 3; the value is a JSON text.
private func datum(_ match: String, _ value: String? = nil) -> String {
  let value = value.map { #","value":\#($0)"# } ?? ""
  return
    #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"3","valueMatchType":"\#(match)"\#(value)}"#
}

private let none: [VisitorDatum] = [.customData(index: 3, values: [])]
private let empty: [VisitorDatum] = [.values(3, "")]
private let metals: [VisitorDatum] = [.values(3, "silver", "gold")]

private let operatorCases: [ConditionCase] = [
  ConditionCase("some value equals", datum("EXACT", #""gold""#), metals, is: true),
  ConditionCase("no value equals", datum("EXACT", #""Gold""#), metals, is: false),
  ConditionCase("another index", datum("EXACT", #""gold""#), [.values(4, "gold")], is: false),
  ConditionCase("no datum", datum("EXACT", #""gold""#), is: false),
  ConditionCase("empty equals empty", datum("EXACT", #""""#), empty, is: true),
  ConditionCase("no values", datum("EXACT", #""""#), none, is: false),
  ConditionCase("value as number", datum("EXACT", "5"), [.values(3, "5")], is: false),
  ConditionCase("some value contains", datum("CONTAINS", #""ilv""#), metals, is: true),
  ConditionCase("no value contains", datum("CONTAINS", #""ilva""#), metals, is: false),
  ConditionCase("empty text in an empty value", datum("CONTAINS", #""""#), empty, is: true),
  ConditionCase("empty text without values", datum("CONTAINS", #""""#), none, is: false),
  ConditionCase("some value as a whole", datum("REGULAR_EXPRESSION", #""g.ld""#), metals, is: true),
  ConditionCase("a part only", datum("REGULAR_EXPRESSION", #""g.l""#), metals, is: false),
  ConditionCase("pattern without values", datum("REGULAR_EXPRESSION", #"".*""#), none, is: false),
  ConditionCase("true", datum("TRUE"), [.values(3, "x", "true")], is: true),
  ConditionCase("True is not true", datum("TRUE"), [.values(3, "True", "1", "yes")], is: false),
  ConditionCase("false", datum("FALSE"), [.values(3, "false")], is: true),
  ConditionCase("FALSE is not false", datum("FALSE"), [.values(3, "FALSE", "0")], is: false),
  ConditionCase("true ignores the value", datum("TRUE", "7"), [.values(3, "true")], is: true),
  ConditionCase("true without values", datum("TRUE"), none, is: false),
  ConditionCase("undefined without datum", datum("UNDEFINED"), is: true),
  ConditionCase("undefined beside others", datum("UNDEFINED"), [.values(4, "a")], is: true),
  ConditionCase("no values are defined", datum("UNDEFINED"), none, is: false),
  ConditionCase("an empty value is defined", datum("UNDEFINED"), empty, is: false),
  ConditionCase("a value is defined", datum("UNDEFINED"), metals, is: false),
  ConditionCase("unknown operator", datum("NOT", #""gold""#), metals, is: false),
  ConditionCase("lower-case operator", datum("exact", #""gold""#), metals, is: false),
  ConditionCase("number without values", datum("LOWER", "7"), none, is: false),
  ConditionCase("list without values", datum("AMONG_VALUES", #""[\"\"]""#), none, is: false),
]

private func index(_ index: String) -> String {
  #"{"targetingType":"CUSTOM_DATUM","customDataIndex":\#(index),"valueMatchType":"TRUE"}"#
}
private let three: [VisitorDatum] = [.values(3, "true")]

private let indexCases: [ConditionCase] = [
  ConditionCase("plain text", index(#""3""#), three, is: true),
  ConditionCase("leading zeros", index(#""003""#), three, is: true),
  ConditionCase("an integer", index("3"), three, is: true),
  ConditionCase("an integer written otherwise", index("3.0"), three, is: true),
  ConditionCase("sign", index(#""+3""#), three, is: false),
  ConditionCase("white space", index(#"" 3""#), three, is: false),
  ConditionCase("fraction", index(#""3.0""#), three, is: false),
  ConditionCase("empty", index(#""""#), three, is: false),
  ConditionCase("words", index(#""three""#), three, is: false),
  ConditionCase("other digits", index(#""\u0663""#), three, is: false),
  ConditionCase("too large", index(#""99999999999999999999""#), three, is: false),
  ConditionCase("no integer", index("3.5"), three, is: false),
  ConditionCase("a list", index("[3]"), three, is: false),
  ConditionCase("null", index("null"), three, is: false),
]

private func undefined(_ index: String) -> String {
  #"{"targetingType":"CUSTOM_DATUM","customDataIndex":\#(index),"valueMatchType":"UNDEFINED"}"#
}

private let undefinedCases: [ConditionCase] = [
  ConditionCase("a text that is no index never finds data", undefined(#""x""#), three, is: true),
  ConditionCase("a fraction is no index", undefined("3.5"), is: false),
  ConditionCase("a negative number is no index", undefined("-1"), is: false),
  ConditionCase("a Boolean is no index", undefined("true"), is: false),
  ConditionCase("null is no index", undefined("null"), is: false),
]

/// A spelling and the number it stands for, by section 4.4.
struct SpellingCase: Sendable, CustomTestStringConvertible {
  let text: String
  let number: String?
  init(_ text: String, _ number: String?) {
    self.text = text
    self.number = number
  }
  var testDescription: String { text.debugDescription }
}

private let spellingCases: [SpellingCase] = [
  SpellingCase("10", "10"), SpellingCase("-3.5", "-3.5"), SpellingCase("+4", "4"),
  SpellingCase(".5", "0.5"), SpellingCase("5.", "5"), SpellingCase("1e3", "1000"),
  SpellingCase("1E3", "1000"), SpellingCase("1e+3", "1000"), SpellingCase("1.5e-3", "0.0015"),
  SpellingCase("007", "7"), SpellingCase("-.5", "-0.5"), SpellingCase("-0", "0"),
  SpellingCase(" 10", "10"), SpellingCase("10 ", "10"), SpellingCase("\t10\n", "10"),
  SpellingCase("0.1", "0.1"), SpellingCase("9007199254740993", "9007199254740993"),
  SpellingCase("", nil), SpellingCase(" ", nil), SpellingCase(".", nil), SpellingCase("-", nil),
  SpellingCase("+", nil), SpellingCase("e3", nil), SpellingCase("1e", nil),
  SpellingCase("1e+", nil), SpellingCase("1,000", nil), SpellingCase("1 000", nil),
  SpellingCase("1,5", nil), SpellingCase("1_000", nil), SpellingCase("0x10", nil),
  SpellingCase("0x1p3", nil), SpellingCase("0b1", nil), SpellingCase("nan", nil),
  SpellingCase("NaN", nil), SpellingCase("inf", nil), SpellingCase("-inf", nil),
  SpellingCase("Infinity", nil), SpellingCase("--1", nil), SpellingCase("1-", nil),
  SpellingCase("1.2.3", nil), SpellingCase("10 apples", nil), SpellingCase("true", nil),
  SpellingCase("\u{661}", nil), SpellingCase("\u{2212}1", nil), SpellingCase("1e1.5", nil),
]

private func number(_ match: String, _ value: String, on texts: String..., is expected: Bool)
  -> ConditionCase
{
  ConditionCase(
    "\(texts) \(match) \(value)", datum(match, value), [.customData(index: 3, values: texts)],
    is: expected)
}

private let numberCases: [ConditionCase] = [
  number("EQUAL", "10", on: "10", is: true),
  number("EQUAL", #""10""#, on: "10.0", is: true),
  number("EQUAL", #"" 10 ""#, on: "10", is: true),
  number("EQUAL", "10", on: "10.0000000001", is: true),
  number("EQUAL", "10", on: "9.9999999999", is: true),
  number("EQUAL", "10", on: "10.00000001", is: false),
  number("EQUAL", "0.3", on: "0.30000000000000004", is: true),
  number("GREATER", "10", on: "10", is: false),
  number("GREATER", "10", on: "10.0000000001", is: true),
  number("GREATER", #""-1""#, on: "0", is: true),
  number("LOWER", "10", on: "9.9999999999", is: true),
  number("LOWER", "10", on: "10", is: false),
  number("LOWER", "1e2", on: "99", is: true),
  number("EQUAL", "10", on: "x", "", "10", is: true),
  number("GREATER", "10", on: "11", "x", is: true),
  number("GREATER", "10", on: "9", "x", "nan", is: false),
  number("LOWER", "10", on: "", is: false),
  number("LOWER", #""""#, on: "1", is: false),
  number("EQUAL", #""ten""#, on: "10", is: false),
  number("GREATER", #""0x1""#, on: "10", is: false),
  number("GREATER", #""-inf""#, on: "10", is: false),
  number("EQUAL", "true", on: "1", is: false),
  number("EQUAL", "null", on: "1", is: false),
  number("LOWER", "[7]", on: "1", is: false),
]

@Suite("CUSTOM_DATUM (4.4)")
struct CustomDatumTests {
  @Test("every operator looks at all values", arguments: operatorCases)
  func operators(_ row: ConditionCase) throws { try row.verify() }

  @Test("the index is a plain decimal integer", arguments: indexCases)
  func indexes(_ row: ConditionCase) throws { try row.verify() }

  @Test("UNDEFINED on an index that is none", arguments: undefinedCases)
  func undefinedIndexes(_ row: ConditionCase) throws { try row.verify() }

  @Test("numbers are compared, unreadable values skipped", arguments: numberCases)
  func numbers(_ row: ConditionCase) throws { try row.verify() }

  @Test(
    "the visitor's values are read as the specification spells numbers", arguments: spellingCases)
  func spelling(_ row: SpellingCase) throws {
    let subject = Fixture.subject([.values(3, row.text)])
    let isNumber = try Fixture.index(condition: datum("LOWER", "1e300")).answer(subject)
    #expect(isNumber == (row.number != nil))
    guard let number = row.number else { return }
    #expect(try Fixture.index(condition: datum("EQUAL", number)).answer(subject))
  }

  @Test("the condition's value is read by the same rules", arguments: spellingCases)
  func conditionSpelling(_ row: SpellingCase) throws {
    let value = RawJSON(.string(row.text)).text
    let same = Fixture.subject([.values(3, row.number ?? "0")])
    #expect(
      try Fixture.index(condition: datum("EQUAL", value)).answer(same) == (row.number != nil))
  }
}
