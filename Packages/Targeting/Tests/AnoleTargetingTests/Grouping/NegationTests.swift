// SPDX-License-Identifier: Apache-2.0

import AnoleTargeting
import Testing

struct IncludeCase: Sendable, CustomTestStringConvertible {
  let isInclude: String
  let forYes: Bool
  let forNo: Bool
  init(_ isInclude: String, yes: Bool, no: Bool) {
    self.isInclude = isInclude
    forYes = yes
    forNo = no
  }
  var testDescription: String { "isInclude \(isInclude)" }
}

private let includeCases: [IncludeCase] = [
  IncludeCase("true", yes: true, no: false),
  IncludeCase("null", yes: true, no: false),
  IncludeCase("false", yes: false, no: true),
  // Nobody can tell what is meant: unreadable, hence false without negation.
  IncludeCase("0", yes: false, no: false),
  IncludeCase(#""false""#, yes: false, no: false),
  IncludeCase("[]", yes: false, no: false),
]

/// Literals of the back office that no SDK implements, a misspelt one and no literal at all.
private let unknownTypes: [String] = [
  #""LANDING_PAGE""#, #""ORIGIN""#, #""JS_CODE""#, #""DAY_OF_WEEK""#, #""EXPLICIT_TRIGGER""#,
  #""custom_datum""#, #""Device_Type""#, #""""#, "null", "7", "true", "{}",
]

/// Conditions that see no data.
private let withoutData: [String] = [
  #"{"targetingType":"DEVICE_TYPE","device":"PHONE"}"#,
  #"{"targetingType":"GEOLOCATION","country":"France"}"#,
  #"{"targetingType":"CUSTOM_DATUM","customDataIndex":"1","valueMatchType":"EXACT","value":"a"}"#,
  #"{"targetingType":"CONVERSIONS","goalId":1}"#,
  #"{"targetingType":"TARGET_EXPERIMENT","experimentId":1,"variationMatchType":"ANY"}"#,
]

@Suite("Inclusion, exclusion and undefined results (4.1)")
struct NegationTests {
  @Test("only an explicit false negates", arguments: includeCases)
  func include(_ row: IncludeCase) throws {
    let yes = Fixture.condition(Fixture.yes, isInclude: row.isInclude)
    let no = Fixture.condition(Fixture.no, isInclude: row.isInclude)
    #expect(try Fixture.index(condition: yes).answer() == row.forYes)
    #expect(try Fixture.index(condition: no).answer() == row.forNo)
  }

  @Test("an absent isInclude does not negate")
  func absentInclude() throws {
    #expect(try Fixture.index(condition: Fixture.yes).answer())
    #expect(try !Fixture.index(condition: Fixture.no).answer())
  }

  @Test("an unknown type is false, then negated if excluded", arguments: unknownTypes)
  func unknownType(_ type: String) throws {
    try ConditionCase(type, #"{"targetingType":\#(type),"value":"a"}"#, is: false).verify()
  }

  @Test("a missing type is false, then negated if excluded")
  func missingType() throws {
    try ConditionCase("no type", #"{"value":"a"}"#, is: false).verify()
  }

  @Test("missing data are false before negation", arguments: withoutData)
  func missingData(_ condition: String) throws {
    try ConditionCase(condition, condition, is: false).verify()
  }

  @Test("a false result stays false in company: it is two-valued logic")
  func twoValued() throws {
    let unknown = #"{"targetingType":"TEMPERATURE"}"#
    let either = Fixture.tree([unknown, Fixture.no], operators: [true])
    let both = Fixture.tree([Fixture.yes, unknown], operators: [false])
    let rescued = Fixture.tree([unknown, Fixture.yes], operators: [true])
    #expect(try !Fixture.index(trees: [either]).answer())
    #expect(try !Fixture.index(trees: [both]).answer())
    #expect(try Fixture.index(trees: [rescued]).answer())
  }
}
