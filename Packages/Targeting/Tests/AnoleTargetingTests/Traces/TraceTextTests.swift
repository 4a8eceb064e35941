// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Foundation
import Testing

private let gold =
  #"{"id":11,"weight":1,"targetingType":"CUSTOM_DATUM","customDataIndex":"7","#
  + #""valueMatchType":"EXACT","value":"gold","isInclude":true,"comment":null}"#
private let notFrance =
  #"{"targetingType":"GEOLOCATION","country":"France","isInclude":false}"#
private let pattern =
  #"{"targetingType":"VISITOR_CODE","visitorCode":"v(","matchType":"REGULAR_EXPRESSION"}"#
private let unknown = #"{"targetingType":"SKY_STATUS","value":"blue"}"#
private let returning = #"{"targetingType":"NEW_VISITORS","visitorType":"RETURNING"}"#

private let twoGroups = Fixture.tree(
  groups: [
    Fixture.group([gold, notFrance, pattern], operators: [false, true]),
    Fixture.group([Fixture.reference(2), Fixture.reference(3), unknown], operators: [true, true]),
  ], operators: [true])

private let twoGroupsTrace = """
  segment 1: match
    group 1: no match
      CUSTOM_DATUM customDataIndex="7" valueMatchType="EXACT" value="gold": no match AND
      NOT GEOLOCATION country="France": match (attribute missing) OR
      VISITOR_CODE visitorCode="v(" matchType="REGULAR_EXPRESSION": no match (invalid regular \
  expression: missing closing parenthesis at offset 2)
    OR
    group 2: match
      SEGMENT segmentId=2: no match OR
        segment 2: no match
          NEW_VISITORS visitorType="RETURNING": no match AND
          SEGMENT segmentId=1: no match (the segment is being evaluated already)
      SEGMENT segmentId=3: match OR
        segment 3: match (no conditions: everybody)
      SKY_STATUS value="blue": no match (this version does not know the condition type "SKY_STATUS")
  """

struct NoteCase: Sendable, CustomTestStringConvertible {
  let condition: String
  let data: [VisitorDatum]
  init(_ condition: String, _ data: [VisitorDatum]) {
    self.condition = condition
    self.data = data
  }
  var testDescription: String { condition }
}

/// Conditions with the data that they miss.
private let missingCases: [NoteCase] = [
  NoteCase(#"{"targetingType":"DEVICE_TYPE","device":"PHONE"}"#, [.device(.tablet)]),
  NoteCase(#"{"targetingType":"OPERATING_SYSTEM","os":"IOS"}"#, [.operatingSystem(.mac)]),
  NoteCase(#"{"targetingType":"GEOLOCATION","country":"France"}"#, [.place("Spain")]),
  NoteCase(
    #"{"targetingType":"APPLICATION_VERSION","version":"1","versionMatchType":"EQUAL"}"#,
    [.applicationVersion("2")]),
  NoteCase(#"{"targetingType":"BROWSER","browser":"IE"}"#, [.browser(Browser(type: .opera))]),
  NoteCase(
    #"{"targetingType":"COOKIE","name":"a","nameMatchType":"EXACT","value":"b","#
      + #""valueMatchType":"EXACT"}"#, [.cookies([Cookie(name: "a", value: "c")])]),
  NoteCase(
    #"{"targetingType":"FIRST_VISIT","countInMillis":1,"matchType":"LOWER"}"#,
    [.previousVisits(Time.now - Time.day)]),
  NoteCase(
    #"{"targetingType":"LAST_VISIT","countInMillis":1,"matchType":"LOWER"}"#,
    [.previousVisits(Time.now - Time.day)]),
  NoteCase(
    #"{"targetingType":"HEAT_SLICE","keyMomentId":1,"goalId":1,"lowerBound":1,"upperBound":2}"#,
    [.keyMomentScores([1: [1: 0]])]),
  NoteCase(
    #"{"targetingType":"PAGE_URL","url":"u","matchType":"EXACT"}"#, [.page("v", at: Time.now)]),
  NoteCase(
    #"{"targetingType":"PAGE_TITLE","title":"u","matchType":"EXACT"}"#,
    [.page("v", "w", at: Time.now)]),
  NoteCase(
    #"{"targetingType":"PREVIOUS_PAGE","url":"u","matchType":"EXACT"}"#,
    [.page("v", at: Time.now), .page("w", at: Time.now - 1)]),
]

@Suite("Trace text")
struct TraceTextTests {
  private func index() throws -> SegmentIndex {
    let second = Fixture.tree([returning, Fixture.reference(1)])
    return try Fixture.index(trees: [twoGroups, second, "null"])
  }

  @Test("two groups, a nested segment and a cycle, line by line")
  func twoGroupsText() throws {
    let trace = try index().explain(segmentAt: 0, Fixture.subject([.values(7, "silver")]))
    #expect(trace.description == twoGroupsTrace)
    #expect("\(trace)" == twoGroupsTrace)
  }

  @Test("lines are indented by two spaces a level")
  func indentation() throws {
    let trace = try index().explain(segmentAt: 0, Fixture.subject())
    #expect(trace.lines(indentation: 2) == trace.lines(indentation: 0).map { "    " + $0 })
  }

  @Test("a segment of everybody says so")
  func everybody() throws {
    let trace = try Fixture.index(trees: ["{}"]).explain(segmentAt: 0, Fixture.subject())
    #expect(trace.description == "segment 1: match (no conditions: everybody)")
  }

  @Test("an unreadable condition is named as such")
  func unreadable() throws {
    let trace = try Fixture.index(condition: "7").explain(segmentAt: 0, Fixture.subject())
    #expect(
      trace.description == """
        segment 1: no match
          unreadable condition: no match (the condition is not an object)
        """)
  }

  @Test("data that are missing are told, data that differ are not", arguments: missingCases)
  func missing(_ row: NoteCase) throws {
    let index = try Fixture.index(condition: row.condition)
    #expect(index.note() == "attribute missing")
    #expect(index.note(Fixture.subject([.values(99, "x")])) == "attribute missing")
    #expect(index.note(Fixture.subject(row.data)) == nil)
    #expect(!index.answer(Fixture.subject(row.data)))
  }

  @Test("a page without title lacks the attribute")
  func missingTitle() throws {
    let text = #"{"targetingType":"PAGE_TITLE","title":"u","matchType":"EXACT"}"#
    let subject = Fixture.subject([.page("v", at: Time.now)])
    #expect(try Fixture.index(condition: text).note(subject) == "attribute missing")
  }

  @Test("conditions that matching skips are told too")
  func skipped() throws {
    let tree = Fixture.tree([Fixture.yes, Fixture.no], operators: [true])
    let trace = try Fixture.index(trees: [tree]).explain(segmentAt: 0, Fixture.subject())
    #expect(trace.groups.first?.conditions.map(\.isMatch) == [true, false])
    #expect(trace.groups.first?.conditions.map(\.joinsNextWith) == [.or, nil])
  }

  @Test("a trace survives encoding")
  func coding() throws {
    let trace = try index().explain(segmentAt: 0, Fixture.subject([.values(7, "silver")]))
    let copy = try JSONDecoder().decode(SegmentTrace.self, from: JSONEncoder().encode(trace))
    #expect(copy == trace)
    #expect(copy.description == twoGroupsTrace)
  }
}
