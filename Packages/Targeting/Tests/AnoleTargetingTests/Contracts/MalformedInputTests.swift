// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

/// A condition that never matches, whatever the visitor has.
struct NeverCase: Sendable, CustomTestStringConvertible {
  let condition: String
  /// The field the diagnostic has to name.
  let field: String
  init(_ condition: String, _ field: String) {
    self.condition = condition
    self.field = field
  }
  var testDescription: String { condition }
}

/// A visitor with data of every kind.
private let richData: [VisitorDatum] = [
  .values(3, "true", "a", "5"), .device(.phone), .operatingSystem(.iOS), .place("France"),
  .browser(Browser(type: .other)), .cookies([Cookie(name: "", value: "")]),
  .page("u", "t", at: 2), .page("v", "w", at: 1), .previousVisits(Time.now - Time.day),
  .applicationVersion("1"),
]

private func datum(_ fields: String) -> String {
  #"{"targetingType":"CUSTOM_DATUM",\#(fields)}"#
}

private let customDatumCases: [NeverCase] = [
  NeverCase(datum(#""customDataIndex":"3","value":"a""#), "valueMatchType"),
  NeverCase(datum(#""customDataIndex":"3","value":"a","valueMatchType":null"#), "valueMatchType"),
  NeverCase(datum(#""customDataIndex":"3","value":"a","valueMatchType":"IS""#), "valueMatchType"),
  NeverCase(datum(#""customDataIndex":"3","value":"a","valueMatchType":1"#), "valueMatchType"),
  NeverCase(datum(#""value":"a","valueMatchType":"EXACT""#), "customDataIndex"),
  NeverCase(datum(#""value":"a","valueMatchType":"UNDEFINED""#), "customDataIndex"),
  NeverCase(datum(#""customDataIndex":null,"valueMatchType":"UNDEFINED""#), "customDataIndex"),
  NeverCase(datum(#""customDataIndex":3.5,"valueMatchType":"UNDEFINED""#), "customDataIndex"),
  NeverCase(datum(#""customDataIndex":["4"],"valueMatchType":"UNDEFINED""#), "customDataIndex"),
]

private let literalCases: [NeverCase] = [
  ("VISITOR_CODE", #""visitorCode":"visitor""#, "matchType"),
  ("PAGE_URL", #""url":"u""#, "matchType"),
  ("PAGE_TITLE", #""title":"t""#, "matchType"),
  ("PREVIOUS_PAGE", #""url":"v""#, "matchType"),
  ("PAGE_VIEWS", #""pageCount":2"#, "matchType"),
  ("VISITS", #""visitCount":2"#, "matchType"),
  ("SAME_DAY_VISITS", #""visitCount":1"#, "matchType"),
  ("FIRST_VISIT", #""countInMillis":86400000"#, "matchType"),
  ("LAST_VISIT", #""countInMillis":86400000"#, "matchType"),
  ("COOKIE", #""name":"","value":"","valueMatchType":"EXACT""#, "nameMatchType"),
  ("COOKIE", #""name":"","value":"","nameMatchType":"EXACT""#, "valueMatchType"),
  ("BROWSER", #""version":"","versionMatchType":"EQUAL""#, "browser"),
  ("DEVICE_TYPE", #""id":1"#, "device"),
  ("OPERATING_SYSTEM", #""id":1"#, "os"),
  ("NEW_VISITORS", #""id":1"#, "visitorType"),
].flatMap { type, fields, name in
  [
    NeverCase(#"{"targetingType":"\#(type)",\#(fields)}"#, name),
    NeverCase(#"{"targetingType":"\#(type)",\#(fields),"\#(name)":null}"#, name),
    NeverCase(#"{"targetingType":"\#(type)",\#(fields),"\#(name)":"UNHEARD_OF"}"#, name),
    NeverCase(#"{"targetingType":"\#(type)",\#(fields),"\#(name)":1}"#, name),
  ]
}

private let cookieCases: [NeverCase] = [
  ("name", #""value":"","nameMatchType":"EXACT","valueMatchType":"EXACT""#),
  ("value", #""name":"","nameMatchType":"EXACT","valueMatchType":"EXACT""#),
].flatMap { field, fields in
  [
    NeverCase(#"{"targetingType":"COOKIE",\#(fields)}"#, field),
    NeverCase(#"{"targetingType":"COOKIE",\#(fields),"\#(field)":null}"#, field),
    NeverCase(#"{"targetingType":"COOKIE",\#(fields),"\#(field)":0}"#, field),
  ]
}

struct TreeCase: Sendable, CustomTestStringConvertible {
  let tree: String
  let expected: Bool
  let diagnostics: [String]
  init(_ tree: String, _ expected: Bool, _ diagnostics: String...) {
    self.tree = tree
    self.expected = expected
    self.diagnostics = diagnostics
  }
  var testDescription: String { tree }
}

private let root = "segments[0].conditionsData"
private let yes = Fixture.yes
private let no = Fixture.no

private let treeCases: [TreeCase] = [
  TreeCase(#"{"firstLevelOrOperators":[true]}"#, true),
  TreeCase(#"{"firstLevel":[{"orOperators":[]}]}"#, true),
  TreeCase(#"{"firstLevel":[{"conditions":[\#(yes),\#(no)],"orOperators":[]}]}"#, false),
  TreeCase(#"{"firstLevel":[{"conditions":[\#(no),\#(yes)]}]}"#, false),
  TreeCase(#"{"firstLevel":[{"conditions":[\#(yes),\#(yes)]}]}"#, true),
  TreeCase(#"{"firstLevel":[{"conditions":[\#(yes)]},{"conditions":[\#(no)]}]}"#, false),
  TreeCase(
    #"{"firstLevel":[{"conditions":[\#(yes),\#(no)],"orOperators":[1]}]}"#, false,
    "\(root).firstLevel[0].orOperators[0]: is not a Boolean; taken as AND"),
  TreeCase(
    #"{"firstLevel":[{"conditions":[\#(yes),\#(no)],"orOperators":"OR"}]}"#, false,
    "\(root).firstLevel[0].orOperators: is not a list; every operator is taken as AND"),
  TreeCase(
    #"{"firstLevel":[{},{}],"firstLevelOrOperators":{"a":true}}"#, true,
    "\(root).firstLevelOrOperators: is not a list; every operator is taken as AND"),
  TreeCase(#"{"firstLevel":{}}"#, false, "\(root).firstLevel: is not a list; nobody is targeted"),
  TreeCase(
    #"{"firstLevel":[{},7]}"#, false,
    "\(root).firstLevel[1]: is not a group of conditions; it never matches"),
  TreeCase(
    #"{"firstLevel":[{"conditions":{}}]}"#, false,
    "\(root).firstLevel[0]: is not a group of conditions; it never matches"),
  TreeCase(
    #"{"firstLevel":[{"conditions":[\#(yes),null]}]}"#, false,
    "\(root).firstLevel[0].conditions[1]: is not an object; it never matches"),
  TreeCase(
    #"{"firstLevel":[{},{"conditions":["yes"]}]}"#, false,
    "\(root).firstLevel[1].conditions[0]: is not an object; it never matches"),
]

/// The rows of table 8.3 that concern conditions.
@Suite("Malformed input (8.3)")
struct MalformedInputTests {
  private func verify(_ row: NeverCase) throws {
    for isExcluded in [false, true] {
      let condition = isExcluded ? Fixture.excluded(row.condition) : row.condition
      let tree = Fixture.tree(groups: [
        Fixture.group([yes]), Fixture.group([yes, condition]),
      ])
      let index = try Fixture.index(trees: ["null", tree])
      for data in [richData, []] {
        #expect(index.matches(segmentAt: 1, Fixture.subject(data)) == isExcluded)
      }
      let place = "segments[1].conditionsData.firstLevel[1].conditions[1]"
      #expect(index.diagnostics.map(\.path) == [place])
      #expect(index.diagnostics.first?.message.contains("\"\(row.field)\"") == true)
    }
  }

  @Test(
    "CUSTOM_DATUM with unknown or missing valueMatchType, missing or non-string customDataIndex",
    arguments: customDatumCases)
  func customDatum(_ row: NeverCase) throws { try verify(row) }

  @Test("CUSTOM_DATUM with an integer customDataIndex is accepted")
  func integerIndex() throws {
    let condition = datum(#""customDataIndex":3,"value":"a","valueMatchType":"EXACT""#)
    try ConditionCase("", condition, richData, is: true).verify()
    #expect(try Fixture.index(condition: condition).diagnostics.isEmpty)
  }

  @Test(
    "conditionsData without firstLevel, group without conditions or with too few orOperators",
    arguments: treeCases)
  func trees(_ row: TreeCase) throws {
    let index = try Fixture.index(trees: [row.tree])
    #expect(index.answer() == row.expected)
    #expect(index.explain(segmentAt: 0, Fixture.subject()).isMatch == row.expected)
    #expect(index.diagnostics.map(\.description) == row.diagnostics)
  }

  @Test(
    "missing or unknown matchType, nameMatchType, valueMatchType, browser, device, os, visitorType",
    arguments: literalCases)
  func literals(_ row: NeverCase) throws { try verify(row) }

  @Test("COOKIE without name or value", arguments: cookieCases)
  func cookie(_ row: NeverCase) throws { try verify(row) }

  @Test("conditionsData that is no object targets nobody", arguments: ["[]", "7", "true", #""x""#])
  func noObject(_ tree: String) throws {
    let index = try Fixture.index(trees: [tree])
    #expect(!index.answer())
    #expect(index.note() == "the segment's conditionsData is unreadable")
  }

  @Test("one unreadable condition leaves the others as they are")
  func elementByElement() throws {
    let tree = Fixture.tree(["7", yes], operators: [true])
    #expect(try Fixture.index(trees: [tree]).answer())
  }
}
