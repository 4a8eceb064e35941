// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleTargeting
import Testing

private func since(_ type: String, _ match: String, _ milliseconds: Int64) -> String {
  #"{"targetingType":"\#(type)","countInMillis":\#(milliseconds),"matchType":"\#(match)"}"#
}
private func count(_ type: String, _ match: String, _ count: String) -> String {
  #"{"targetingType":"\#(type)","visitCount":\#(count),"matchType":"\#(match)"}"#
}
private func visitors(_ type: String) -> String {
  #"{"targetingType":"NEW_VISITORS","visitorType":"\#(type)"}"#
}

/// Started one hour, one day and ten days ago.
private let history: [VisitorDatum] = [
  .previousVisits(Time.now - 3_600_000, Time.now - Time.day, Time.now - 10 * Time.day)
]
private let noVisits: [VisitorDatum] = [.visits([])]

private let visitCases: [ConditionCase] = [
  ConditionCase(
    "first visit, equal", since("FIRST_VISIT", "EQUAL", 864_000_000), history, is: true),
  ConditionCase("first, greater", since("FIRST_VISIT", "GREATER", 863_999_999), history, is: true),
  ConditionCase("first, not lower", since("FIRST_VISIT", "LOWER", 864_000_000), history, is: false),
  ConditionCase("first without history", since("FIRST_VISIT", "GREATER", 0), is: false),
  ConditionCase("first without visits", since("FIRST_VISIT", "GREATER", -1), noVisits, is: false),
  ConditionCase("last visit, equal", since("LAST_VISIT", "EQUAL", 3_600_000), history, is: true),
  ConditionCase("last, lower", since("LAST_VISIT", "LOWER", 3_600_001), history, is: true),
  ConditionCase("last, not greater", since("LAST_VISIT", "GREATER", 3_600_000), history, is: false),
  ConditionCase("last without visits", since("LAST_VISIT", "LOWER", 1), noVisits, is: false),
  ConditionCase("unknown operator", since("LAST_VISIT", "ABOUT", 3_600_000), history, is: false),
  ConditionCase(
    "no number", #"{"targetingType":"LAST_VISIT","matchType":"GREATER"}"#, history, is: false),
  ConditionCase("visits include the current one", count("VISITS", "EQUAL", "4"), history, is: true),
  ConditionCase("more visits", count("VISITS", "GREATER", "3"), history, is: true),
  ConditionCase("fewer visits", count("VISITS", "LOWER", "4"), history, is: false),
  ConditionCase("unknown history is one visit", count("VISITS", "EQUAL", "1"), is: true),
  ConditionCase(
    "no previous visit is one visit", count("VISITS", "EQUAL", "1"), noVisits, is: true),
  ConditionCase("compared exactly", count("VISITS", "EQUAL", "4.0000000001"), history, is: false),
  ConditionCase("number as text", count("VISITS", "EQUAL", #""4""#), history, is: false),
  ConditionCase("new", visitors("NEW"), noVisits, is: true),
  ConditionCase("not new", visitors("NEW"), history, is: false),
  ConditionCase("unknown history is new", visitors("NEW"), is: true),
  ConditionCase("returning", visitors("RETURNING"), history, is: true),
  ConditionCase("not returning", visitors("RETURNING"), is: false),
  ConditionCase("either case of the literal", visitors("returning"), history, is: true),
  ConditionCase("unknown visitor literal", visitors("OLD"), history, is: false),
  ConditionCase("no literal", #"{"targetingType":"NEW_VISITORS"}"#, is: false),
  ConditionCase("same day", count("SAME_DAY_VISITS", "EQUAL", "2"), history, is: true),
  ConditionCase("same day, unknown", count("SAME_DAY_VISITS", "EQUAL", "1"), is: true),
  ConditionCase("same day, not more", count("SAME_DAY_VISITS", "GREATER", "2"), history, is: false),
]

struct SameDayCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let now: Int64
  let offset: Int
  let start: Int64
  let previous: [Int64]
  let visits: Int

  init(
    _ name: String, now: Int64, offset: Int = 0, start: Int64, previous: [Int64], visits: Int
  ) {
    testDescription = name
    self.now = now
    self.offset = offset
    self.start = start
    self.previous = previous
    self.visits = visits
  }
}

private let midnight = Time.midnight
private let hour: Int64 = 3_600_000

private let sameDayCases: [SameDayCase] = [
  SameDayCase(
    "midnight itself is today", now: midnight + hour, start: midnight, previous: [midnight - 1],
    visits: 1),
  SameDayCase(
    "a visit since yesterday does not count", now: midnight + hour, start: midnight - 1,
    previous: [midnight - 2], visits: 0),
  SameDayCase(
    "counting stops at the first earlier visit", now: midnight + hour, start: midnight + hour,
    previous: [midnight + 2, midnight - 5, midnight + 1], visits: 2),
  SameDayCase(
    "previous visits count beside an older current one", now: midnight + hour,
    start: midnight - 1, previous: [midnight + 1], visits: 1),
  SameDayCase(
    "east of Greenwich the day begins earlier", now: midnight - hour, offset: 7_200,
    start: midnight - hour, previous: [midnight - 2 * hour, midnight - 2 * hour - 1], visits: 2),
  SameDayCase(
    "west of Greenwich the day begins later", now: midnight + hour, offset: -18_000,
    start: midnight + hour, previous: [midnight, midnight - 19 * hour, midnight - 19 * hour - 1],
    visits: 3),
  SameDayCase(
    "half hours count", now: midnight, offset: 19_800, start: midnight,
    previous: [midnight - 5 * hour - hour / 2, midnight - 5 * hour - hour / 2 - 1], visits: 2),
  SameDayCase(
    "before 1970", now: -1, start: -Time.day, previous: [-Time.day - 1], visits: 1),
]

struct MomentCase: Sendable, CustomTestStringConvertible {
  let now: Int64
  let offset: Int
  let startOfDay: Int64
  init(_ now: Int64, _ offset: Int, _ startOfDay: Int64) {
    self.now = now
    self.offset = offset
    self.startOfDay = startOfDay
  }
  var testDescription: String { "\(now) ms, \(offset) s" }
}

private let momentCases: [MomentCase] = [
  MomentCase(0, 0, 0),
  MomentCase(Time.now, 0, Time.midnight),
  MomentCase(Time.midnight, 0, Time.midnight),
  MomentCase(Time.midnight - 1, 0, Time.midnight - Time.day),
  // 22:13 UTC is 23:13 in Paris and 07:13 of the next day in Tokyo.
  MomentCase(Time.now, 3_600, Time.midnight - 3_600_000),
  MomentCase(Time.now, 32_400, Time.midnight + 15 * 3_600_000),
  MomentCase(Time.now, -28_800, Time.midnight + 8 * 3_600_000),
  MomentCase(Time.now, 20_700, Time.midnight + Time.day - 20_700_000),
  MomentCase(-1, 0, -86_400_000),
  MomentCase(-86_400_000, 0, -86_400_000),
  MomentCase(-86_400_001, 0, -172_800_000),
  MomentCase(0, -1, -86_399_000),
  MomentCase(0, 1, -1_000),
]

@Suite("Conditions on visits (4.3, 4.7)")
struct VisitConditionTests {
  @Test("visit conditions look at the history", arguments: visitCases)
  func visits(_ row: ConditionCase) throws { try row.verify() }

  @Test("SAME_DAY_VISITS counts from the local midnight", arguments: sameDayCases)
  func sameDay(_ row: SameDayCase) throws {
    var record = VisitorRecord(visitStart: Timestamp(milliseconds: row.start))
    record.updateProfile { _ in }
    let visits = row.previous.map {
      Visit(start: Timestamp(milliseconds: $0), lastActivity: Timestamp(milliseconds: $0))
    }
    record.add(
      .visits(visits), visitorCode: "v", from: .application(isTracked: true),
      at: Timestamp(milliseconds: row.now), catalogue: CustomDataCatalogue())
    let subject = TargetingSubject(
      visitorCode: "v", record: record,
      moment: Moment(now: Timestamp(milliseconds: row.now), utcOffsetSeconds: row.offset))
    for number in 0...4 {
      let text = count("SAME_DAY_VISITS", "EQUAL", "\(number)")
      #expect(try Fixture.index(condition: text).answer(subject) == (number == row.visits))
    }
  }

  @Test("a day begins at the zone's midnight", arguments: momentCases)
  func startOfDay(_ row: MomentCase) {
    let moment = Moment(
      now: Timestamp(milliseconds: row.now), utcOffsetSeconds: row.offset)
    #expect(moment.startOfDay.milliseconds == row.startOfDay)
    #expect(moment.now.milliseconds == row.now)
  }

  @Test("a caller who knows the start of the day passes it")
  func givenStartOfDay() throws {
    let moment = Moment(
      now: Timestamp(milliseconds: Time.now),
      startOfDay: Timestamp(milliseconds: Time.visitStart + 1))
    let text = count("SAME_DAY_VISITS", "EQUAL", "0")
    #expect(try Fixture.index(condition: text).answer(Fixture.subject(moment: moment)))
  }
}
